// SPDX-License-Identifier: MIT
#include <chrono>
#include <doctest/doctest.h>
#include <string>
#include <vector>

#include <teff/stencil/planned_run.hpp>
#include <teff/stencil/run.hpp>

#include "../message.hpp"
#include "made_up_stepper.hpp"

using namespace teff;
using namespace teff::runtime;
using namespace teff::test;

TEST_CASE("a run whose second arrays do not fit goes on stage by stage, if it may choose") {
  const auto run = [](const iterate_options& options) {
    made_up_stepper on{"large", false};
    planned_run steps(on, options, all_trusted, {schedule::fused, 1});
    const run_facts made = steps.drive([&] {
      CHECK(on.starts.size() == 2);
      CHECK(on.steps == 0);
    });
    CHECK(made.steps == options.steps);
    return steps.plan();
  };
  const step_plan plan = run({.steps = 3});
  CHECK(plan.schedule == schedule::stepwise);
  CHECK(plan.reason == "there was not enough memory for 1 step per pass with all stages at once");
  CHECK(message_of([&] { run({.steps = 3, .schedule = schedule::temporal}); }) ==
        "no room; the fields hold the state after step 0");
}

TEST_CASE("a plan that is refused is followed by the next best, and all reasons are told") {
  const auto run = [](made_up_stepper& on, const iterate_options& options, int wrong_depth) {
    const plan_check trusted = all_but(wrong_depth);
    planned_run steps(on, options, trusted, {schedule::temporal, 8, "asked for"});
    steps.trust_plan();
    const run_facts made = steps.drive([] {});
    CHECK(made.steps == options.steps);
    CHECK(on.steps == options.steps);
    return steps.plan();
  };
  std::vector<index_t> told;
  const iterate_options options{.steps = 48,
                                .on_step = {16, [&](index_t done) { told.push_back(done); }}};
  made_up_stepper wrong{"wrong"}, late{"late"}, both{"both"};
  const step_plan second = run(wrong, options, 8);
  CHECK(second.depth == 4);
  CHECK(second.is_second_choice);
  CHECK(second.reason == "wrong bits");
  late.not_launched = 8;  // after its first pass
  const step_plan third = run(late, options, 4);
  CHECK(plan_text(third) == "1 step per pass with all stages at once");
  CHECK(third.reason == "8 steps per pass could not be launched: 99 KB are the limit; wrong bits");
  CHECK(told == std::vector<index_t>{16, 32, 48, 16, 32, 48});
  both.not_launched = 1;
  both.fits = false;
  CHECK(message_of([&] { run(both, {.steps = 48, .schedule = schedule::temporal}, 0); }) ==
        "no room; the fields hold the state after step 0");
}

TEST_CASE("a run's clock starts when it has its memory") {
  made_up_stepper on{"slow to start"};
  on.start_takes = std::chrono::milliseconds(200);
  const iterate_report report = run(on, {.steps = 8});
  CHECK(on.starts.size() == 1);
  CHECK(report.steps() == 8);
  CHECK(report.time_s() < 0.1);
  CHECK(run(on, {.steps = 0}).time_s() < 0.1);
}

TEST_CASE("a run that ends for want of memory says at which step the fields are") {
  made_up_stepper on{"late", true, 16};
  const iterate_options options{.steps = 48, .schedule = schedule::temporal};
  planned_run steps(on, options, all_trusted, {schedule::temporal, 8, "asked for"});
  CHECK(message_of([&] { steps.drive([] {}); }) ==
        "no room; the fields hold the state after step 16");
}

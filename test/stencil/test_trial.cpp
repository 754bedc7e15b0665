// SPDX-License-Identifier: MIT
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include <teff/algo/fill.hpp>
#include <teff/algo/random.hpp>
#include <teff/algo/reduce.hpp>
#include <teff/expr/fd2.hpp>
#include <teff/stencil/compare_with_single_steps.hpp>
#include <teff/stencil/explain.hpp>
#include <teff/stencil/planned_run.hpp>
#include <teff/stencil/schedule_memory.hpp>

#include "../compare.hpp"
#include "../devices.hpp"
#include "../message.hpp"
#include "made_up_stepper.hpp"

using namespace teff;
using namespace teff::runtime;
using namespace teff::test;
using namespace teff::fd2;

namespace {

/// A file of schedules of its own, while it lives.
class own_schedules {
 public:
  explicit own_schedules(const std::string& content = "") {
    std::string name = (std::filesystem::temp_directory_path() / "teff-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    folder_ = name;
    file_ = folder_ / "made" / "s.tsv";
    if (!content.empty()) {
      std::filesystem::create_directories(file_.parent_path());
      std::ofstream(file_) << content;
    }
    setenv("TEFF_SCHEDULES", file_.c_str(), 1);
  }
  ~own_schedules() {
    setenv("TEFF_SCHEDULES", "", 1);
    std::filesystem::remove_all(folder_);
  }
  own_schedules(const own_schedules&) = delete;
  own_schedules& operator=(const own_schedules&) = delete;

  std::vector<std::string> lines() const {
    std::vector<std::string> all;
    std::ifstream in(file_);
    for (std::string line; std::getline(in, line);) all.push_back(line);
    return all;
  }

 private:
  std::filesystem::path folder_, file_;
};

auto heat() {
  return timestep(
      [](auto T, auto C) { return update(inn(T), inn(T) + 0.1 * inn(C) * (d2_xi(T) + d2_yi(T))); });
}

template <class Step, class... A>
auto stepper_of(const Step& step, const A&... a) {
  return detail::stepper_of(step, static_cast<const array_ref<f64, 2>&>(a)...);
}
template <class Step, class... A>
std::string key_of(const Step& step, const A&... a) {
  return stepper_of(step, a...).key();
}

/// "" where nothing is remembered.
std::string remembered_text(const std::string& key) {
  const auto plan = remembered_plan(key);
  return plan ? short_text(*plan) : "";
}

}  // namespace

TEST_CASE("trial: passes of several steps are compared with single ones, bit for bit") {
  for (const device dev : test_devices()) {
    array<f64, 2> T = random<f64>(dev, {450, 90}, 1), C = random<f64>(dev, {450, 90}, 2);
    const auto agree = [&](index_t steps, index_t single) {
      return has_bits_of_single_steps(stepper_of(heat(), T, C), {schedule::temporal, 3}, steps,
                                      single, part_to_compare(2, {450, 90, 1}, 1));
    };
    CHECK(agree(7, 7));
    CHECK_FALSE(agree(7, 6));
    // Also where a field begins without anything to see.
    for (const f64 everywhere : {0.0, 300.0}) {
      fill(T, everywhere);
      CHECK(agree(7, 7));
      CHECK_FALSE(agree(7, 6));
      CHECK(max(T) == everywhere);
    }
  }
}

TEST_CASE("trial: the part that is compared has even and odd rows; faces keep their extra cells") {
  const array<f64, 2> P = random<f64>(device::cpu(), {500, 90}, 1),
                      q = random<f64>(device::cpu(), {501, 90}, 1);
  const auto flow = timestep([](auto p, auto qx) {
    return stages(update(inn_x(qx), inn_x(qx) - 0.1 * d_xa(p)), update(p, p - 0.1 * d_xa(qx)));
  });
  const auto extents_of = [&](index_t fewer) {
    const part of = part_to_compare(2, {500, 90, 1}, fewer);
    const auto copy = stepper_of(flow, P, q).over_part(of.left_out);
    return copy->fields()[0].extents() + " " + copy->fields()[1].extents();
  };
  CHECK(extents_of(0) == "400x70 401x70");
  CHECK(extents_of(1) == "399x70 400x70");
  CHECK(part_to_compare(2, {30, 9, 1}, 1).left_out[0] == 0);
}

TEST_CASE("trial: a long run tries its schedules, remembers the fastest, and keeps its bits") {
  const own_schedules file;
  for (const device dev : test_devices()) {
    const array<f64, 2> C = random<f64>(dev, {40, 30}, 2);
    array<f64, 2> T = random<f64>(dev, {40, 30}, 1), S = T;
    const std::size_t lines = file.lines().size();
    const auto first = iterate(heat(), 2000, T, C);
    CHECK(contains(first.reason(), "tried: 1: "));
    CHECK(first.steps() == 2000);
    REQUIRE(file.lines().size() == lines + 1);
    const std::string line = file.lines().back();
    const step_plan taken{first.schedule(), first.depth()};
    CHECK(contains(line, short_text(taken) + "\t" + known_device(dev).name + ", "));
    CHECK(contains(line, "\t40x30:f64 40x30:f64\t0 = "));
    const auto second = iterate(heat(), 100, T, C);
    CHECK(contains(second.reason(), "the fastest when it was tried: "));
    CHECK(second.depth() == first.depth());
    CHECK(file.lines().size() == lines + 1);
    iterate(heat(), {.steps = 2100, .schedule = schedule::stepwise}, S, C);
    CHECK(difference(to_host(T), to_host(S)) == "");

    std::ostringstream text;
    text << explain(heat(), T, C);
    CHECK(contains(text.str(), "the fastest when it was tried"));
  }
}

TEST_CASE("trial: short runs, and runs that are interrupted too often, take the model's word") {
  const array<f64, 2> C = random<f64>(device::cpu(), {50, 30}, 2);
  array<f64, 2> T = random<f64>(device::cpu(), {50, 30}, 1);
  CHECK(contains(iterate(heat(), 100, T, C).reason(), "model"));
  CHECK(contains(iterate(heat(), {.steps = 2000, .check_every = 10}, T, C).reason(), "model"));
  CHECK(iterate(heat(), {.steps = 2000, .schedule = schedule::stepwise}, T, C).reason() ==
        "asked for");
}

TEST_CASE("trial: what is to be done after as many steps as a trial takes is done") {
  const array<f64, 2> C = random<f64>(device::cpu(), {20, 10}, 2);
  const array<f64, 2> start = random<f64>(device::cpu(), {20, 10}, 1);
  array<f64, 2> T = start;
  const index_t trial = steps_of_trial(stepper_of(heat(), T, C).facts());
  for (const index_t every : {trial - 1, trial, trial + 1}) {
    const own_schedules file;
    std::vector<index_t> calls;
    const auto run = iterate(
        heat(), {.steps = 10 * trial, .on_step = {every, [&](index_t n) { calls.push_back(n); }}},
        T, C);
    CHECK(contains(run.reason(), every > trial ? "tried: " : "model"));
    CHECK(calls.front() == every);
    CHECK(calls.size() == static_cast<std::size_t>(10 * trial / every));
  }
}

TEST_CASE("trial: a candidate that is refused or does not fit is left out, said, not remembered") {
  const own_schedules file;
  run_facts made;
  made_up_stepper all{"all"}, refused{"refused"}, large{"large", false};
  CHECK(tried_plan(all, all_trusted, made).reason.find("not tried") == std::string::npos);
  CHECK(made.steps == all.steps);
  CHECK(made.steps == steps_of_trial(all.facts()));
  CHECK(made.scratch_bytes == 8);
  CHECK(remembered_plan("all"));

  const step_plan without = tried_plan(refused, all_but(8), made);
  CHECK(without.depth != 8);
  CHECK(contains(without.reason, "; not tried: wrong bits"));
  const step_plan smaller = tried_plan(large, all_trusted, made);
  CHECK(smaller.depth != 8);
  CHECK(contains(smaller.reason, "not enough memory for 8 steps per pass"));
  CHECK(file.lines().size() == 1);
}

TEST_CASE("trial: all plans are compared with single steps before a run's clock starts") {
  const own_schedules file;
  for (const bool is_tried : {true, false}) {
    made_up_stepper on{"compared"};
    std::set<int> before, after;
    std::set<int>* compared = &before;
    const plan_check noted = [&](const step_plan& plan) {
      compared->insert(plan.depth);
      return refusal();
    };
    const index_t trial = steps_of_trial(on.facts());
    const iterate_options options{.steps = is_tried ? 10 * trial : 48};
    planned_run steps(on, options, noted, {schedule::temporal, 8});
    steps.compare_plans();
    compared = &after;
    steps.drive([] {});
    CHECK(before == (is_tried ? std::set<int>{1, 4, 8} : std::set<int>{8}));
    CHECK(after == (is_tried ? before : std::set<int>{}));
  }
}

TEST_CASE("trial: steps count that a candidate made before it ran out of memory") {
  const own_schedules file;
  made_up_stepper whole{"whole"};
  run_facts made;
  tried_plan(whole, all_trusted, made);
  for (index_t fails_at = 0; fails_at + 8 <= whole.steps; fails_at += 8) {
    made_up_stepper loop{"cut", true, fails_at};
    made = {};
    tried_plan(loop, all_trusted, made);
    CHECK(loop.steps < whole.steps);
    CHECK(made.steps == loop.steps);
  }
}

TEST_CASE("trial: what is remembered is not taken where a run is interrupted more often") {
  const array<f64, 2> C = random<f64>(device::cpu(), {70, 30}, 2);
  array<f64, 2> T = random<f64>(device::cpu(), {70, 30}, 1);
  const own_schedules file("8\t" + key_of(heat(), T, C) + "\n");
  CHECK(iterate(heat(), 100, T, C).depth() == 8);
  CHECK(contains(iterate(heat(), {.steps = 100, .check_every = 7}, T, C).reason(), "model"));
  CHECK(contains(iterate(heat(), {.steps = 100, .on_step = {4, [](index_t) {}}}, T, C).reason(),
                 "model"));
  CHECK(contains(iterate(heat(), 7, T, C).reason(), "model"));
}

TEST_CASE("trial: runs share what they remember if their cost is the same, whatever the numbers") {
  const array<f64, 2> T(device::cpu(), {30, 20}), C(device::cpu(), {30, 20});
  const auto scaled = [](double factor, const boundary& sides = {}) {
    return timestep([=](auto T_, auto C_) {
      return update(inn(T_), inn(T_) + factor * inn(C_) * d2_xi(T_), sides);
    });
  };
  const auto both = timestep([](auto T_, auto C_) {
    return update(inn(T_), inn(T_) + inn(C_) * (d2_xi(T_) + d2_yi(T_)));
  });
  const std::string key = key_of(scaled(1e-7), T, C);
  CHECK(key == key_of(scaled(2e-7), T, C));
  CHECK(key != key_of(both, T, C));
  CHECK(key != key_of(scaled(1e-7, {.x = periodic}), T, C));
  const array<f64, 2> wide(device::cpu(), {31, 20}), wide_C = wide;
  CHECK(key != key_of(scaled(1e-7), wide, wide_C));
  CHECK(contains(key, std::to_string(known_device(device::cpu()).processors) + " processors"));
}

TEST_CASE("schedule file: what is not a line of its kind is passed over; the last one counts") {
  const own_schedules file(
      "nonsense\n\n7\n-2\tkey\n0\tkey\n4\tkey\n8\tkey\n3 other\n"
      "resident\tsmall\nresidents\tother\n5x\tother\nfused\tstages\n");
  CHECK(remembered_text("key") == "8");
  CHECK(remembered_text("small") == "resident");
  CHECK(remembered_text("stages") == "fused");
  CHECK_FALSE(remembered_plan("other"));
  remember_plan("key", {schedule::temporal, 2});
  CHECK(remembered_text("key") == "2");
  CHECK(file.lines().back() == "2\tkey");
  remember_plan("key", {schedule::resident, 8});
  CHECK(file.lines().back() == "resident\tkey");
}

TEST_CASE("schedule file: a last line without an end stays whole") {
  const own_schedules file("4\tone");
  remember_plan("two", {schedule::temporal, 8});
  CHECK(file.lines() == std::vector<std::string>{"4\tone", "8\ttwo"});
}

TEST_CASE("schedule file: a depth that the run can not have is not taken") {
  const array<f64, 2> C = random<f64>(device::cpu(), {60, 30}, 2);
  array<f64, 2> T = random<f64>(device::cpu(), {60, 30}, 1);
  const std::string key = key_of(heat(), T, C);
  const own_schedules file("1000\t" + key + "\n");
  CHECK(remembered_text(key) == "1000");
  CHECK(contains(iterate(heat(), 100, T, C).reason(), "model"));
}

TEST_CASE("schedule file: a place that can not be written is no error") {
  setenv("TEFF_SCHEDULES", "/proc/nobody/writes/here.tsv", 1);
  remember_plan("unwritable", {schedule::temporal, 4});
  CHECK(remembered_text("unwritable") == "4");
  setenv("TEFF_SCHEDULES", "", 1);
  CHECK(schedule_file().empty());
}

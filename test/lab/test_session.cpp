// SPDX-License-Identifier: MIT
#include <chrono>
#include <doctest/doctest.h>
#include <thread>

#include <teff/lab/session.hpp>

#include "fake_case.hpp"

using namespace teff::lab;
using namespace teff::test;

TEST_CASE("session: ceilings come from verified probes beyond the cache") {
  result copy = measured("good");
  copy.flags.clear();
  copy.time = timing_of({1.0});
  result faster = copy, wrong = copy, cached = copy, arithmetic = copy;
  faster.time = timing_of({0.5});
  wrong.time = cached.time = timing_of({0.1});
  wrong.check.ok = false;
  cached.flags = {flag::fits_in_cache};
  arithmetic.a_eff_bytes = 0;
  arithmetic.flop = 3'000'000'000;
  arithmetic.type = "f32";
  const limits found = ceilings_from({copy, faster, wrong, cached, arithmetic});
  CHECK(found.copy_gb_per_s == doctest::Approx(16));
  CHECK(!found.triad_gb_per_s);
  CHECK(found.f32_gflop_per_s == doctest::Approx(3));
  CHECK(!found.f64_gflop_per_s);
  CHECK(found.t_peak_gb_per_s() == doctest::Approx(16));
}

TEST_CASE("session: a spent budget leaves rungs out and says so") {
  const bench_case c = fake_table_entry();
  const job work{&c, {teff::device::cpu(), "f64", {4}}, {{"good", "good", {}}}};
  session_options options;
  options.measure.sampling = {.budget_s = 0, .min_samples = 1, .max_samples = 1, .warm_up_s = 0};
  CHECK(run_session({work}, {}, options).results.size() == 1);
  options.budget_s = 1e-9;
  const session_results found = run_session({work}, {}, options);
  CHECK(found.results.empty());
  REQUIRE(found.notes.size() == 1);
  CHECK(found.notes[0] == "left out: fake f64 4 good: the time budget is spent");
}

TEST_CASE("session: a ceiling from disturbed samples is doubted, by name") {
  result copy = measured("good");
  copy.flags.clear();
  copy.time = timing_of({1.0});
  result faster = copy, arithmetic = copy;
  faster.time = timing_of({0.5});
  arithmetic.a_eff_bytes = 0;
  arithmetic.flop = 3'000'000'000;
  CHECK(doubts_about_ceilings({copy, faster, arithmetic}) == "");
  copy.flags = {flag::noisy};  // it sets no ceiling
  CHECK(doubts_about_ceilings({copy, faster, arithmetic}) == "");
  faster.flags = {flag::shared_device, flag::noisy};
  arithmetic.flags = {flag::noisy};
  CHECK(doubts_about_ceilings({copy, faster, arithmetic}) ==
        "ceilings that may be higher on a quiet machine: copy (shared device, noisy); f64 (noisy)");
}

TEST_CASE(
    "session: jobs that would take longer than the budget get smaller shapes, and it says so") {
  bench_case c = fake_table_entry();
  const auto prepare = c.prepare;
  constexpr teff::index_t cells = teff::index_t{1} << 34;  // what no cache holds
  c.prepare = [&](const setting& where) {
    std::this_thread::sleep_for(std::chrono::duration<double>(0.4 * cells_of(where.shape) / cells));
    return prepare({where.dev, where.type, {4}});
  };
  const std::vector<job> jobs(
      3, job{&c, {teff::device::cpu(), "f64", {cells}}, {{"good", "good", {}}}, true});
  session_options options;
  options.measure.sampling = {.budget_s = 0, .min_samples = 1, .max_samples = 1, .warm_up_s = 0};
  options.budget_s = 0.8;
  std::vector<job> all = jobs;  // one that was planned on their shape, and one on another
  all.push_back({&c, jobs[0].where, {{"later", "later", {}}}});
  all.push_back({&c, {jobs[0].where.dev, "f64", {7}}, {{"good", "good", {}}}});
  const session_results found = run_session(all, {}, options);
  const auto later = std::ranges::find(found.results, "later", &result::variant);
  REQUIRE(later != found.results.end());
  CHECK(later->shape == found.results[1].shape);
  CHECK(cells_of(later->shape) < cells);
  CHECK(found.results.back().shape == std::vector<teff::index_t>{7});
  REQUIRE(!found.notes.empty());
  CHECK(found.notes.back().starts_with(
      "smaller shapes, for the time budget: fake f64 17179869184 to "));
  options.budget_s = 1000;
  CHECK(run_session(jobs, {}, options).notes.empty());
}

TEST_CASE("session: what may shrink has the time that is kept for the ceilings, nothing else has") {
  bench_case slow = fake_table_entry();
  const auto prepare = slow.prepare;
  constexpr double budget_s = 5;
  slow.prepare = [&](const setting& where) {  // until after jobs end, before the budget does
    std::this_thread::sleep_for(std::chrono::duration<double>(0.905 * budget_s));
    return prepare(where);
  };
  const bench_case last = fake_table_entry();
  const setting where{teff::device::cpu(), "f64", {4}}, other{where.dev, "f64", {5}};
  const rung good{"good", "good", {}}, later{"later", "later", {}};
  session_options options;
  options.measure.sampling = {.budget_s = 0, .min_samples = 1, .max_samples = 1, .warm_up_s = 0};
  options.budget_s = budget_s;
  const session_results found = run_session(
      {{&slow, where, {good}, true}, {&last, other, {good}, true}, {&last, other, {later}}}, {},
      options);
  REQUIRE(found.results.size() == 2);
  CHECK(found.results[1].variant == "good");
  CHECK(found.notes ==
        std::vector<std::string>{"left out: fake f64 5 later: the time budget is spent"});
  CHECK(found.planned == 3);
}

TEST_CASE("session: what several jobs ask for on one shape is measured once") {
  const bench_case c = fake_table_entry();
  const rung good{"good", "good", {}}, later{"later", "later", {}};
  const setting where{teff::device::cpu(), "f64", {4}};
  session_options options;
  options.measure.sampling = {.budget_s = 0, .min_samples = 1, .max_samples = 1, .warm_up_s = 0};
  const session_results found =
      run_session({{&c, where, {good, good}}, {&c, where, {later, good}}}, {}, options);
  REQUIRE(found.results.size() == 2);
  CHECK(found.results[0].variant == "good");
  CHECK(found.results[1].variant == "later");
  CHECK(found.planned == 2);
}

TEST_CASE("session: how many results there would be, with those that were left out") {
  const bench_case c = fake_table_entry();
  const rung good{"good", "good", {}}, later{"later", "later", {}};
  session_options options;
  options.budget_s = 1e-9;
  const session_results found =
      run_session({{&c, {teff::device::cpu(), "f64", {4}}, {good, later}}}, {}, options);
  CHECK(found.results.empty());
  CHECK(found.planned == 2);
  CHECK(found.left_out ==
        std::vector<omission>{{"fake", "f64", {4}, 0, "good"}, {"fake", "f64", {4}, 0, "later"}});
}

TEST_CASE("session: what does not fit in memory is left out only where asked") {
  bench_case c = fake_table_entry();
  c.prepare = [](const setting&) -> std::unique_ptr<prepared_case> {
    throw teff::error(teff::failure::out_of_memory, "asked 1 TB");
  };
  const job work{&c, {teff::device::cpu(), "f64", {4}}, {{"good", "good", {}}}};
  session_options options;
  CHECK_THROWS_AS((void)run_session({work}, {}, options), teff::error);
  options.skip_what_does_not_fit = true;
  const session_results found = run_session({work}, {}, options);
  REQUIRE(found.notes.size() == 1);
  CHECK(found.notes[0] == "left out: fake f64 4 good: asked 1 TB");
}

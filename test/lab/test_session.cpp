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
    std::this_thread::sleep_for(std::chrono::duration<double>(0.2 * cells_of(where.shape) / cells));
    return prepare({where.dev, where.type, {4}});
  };
  const std::vector<job> jobs(
      3, job{&c, {teff::device::cpu(), "f64", {cells}}, {{"good", "good", {}}}, true});
  session_options options;
  options.measure.sampling = {.budget_s = 0, .min_samples = 1, .max_samples = 1, .warm_up_s = 0};
  options.budget_s = 0.4;
  const session_results found = run_session(jobs, {}, options);
  REQUIRE(!found.notes.empty());
  CHECK(found.notes.back().starts_with(
      "smaller shapes, for the time budget: fake f64 17179869184 to "));
  options.budget_s = 1000;
  CHECK(run_session(jobs, {}, options).notes.empty());
}

TEST_CASE("session: where time is short a case keeps its best, then what comes first") {
  bench_case c = fake_table_entry();
  c.best = "temporal";
  job j{&c, {teff::device::cpu(), "f64", {4}}, {}, true};
  for (const char* name : {"stepwise", "fused", "temporal"}) j.rungs.push_back({name, name, {}});
  j.rungs.push_back({"temporal-4", "temporal", {}});
  const auto left_out = [&](double part) {
    std::string names;
    for (const rung& r : rungs_to_leave_out(j, part)) names += r.name + " ";
    return names;
  };
  CHECK(left_out(1) == "");
  CHECK(left_out(0.99) == "fused ");
  CHECK(left_out(0.5) == "stepwise fused ");
  CHECK(left_out(0) == "stepwise fused ");
  CHECK(left_out(-3) == "stepwise fused ");
  c.best = "none of them";
  CHECK(left_out(0) == "fused temporal temporal-4 ");  // one stays
  c.best_along = {"fused", "stepwise"};
  CHECK(left_out(0) == "temporal temporal-4 ");
  // Single steps, which the best is compared with, come second.
  c.best_along.clear();
  c.best = "temporal";
  std::ranges::reverse(j.rungs);
  CHECK(left_out(0.8) == "fused ");
}

TEST_CASE("session: the best of a late case has the time that is kept for the ceilings") {
  bench_case slow = fake_table_entry();
  slow.best = "good";
  bench_case last = slow;
  const auto prepare = slow.prepare;
  constexpr double budget_s = 5;
  slow.prepare = [&](const setting& where) {  // until after jobs end, before the budget does
    std::this_thread::sleep_for(std::chrono::duration<double>(0.905 * budget_s));
    return prepare(where);
  };
  const setting where{teff::device::cpu(), "f64", {4}};
  const rung good{"good", "good", {}}, later{"later", "later", {}};
  session_options options;
  options.measure.sampling = {.budget_s = 0, .min_samples = 1, .max_samples = 1, .warm_up_s = 0};
  options.budget_s = budget_s;
  const session_results found = run_session(
      {{&slow, where, {good}, true}, {&last, {where.dev, "f64", {5}}, {later, good}, true}}, {},
      options);
  REQUIRE(found.results.size() == 2);
  CHECK(found.results[1].variant == "good");
  CHECK(found.notes == std::vector<std::string>{
                           "left out: fake f64 5 later: the time budget goes to other cases"});
  CHECK(found.planned == 3);
}

TEST_CASE("session: the least shape of a case is one that no cache serves, also of one array") {
  bench_case c = fake_table_entry();
  c.arrays = 2;
  const job j{&c, {teff::device::cpu(), "f64", {4}}, {}, true};
  const double of_a_copy = least_bytes_to_halve(j) / c.arrays;
  c.moved_arrays = 1;
  const double of_a_sum = least_bytes_to_halve(j) / c.arrays;
  CHECK(of_a_sum == doctest::Approx(2 * of_a_copy));
  const double cache = static_cast<double>(teff::describe(teff::device::cpu()).cache_bytes);
  CHECK(of_a_sum / 2 == doctest::Approx(4 * cache));  // after a halving
  job large = j;
  large.where.shape = {teff::index_t{1} << 40};
  shrink_to_least(large);
  const double bytes = 8 * cells_of(large.where.shape);
  CHECK(bytes >= 4 * cache);
  CHECK(bytes < 8 * cache);
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

TEST_CASE("session: shapes shrink to fit, the longest extent first") {
  using shape = std::vector<teff::index_t>;
  CHECK(shape_that_fits({8, 8}, 1, 1, 64) == shape{8, 8});
  CHECK(shape_that_fits({8, 8}, 1, 1, 63) == shape{8, 4});
  CHECK(shape_that_fits({8, 8}, 2, 8, 256) == shape{4, 4});
  CHECK(shape_that_fits({512, 512, 512}, 3, 8, 3.0 * 8 * 256 * 256 * 256) == shape{256, 256, 256});
  CHECK(shape_that_fits({5}, 1, 1, 0) == shape{1});
}

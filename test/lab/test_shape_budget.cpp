// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <teff/lab/session.hpp>
#include <teff/lab/shape_budget.hpp>

using namespace teff::lab;

namespace {

constexpr double copy_gb_per_s = 10;
constexpr double passes = 120;  // of a field for each rung, as is thought

bench_case case_of_two_arrays() {
  bench_case c;
  c.name = "fake";
  c.arrays = 2;
  return c;
}

job job_of(const bench_case& c, teff::index_t cells, std::size_t rungs) {
  return {&c, {teff::device::cpu(), "f64", {cells}}, std::vector<rung>(rungs), true};
}

constexpr teff::index_t large = teff::index_t{1} << 40;  // cells: beyond every cache by far

/// Seconds for one rung on the least shape that no cache serves.
double least_s(const job& j) {
  return passes * least_bytes_to_halve(j) / j.what->arrays / copy_gb_per_s / 1e9;
}

bool stays_beyond_cache(const std::vector<job>& jobs, double budget_s) {
  return shapes_for_budget(jobs, copy_gb_per_s, budget_s).is_beyond_cache;
}

}  // namespace

TEST_CASE("shape budget: beyond the cache where half of the time will do for the best variants") {
  bench_case c = case_of_two_arrays();
  const job one = job_of(c, large, 5);  // its other variants do not count
  CHECK(stays_beyond_cache({one}, 2.01 * least_s(one)));
  CHECK(!stays_beyond_cache({one}, 1.99 * least_s(one)));
  CHECK(stays_beyond_cache({one, one}, 4.01 * least_s(one)));
  CHECK(!stays_beyond_cache({one, one}, 3.99 * least_s(one)));
  c.best_along = {"a", "b", "c"};  // one of each dim
  CHECK(stays_beyond_cache({one}, 6.01 * least_s(one)));
  CHECK(!stays_beyond_cache({one}, 5.99 * least_s(one)));
}

TEST_CASE("shape budget: a shape that is smaller anyway costs what it is") {
  const bench_case c = case_of_two_arrays();
  const job small = job_of(c, 1000, 1);
  const double small_s = passes * 8 * 1000 / copy_gb_per_s / 1e9;
  CHECK(stays_beyond_cache({small}, 2.01 * small_s));
  CHECK(!stays_beyond_cache({small}, 1.99 * small_s));
}

TEST_CASE("shape budget: shapes shrink by what all rungs take too long, and never grow") {
  const bench_case c = case_of_two_arrays();
  const std::vector<job> jobs{job_of(c, large, 3), job_of(c, large, 1)};
  const double all_s = 4 * passes * 8 * static_cast<double>(large) / copy_gb_per_s / 1e9;
  CHECK(shapes_for_budget(jobs, copy_gb_per_s, all_s / 4).scale == doctest::Approx(0.25));
  CHECK(shapes_for_budget(jobs, 2 * copy_gb_per_s, all_s / 4).scale == doctest::Approx(0.5));
  CHECK(shapes_for_budget(jobs, copy_gb_per_s, 2 * all_s).scale == 1);
}

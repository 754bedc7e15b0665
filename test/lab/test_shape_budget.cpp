// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <teff/lab/measure.hpp>
#include <teff/lab/report_table.hpp>
#include <teff/lab/shape_budget.hpp>

using namespace teff::lab;

namespace {

using shape = std::vector<teff::index_t>;

job job_of(const bench_case& c, const shape& n, std::size_t rungs = 1) {
  return {&c, {teff::device::cpu(), "f64", n}, std::vector<rung>(rungs), true};
}

/// In caches: what a run moves.
double caches_moved(const job& j) {
  return cells_of(j.where.shape) * bytes_of_type(j.where.type) * j.what->moved_arrays /
         static_cast<double>(teff::describe(j.where.dev).cache_bytes);
}

constexpr teff::index_t large = teff::index_t{1} << 40;  // cells: beyond every cache by far

}  // namespace

TEST_CASE("shape budget: shapes shrink to fit, the longest extent first") {
  CHECK(shape_that_fits({8, 8}, 1, 1, 64) == shape{8, 8});
  CHECK(shape_that_fits({8, 8}, 1, 1, 63) == shape{8, 4});
  CHECK(shape_that_fits({8, 8}, 2, 8, 256) == shape{4, 4});
  CHECK(shape_that_fits({512, 512, 512}, 3, 8, 3.0 * 8 * 256 * 256 * 256) == shape{256, 256, 256});
  CHECK(shape_that_fits({5}, 1, 1, 0) == shape{1});
}

TEST_CASE(
    "shape budget: the least shape is one that no cache serves, and half of it one that can") {
  bench_case c;
  for (const int moved : {1, 2, 3, 6})
    for (const shape& n : {shape{large}, shape{1 << 20, 1 << 20}, shape{8, 8, 8}}) {
      CAPTURE(moved);
      CAPTURE(shape_text(n));
      c.moved_arrays = moved;
      job j = job_of(c, n);
      scale_beyond_cache(j);
      CHECK(caches_moved(j) >= times_the_cache);
      CHECK(caches_moved(j) < 2 * times_the_cache);
    }
}

TEST_CASE("shape budget: a part of a shape is as large as asked for, where no cache serves that") {
  const bench_case c;
  job j = job_of(c, {large});
  scale_beyond_cache(j, 0.25);
  CHECK(j.where.shape == shape{large / 4});
  job whole = job_of(c, {large});
  scale_beyond_cache(whole, 1);
  CHECK(whole.where.shape == shape{large});
}

TEST_CASE("shape budget: caches do not matter to what moves next to nothing") {
  bench_case c;
  c.moved_arrays = 0;
  for (const shape& n : {shape{large}, shape{8, 8}}) {
    job j = job_of(c, n);
    scale_beyond_cache(j);
    CHECK(j.where.shape == n);
  }
}

TEST_CASE("shape budget: shapes are smaller by what rungs take too long, and never larger") {
  constexpr double copy_gb_per_s = 10;
  const bench_case c;
  const std::vector<job> jobs{job_of(c, {large}, 3), job_of(c, {large}, 1)};
  const double half = scale_for_budget(jobs, copy_gb_per_s, 100);
  CHECK(half < 1);
  CHECK(scale_for_budget(jobs, copy_gb_per_s, 50) == doctest::Approx(half / 2));
  CHECK(scale_for_budget(jobs, 2 * copy_gb_per_s, 50) == doctest::Approx(half));
  CHECK(scale_for_budget({jobs.data(), 1}, copy_gb_per_s, 75) == doctest::Approx(half));
  CHECK(scale_for_budget(jobs, copy_gb_per_s, 1e12) == 1);
}

// SPDX-License-Identifier: MIT
// The order in which the CPU takes the rows of a statement in 3-D.
#include <doctest/doctest.h>
#include <vector>

#include <teff/array/array.hpp>
#include <teff/expr/row_bands.hpp>
#include <teff/expr/rows_ahead.hpp>

#include "../generator.hpp"

using namespace teff;
using runtime::row_bands;

TEST_CASE("row bands: a tiny order") {
  // Two threads, five rows, four planes; a band of two rows has 64 bytes of 128.
  const row_bands bands(5, 4, {4, 32}, 128, 2);
  REQUIRE(bands.count() == 20);
  const std::vector<index_t> units{0, 1, 0, 1, 2, 3, 2, 3, 4, 4, 0, 1, 0, 1, 2, 3, 2, 3, 4, 4};
  const std::vector<index_t> planes{0, 0, 1, 1, 0, 0, 1, 1, 0, 1, 2, 2, 3, 3, 2, 2, 3, 3, 2, 3};
  for (std::size_t n = 0; n < 20; ++n) {
    CAPTURE(n);
    CHECK(bands[static_cast<index_t>(n)].unit == units[n]);
    CHECK(bands[static_cast<index_t>(n)].plane == planes[n]);
  }
}

TEST_CASE("row bands: plane after plane where they are in cache, or nothing is known of it") {
  const auto goes_by_planes = [](const row_bands& bands) {
    for (index_t n = 0; n < 21; ++n)
      if (bands[n].unit != n % 7 || bands[n].plane != n / 7) return false;
    return true;
  };
  CHECK(goes_by_planes(row_bands(7, 3)));
  CHECK(goes_by_planes(row_bands(7, 3, {1, 0}, 64, 2)));     // reads of one plane
  CHECK(goes_by_planes(row_bands(7, 3, {1, 1000}, 0, 2)));   // no cache is known
  CHECK(goes_by_planes(row_bands(7, 3, {1, 10}, 140, 2)));   // seven rows are half of the cache
  CHECK(goes_by_planes(row_bands(7, 3, {1, 1000}, 64, 2)));  // fewer rows than a band at least
  CHECK(!goes_by_planes(row_bands(7, 3, {4, 1000}, 64, 2)));
  for (index_t n = 0; n < 40; ++n) CHECK(row_bands(40, 1, {1, 1000}, 64, 2)[n].unit == n);
}

TEST_CASE("row bands: every unit of every plane once, and the next plane's follow soon") {
  test::generator random("row bands");
  for (int n = 0; n < test::generator::rounds(300); ++n) {
    random.count();
    const index_t units = random.between(1, 60), planes = random.between(1, 30);
    const index_t rows = random.between(1, 8), bytes = random.between(1, 40);
    const index_t cache = random.between(1, 2000), threads = random.between(1, 40);
    const row_bands bands(units, planes, {rows, bytes}, cache, threads);
    const index_t in_cache = cache / 2 / bytes, least = (8 + rows - 1) / rows;
    const index_t longest = in_cache > least ? in_cache : least;
    std::vector<index_t> when(static_cast<std::size_t>(units * planes), -1);
    int twice = 0;
    for (index_t number = 0; number < bands.count(); ++number) {
      const auto [unit, plane] = bands[number];
      REQUIRE((unit >= 0 && unit < units && plane >= 0 && plane < planes));
      index_t& first = when[static_cast<std::size_t>(plane * units + unit)];
      twice += first >= 0 ? 1 : 0;
      first = number;
    }
    // Where a thread has several planes, a unit comes a band after that of the plane before.
    index_t apart = 0;
    for (index_t plane = 1; plane < planes; ++plane)
      for (index_t unit = 0; unit < units; ++unit) {
        const auto at = static_cast<std::size_t>(plane * units + unit);
        const index_t since = when[at] - when[at - static_cast<std::size_t>(units)];
        apart += since < 1 || since > longest ? 1 : 0;
      }
    CAPTURE(units);
    CAPTURE(planes);
    CAPTURE(longest);
    CHECK(twice == 0);
    const index_t parts = threads < planes ? threads : planes;
    CHECK(apart <= (parts - 1) * units);
  }
}

TEST_CASE("row bands: rows that are fetched ahead tell whether they are of several planes") {
  const array<f64, 3> A(device::cpu(), {16, 12, 10}), B(device::cpu(), {16, 12, 10});
  const auto part = [](const array<f64, 3>& of, index_t x, index_t y, index_t z) {
    return region_of(of(range(x, x + 8), range(y, y + 8), range(z, z + 8)));
  };
  runtime::rows_ahead flat;
  for (const index_t y : {0, 1, 2}) flat.add(part(A, 0, y, 1));
  flat.add(part(A, 2, 1, 1));
  CHECK(!flat.are_of_planes());
  for (const int away : {-1, 1}) {
    runtime::rows_ahead rows = flat;
    rows.add(part(A, 0, 1, 1 + away));
    CHECK(rows.are_of_planes());
  }
  runtime::rows_ahead backwards;
  for (const index_t z : {0, 1}) {
    region read = part(A, 0, 1, z);
    read.stride_bytes[2] = -read.stride_bytes[2];
    backwards.add(read);
  }
  CHECK(backwards.are_of_planes());
  runtime::rows_ahead corner;
  corner.add(part(B, 1, 4, 0));
  corner.add(part(B, 1, 0, 1));
  CHECK(corner.are_of_planes());
  CHECK(!runtime::rows_ahead{}.are_of_planes());
}

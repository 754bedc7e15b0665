// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <vector>

#include <teff/array/region.hpp>

#include "../generator.hpp"

using namespace teff;
using namespace teff::test;

namespace {

/// The first byte of every cell, cell by cell: what a region is, spelt out.
std::vector<std::intptr_t> addresses(const region& r) {
  std::vector<std::intptr_t> all;
  for (index_t k = 0; k < r.count[2]; ++k)
    for (index_t j = 0; j < r.count[1]; ++j)
      for (index_t i = 0; i < r.count[0]; ++i)
        all.push_back(reinterpret_cast<std::intptr_t>(r.first) + i * r.stride_bytes[0] +
                      j * r.stride_bytes[1] + k * r.stride_bytes[2]);
  return all;
}

bool really_overlap(const region& a, const region& b) {
  for (const auto x : addresses(a))
    for (const auto y : addresses(b))
      if (x < y + b.cell_bytes && y < x + a.cell_bytes) return true;
  return false;
}

region at(std::intptr_t first, index_t cell_bytes, std::vector<index_t> count,
          std::vector<index_t> stride) {
  region r;
  r.first = reinterpret_cast<const void*>(first);
  r.cell_bytes = cell_bytes;
  for (std::size_t d = 0; d < count.size(); ++d) {
    r.count[d] = count[d];
    r.stride_bytes[d] = stride[d];
  }
  return r;
}

constexpr std::intptr_t base = 1 << 20;

region random_region(generator& g, index_t cell) {
  region r = at(base + g.between(0, 40) * cell, cell, {}, {});
  const int dims = static_cast<int>(g.between(1, 3));
  index_t below = 1;
  for (int d = 0; d < dims; ++d) {
    r.count[d] = g.chance(5) ? 0 : g.between(1, 4);
    r.stride_bytes[d] = (g.chance(80) ? below + g.between(0, 2) : g.between(0, 9)) * cell;
    below = r.stride_bytes[d] / cell * r.count[d] + 1;
    if (g.chance(20)) r.stride_bytes[d] = -r.stride_bytes[d];
  }
  return r;
}

}  // namespace

TEST_CASE("region: span, cells, bytes") {
  const region r = at(base, 8, {3, 2}, {16, -40});
  CHECK(r.cells() == 6);
  CHECK(r.bytes() == 48);
  CHECK(span_of(r).begin == base - 40);
  CHECK(span_of(r).end == base + 32 + 8);
  CHECK_FALSE(r.is_empty());
  CHECK(at(base, 8, {3, 0}, {8, 24}).is_empty());
}

TEST_CASE("is_same: the same cells in the same order") {
  const region r = at(base, 8, {3, 2}, {8, 24});
  CHECK(is_same(r, r));
  CHECK_FALSE(is_same(r, at(base + 8, 8, {3, 2}, {8, 24})));
  CHECK_FALSE(is_same(r, at(base, 8, {3, 2}, {8, 32})));
  CHECK_FALSE(is_same(r, at(base, 8, {2, 3}, {8, 24})));
  CHECK_FALSE(is_same(r, at(base, 4, {3, 2}, {8, 24})));
  // The stride of a dim of one cell does not matter.
  CHECK(is_same(at(base, 8, {3, 1}, {8, 24}), at(base, 8, {3, 1}, {8, 80})));
}

TEST_CASE("may_overlap: red and black cells, left and right halves, neighbouring rows") {
  CHECK_FALSE(may_overlap(at(base, 8, {5}, {16}), at(base + 8, 8, {5}, {16})));
  CHECK_FALSE(may_overlap(at(base, 8, {4}, {8}), at(base + 32, 8, {4}, {8})));
  CHECK(may_overlap(at(base, 8, {4}, {8}), at(base + 24, 8, {4}, {8})));
  // Left and right half of a 8 x 3 array: the spans mix, the cells do not.
  CHECK_FALSE(may_overlap(at(base, 8, {4, 3}, {8, 64}), at(base + 32, 8, {4, 3}, {8, 64})));
  CHECK(may_overlap(at(base, 8, {5, 3}, {8, 64}), at(base + 32, 8, {4, 3}, {8, 64})));
  CHECK_FALSE(may_overlap(at(base, 8, {0}, {8}), at(base, 8, {4}, {8})));
}

TEST_CASE("may_overlap never misses an overlap (generated)") {
  generator g("may_overlap of any two regions");
  const int rounds = generator::rounds(20000);
  int refused_apart = 0;
  for (int round = 0; round < rounds; ++round) {
    const region a = random_region(g, g.chance(50) ? 8 : 4),
                 b = random_region(g, g.chance(50) ? 8 : 4);
    const bool overlap = really_overlap(a, b), said = may_overlap(a, b);
    if (overlap && !said) FAIL_CHECK("case " << round << ": an overlap was missed");
    if (said != may_overlap(b, a)) FAIL_CHECK("case " << round << ": not symmetric");
    refused_apart += said && !overlap ? 1 : 0;
    g.count();
  }
  CHECK(refused_apart < rounds / 2);
  MESSAGE(refused_apart << " of " << rounds << " pairs were taken for overlapping and are not");
}

TEST_CASE("may_overlap is exact for parts of one array with equal strides (generated)") {
  generator g("may_overlap of two parts of one array");
  int apart = 0, together = 0;
  for (int round = 0; round < generator::rounds(20000); ++round) {
    const index_t nx = g.between(1, 9), ny = g.between(1, 7), cell = 8;
    const index_t step_x = g.between(1, 3), step_y = g.between(1, 2);
    const auto part = [&] {
      const index_t x0 = g.between(0, nx - 1), y0 = g.between(0, ny - 1);
      const index_t most_x = (nx - 1 - x0) / step_x + 1, most_y = (ny - 1 - y0) / step_y + 1;
      return at(base + (x0 + y0 * nx) * cell, cell, {g.between(1, most_x), g.between(1, most_y)},
                {step_x * cell, step_y * nx * cell});
    };
    const region a = part(), b = part();
    // One row or column of cells has no stride across: then the strides are not comparable.
    if ((a.count[0] == 1) != (b.count[0] == 1) || (a.count[1] == 1) != (b.count[1] == 1)) continue;
    const bool overlap = really_overlap(a, b);
    if (may_overlap(a, b) != overlap)
      FAIL_CHECK("case " << round << ": overlap is " << overlap << ", may_overlap said otherwise");
    ++(overlap ? together : apart);
    g.count();
  }
  CHECK(apart > 100);
  CHECK(together > 100);
}

TEST_CASE("is_nested: rows that run into each other, and one cell seen many times, are not") {
  CHECK(is_nested(at(base, 8, {10, 10}, {8, 80})));
  CHECK(is_nested(at(base, 8, {10, 10}, {-80, 8})));
  CHECK(is_nested(at(base, 8, {10, 1}, {8, 0})));
  CHECK(is_nested(at(base, 8, {10, 0}, {8, 0})));
  CHECK_FALSE(is_nested(at(base, 8, {10, 10}, {8, 24})));
  CHECK_FALSE(is_nested(at(base, 8, {10, 10}, {8, 0})));
  CHECK_FALSE(is_nested(at(base, 8, {10}, {4})));
}

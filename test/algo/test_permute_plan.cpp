// SPDX-License-Identifier: MIT
#include <algorithm>
#include <set>
#include <tuple>

#include <teff/algo/transpose/plan.hpp>

#include "../generator.hpp"
#include "../message.hpp"

using namespace teff;
using namespace teff::runtime;
using namespace teff::test;

namespace {

strided_copy copy_of_dims(std::initializer_list<transpose_plan::dim> dims) {
  strided_copy copy;
  int d = 0;
  for (const auto& one : dims) {
    copy.n[d] = one.n;
    copy.target[d] = one.target;
    copy.source[d] = one.source;
    ++d;
  }
  return copy;
}

bool is_dim(const transpose_plan::dim& d, index_t n, index_t target, index_t source) {
  return d.n == n && d.target == target && d.source == source;
}

/// The pairs of offsets that a plan copies.
std::set<std::pair<index_t, index_t>> moves_of(const transpose_plan& p) {
  std::set<std::pair<index_t, index_t>> moves;
  for (index_t k = 0; k < p.z.n; ++k)
    for (index_t j = 0; j < p.y.n; ++j)
      for (index_t i = 0; i < p.x.n; ++i)
        moves.insert({p.target_offset + i * p.x.target + j * p.y.target + k * p.z.target,
                      p.source_offset + i * p.x.source + j * p.y.source + k * p.z.source});
  return moves;
}

}  // namespace

TEST_CASE("transpose plan: a plane, contiguous") {
  const auto p = plan_transpose(copy_of_dims({{1000, 1, 700}, {700, 1000, 1}}));
  CHECK(p.way == transpose_way::tiles);
  CHECK(is_dim(p.x, 1000, 1, 700));
  CHECK(is_dim(p.y, 700, 1000, 1));
  CHECK(p.z.n == 1);
}

TEST_CASE("transpose plan: dims that continue one another are one") {
  // B(i, j, k) = A(k, i, j): dims 0 and 1 of B are dims 1 and 2 of A, contiguous.
  const auto p = plan_transpose(copy_of_dims({{20, 1, 300}, {30, 20, 6000}, {300, 600, 1}}));
  CHECK(p.way == transpose_way::tiles);
  CHECK(is_dim(p.x, 600, 1, 300));
  CHECK(is_dim(p.y, 300, 600, 1));
  CHECK(p.z.n == 1);
  // With a gap between the planes of B they do not.
  const auto gap = plan_transpose(copy_of_dims({{200, 1, 300}, {30, 201, 60000}, {300, 6030, 1}}));
  CHECK(is_dim(gap.x, 200, 1, 300));
  CHECK(is_dim(gap.y, 300, 6030, 1));
  CHECK(is_dim(gap.z, 30, 201, 60000));
}

TEST_CASE("transpose plan: what a statement copies as well") {
  const auto way = [](std::initializer_list<transpose_plan::dim> dims) {
    return plan_transpose(copy_of_dims(dims)).way;
  };
  CHECK(way({{100, 1, 1}, {100, 100, 100}}) == transpose_way::plain);
  CHECK(way({{100, 1, 1}, {100, 100, 7000}, {70, 10000, 100}}) ==
        transpose_way::plain);  // {0, 2, 1}
  CHECK(way({{100, 1, 5}}) == transpose_way::plain);
  CHECK(way({{1, 1, 700}, {700, 1, 1}}) == transpose_way::plain);  // one row
  CHECK(way({{100, 1, 0}, {100, 100, 1}}) ==
        transpose_way::plain);  // each source cell for a whole row
  CHECK(way({{100, 1, 3}, {100, 100, 0}}) == transpose_way::plain);
  CHECK(way({{0, 1, 100}, {100, 0, 1}}) == transpose_way::nothing);
  CHECK(way({{100, 1, 0}, {100, 100, 7}, {90, 10000, 1}}) == transpose_way::plain);
}

TEST_CASE("transpose plan: a target that runs backwards is counted from its other end") {
  const auto p = plan_transpose(copy_of_dims({{100, -1, 200}, {200, 100, 1}}));
  CHECK(is_dim(p.x, 100, 1, -200));
  CHECK(p.target_offset == -99);
  CHECK(p.source_offset == 99 * 200);
}

TEST_CASE("transpose plan: boxes where a dim is short") {
  const auto soa = plan_transpose(copy_of_dims({{100000, 1, 3}, {3, 100000, 1}}));
  CHECK(soa.way == transpose_way::boxes);
  CHECK(soa.box[1] == 3);
  CHECK(soa.box[0] == 1344);
  const auto aos = plan_transpose(copy_of_dims({{3, 1, 100000}, {100000, 3, 1}}));
  CHECK(aos.box[0] == 3);
  CHECK(aos.box[1] == 1344);
  // All dims reversed, {3, n, 5}: a piece of the middle dim makes both sides long.
  const auto both = plan_transpose(copy_of_dims({{5, 1, 3000}, {1000, 5, 3}, {3, 5000, 1}}));
  CHECK(both.box[0] == 5);
  CHECK(both.box[1] == 3);
  CHECK(both.box[2] == 273);
}

TEST_CASE("transpose plan: generated copies keep their cells, boxes fit") {
  generator g("permutation plans");
  for (int round = 0; round < generator::rounds(4000); ++round) {
    strided_copy copy;
    index_t order[2][3] = {{0, 1, 2}, {0, 1, 2}};
    for (auto& o : order)
      for (int d = 2; d > 0; --d) std::swap(o[d], o[g.between(0, d)]);
    const bool is_large = g.chance(30);
    for (index_t& n : copy.n) n = g.chance(20) ? 1 : g.between(2, is_large ? 5000 : 9);
    const auto lay_out = [&](index_t(&stride)[3], const index_t(&of)[3], bool zeros) {
      index_t next = g.chance(70) ? 1 : 2;
      for (const index_t d : of) {
        stride[d] = zeros && g.chance(30) ? 0 : next;
        next = next * copy.n[d] + (g.chance(60) ? 0 : g.between(1, 4));
        if (g.chance(15)) stride[d] = -stride[d];
      }
    };
    lay_out(copy.target, order[0], false);
    lay_out(copy.source, order[1], g.chance(10));
    const transpose_plan p = plan_transpose(copy);
    const bool tiled = p.way == transpose_way::tiles || p.way == transpose_way::boxes;
    if (tiled) {
      CHECK(p.x.target > 0);
      CHECK(p.y.source != 0);
      CHECK(std::abs(p.y.source) < std::abs(p.x.source));
      CHECK(p.x.target < p.y.target);
      CHECK(p.x.n * p.y.n * p.z.n == copy.n[0] * copy.n[1] * copy.n[2]);
    }
    if (p.way == transpose_way::boxes) {
      CHECK(p.box[0] * p.box[1] * p.box[2] <= transpose_plan::most_box_cells);
      CHECK(std::min({p.box[0], p.box[1], p.box[2]}) >= 1);
      CHECK((p.box[0] <= p.x.n && p.box[1] <= p.y.n && p.box[2] <= p.z.n));
      // Half of the box or more is filled, or the box is the whole.
      if (p.x.n * p.y.n * p.z.n >= 8192)
        CHECK(p.box[0] * p.box[1] * p.box[2] >= transpose_plan::most_box_cells / 4);
    }
    if (tiled && !is_large) {
      std::set<std::pair<index_t, index_t>> expected;
      for (index_t k = 0; k < copy.n[2]; ++k)
        for (index_t j = 0; j < copy.n[1]; ++j)
          for (index_t i = 0; i < copy.n[0]; ++i)
            expected.insert({i * copy.target[0] + j * copy.target[1] + k * copy.target[2],
                             i * copy.source[0] + j * copy.source[1] + k * copy.source[2]});
      CHECK(moves_of(p) == expected);
    }
    g.count();
  }
}

TEST_CASE("transpose plan: alignment of rows") {
  alignas(64) static double cells[8];
  auto p = plan_transpose(copy_of_dims({{100, 1, 200}, {200, 100, 1}}));
  CHECK(p.source_is_aligned(cells, 8, 16));
  CHECK(p.target_is_aligned(cells, 8, 16));
  CHECK(!p.source_is_aligned(cells + 1, 8, 16));
  CHECK(!p.target_is_aligned(cells + 1, 8, 16));
  p = plan_transpose(copy_of_dims({{100, 1, 201}, {201, 100, 1}}));
  CHECK(!p.source_is_aligned(cells, 8, 16));
  CHECK(p.target_is_aligned(cells, 8, 16));
  p = plan_transpose(copy_of_dims({{100, 2, 200}, {200, 200, 1}}));
  CHECK(!p.target_is_aligned(cells, 8, 16));
}

TEST_CASE("divisors: every quotient and rest") {
  for (const std::uint32_t d :
       {1u, 2u, 3u, 7u, 31u, 32u, 33u, 641u, 65535u, 65536u, 1000003u, 2147483647u}) {
    const fast_divisor by(d);
    for (const std::uint32_t n :
         {0u, 1u, d - 1, d, d + 1, 2 * d - 1, 99999u, 123456789u, 2147483646u, 2147483647u}) {
      if (n > 2147483647u) continue;
      std::uint32_t quotient = n;
      CHECK(by.split(quotient) == n % d);
      CHECK(quotient == n / d);
    }
  }
  for (int d = 1; d <= transpose_plan::most_box_cells; d += d < 70 ? 1 : 97) {
    const small_divisor by(d);
    int wrong = 0;
    for (int n = 0; n < 2 * transpose_plan::most_box_cells; ++n) {
      int quotient = n;
      const int rest = by.split(quotient);
      wrong += quotient != n / d || rest != n % d;
    }
    CHECK(wrong == 0);
  }
  generator g("divisions");
  for (int round = 0; round < generator::rounds(20000); ++round) {
    const auto d = static_cast<std::uint32_t>(g.between(1, g.chance(50) ? 3000 : 2147483647));
    auto n = static_cast<std::uint32_t>(g.between(0, 2147483647));
    const std::uint32_t expected = n / d, rest = n % d;
    if (fast_divisor(d).split(n) != rest || n != expected) FAIL_CHECK("division by " << d);
    g.count();
  }
}

TEST_CASE("tile order: every tile once, the neighbours of a tile near it") {
  for (const auto& [nx, ny, nz] :
       {std::tuple{1, 1, 1}, {5, 7, 2}, {3, 33, 1}, {40, 129, 3}, {1, 1000, 1}}) {
    const tile_order order(nx, ny, nz);
    std::set<std::tuple<index_t, index_t, index_t>> seen;
    for (index_t n = 0; n < order.tiles; ++n) {
      const auto t = order.at(static_cast<std::uint32_t>(n));
      if (t.y < ny) CHECK(seen.insert({t.x, t.y, t.z}).second);
      CHECK(t.x < nx);
      CHECK(t.z < nz);
    }
    CHECK(static_cast<index_t>(seen.size()) == index_t{nx} * ny * nz);
    CHECK(order.tiles <= index_t{nx} * nz * (ny + ceil_div(ny, tile_order::widest_band)));
  }
  CHECK(contains(message_of([] { (void)tile_order(1 << 20, 1 << 20, 1); }),
                 "1048576 x 1048576 x 1 tiles"));
}

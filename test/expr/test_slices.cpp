// SPDX-License-Identifier: MIT
#include <cmath>

#include <teff/algo/fill.hpp>
#include <teff/expr/fd2.hpp>

#include "../layout.hpp"
#include "../message.hpp"

using namespace teff;
using namespace teff::test;
using namespace teff::fd2;

namespace {

struct random_slice {
  index_t start, step, count;

  random_slice(generator& g, index_t extent) : start(0), step(g.between(1, 3)), count(0) {
    if (extent == 0) return;
    start = g.between(0, extent - 1);
    count = g.between(0, (extent - 1 - start) / step + 1);
  }
  teff::range as_range() const {
    return {start, count == 0 ? start : start + (count - 1) * step + 1, step};
  }
  index_t at(index_t m) const { return start + m * step; }
};

}  // namespace

TEST_CASE("slices of expressions on both sides (generated)") {
  generator g("slices of expressions");
  for (const device dev : test_devices())
    for (int round = 0; round < generator::rounds(dev.is_cpu() ? 1500 : 300); ++round) {
      const extents<2> n = random_extents<2>(g);
      const auto A = random_placed<f64, 2>(g, dev, n, role::source);
      const auto B = random_placed<f64, 2>(g, dev, n, role::source);
      const random_slice x(g, n[0]), y(g, n[1]);
      const auto to = random_placed<f64, 2>(g, dev, {x.count, y.count}, role::target);
      to.cells = (A.cells * B.cells + ix)(x.as_range(), y.as_range());
      std::vector<f64> expected = to.host;
      to.where.each([&](index_t i, index_t j, index_t) {
        const index_t p = x.at(i), q = y.at(j);
        // ix counts from 0 in the expression that is sliced.
        expected[to.where.at(i, j, 0)] = std::fma(A.at(p, q), B.at(p, q), static_cast<f64>(p));
      });
      const std::string bad = to.differs(expected);
      if (!bad.empty()) FAIL_CHECK("round " << round << " of " << extents_text(n) << ": " << bad);
      g.count();
    }
}

TEST_CASE("slices of operators, operators of slices, slices of slices (generated)") {
  generator g("slices and operators");
  for (const device dev : test_devices())
    for (int round = 0; round < generator::rounds(dev.is_cpu() ? 700 : 150); ++round) {
      extents<2> n = random_extents<2>(g);
      n[0] += 3;
      n[1] += 3;
      const auto A = random_placed<f64, 2>(g, dev, n, role::source);
      const random_slice x(g, n[0] - 1), y(g, n[1]);
      const auto one = random_placed<f64, 2>(g, dev, {x.count, y.count}, role::target);
      one.cells = d_xa(A.cells)(x.as_range(), y.as_range());
      std::vector<f64> expected = one.host;
      one.where.each([&](index_t i, index_t j, index_t) {
        expected[one.where.at(i, j, 0)] = A.at(x.at(i) + 1, y.at(j)) - A.at(x.at(i), y.at(j));
      });
      CHECK(one.differs(expected) == "");

      const auto two =
          random_placed<f64, 2>(g, dev, {x.count, std::max<index_t>(y.count - 1, 0)}, role::target);
      if (y.count > 0) {
        two.cells = d_ya((2 * A.cells)(x.as_range(), y.as_range()));
        expected = two.host;
        two.where.each([&](index_t i, index_t j, index_t) {
          expected[two.where.at(i, j, 0)] =
              2 * A.at(x.at(i), y.at(j + 1)) - 2 * A.at(x.at(i), y.at(j));
        });
        CHECK(two.differs(expected) == "");
      }

      const random_slice u(g, x.count), v(g, y.count);
      const auto three = random_placed<f64, 2>(g, dev, {u.count, v.count}, role::target);
      three.cells = (-A.cells)(x.as_range(), y.as_range())(u.as_range(), v.as_range());
      expected = three.host;
      three.where.each([&](index_t i, index_t j, index_t) {
        expected[three.where.at(i, j, 0)] = -A.at(x.at(u.at(i)), y.at(v.at(j)));
      });
      CHECK(three.differs(expected) == "");
      g.count();
    }
}

TEST_CASE("ix counts in the statement's own extents") {
  for (const device dev : test_devices()) {
    array<i32, 2> A = zeros<i32>(dev, {4, 3});
    A(range(1, 4), range(1, 3)) = ix + 10 * iy;
    CHECK(to_host(A) == std::vector<i32>{0, 0, 0, 0, 0, 0, 1, 2, 0, 10, 11, 12});
    array<i32, 3> B(dev, {2, 1, 3});
    B = ix + 10 * iy + 100 * iz;
    CHECK(to_host(B) == std::vector<i32>{0, 1, 100, 101, 200, 201});
    array<f64, 2> C(dev, {2, 2});
    C = sq(ix * 0.5 - 1) + iy;
    CHECK(to_host(C) == std::vector<f64>{1, 0.25, 2, 1.25});
  }
}

TEST_CASE("along: vectors stretched along a dim, of any stride (generated)") {
  generator g("along");
  for (const device dev : test_devices())
    for (int round = 0; round < generator::rounds(dev.is_cpu() ? 500 : 100); ++round) {
      extents<2> n = random_extents<2>(g);
      const auto row = random_placed<f64, 1>(g, dev, {n[0]}, role::source);
      const auto column = random_placed<f32, 1>(g, dev, {n[1]}, role::source);
      const auto to = random_placed<f64, 2>(g, dev, n, role::target);
      to.cells = along<0>(row.cells) + 2.0 * along<1>(column.cells);
      std::vector<f64> expected = to.host;
      to.where.each([&](index_t i, index_t j, index_t) {
        expected[to.where.at(i, j, 0)] = row.at(i) + static_cast<f64>(2.0f * column.at(j));
      });
      CHECK(to.differs(expected) == "");

      n[0] += 1;
      const auto A = random_placed<f64, 2>(g, dev, n, role::source);
      const auto longer = random_placed<f64, 1>(g, dev, {n[0]}, role::source);
      to.cells = d_xa(A.cells * along<0>(longer.cells));
      to.where.each([&](index_t i, index_t j, index_t) {
        expected[to.where.at(i, j, 0)] =
            A.at(i + 1, j) * longer.at(i + 1) - A.at(i, j) * longer.at(i);
      });
      CHECK(to.differs(expected) == "");
      g.count();
    }
}

TEST_CASE("slices and stretched vectors: what does not fit is refused, with both sides") {
  for (const device dev : test_devices()) {
    array<f64, 2> A(dev, {10, 8}, "A"), B(dev, {10, 8}, "B");
    array<f64, 1> row(dev, {9}, "row");
    CHECK(message_of([&] { A = along<0>(row) + B; }) ==
          "extents do not match: along<0>(row) is 9, B is 10x8; all operands of a statement must "
          "have "
          "the same extents");
    CHECK(contains(message_of([&] { A = along<1>(row); }), "along<1>(row) is "));
    CHECK(
        message_of([&] { A = (A * B)(range(0, 11), whole); }) ==
        "slice out of range: A * B has 10 cells along dim 0, asked for range(0, 11); expected 0 <= "
        "start <= stop <= 10 and a step of at least 1");
    CHECK(
        contains(message_of([&] { A = (A * B)(range(0, 9), whole); }), "slice of (A * B) is 9x8"));
    CHECK(contains(message_of([&] { A = d_xa(B); }), "neighbours of B is 9x8"));
  }
}

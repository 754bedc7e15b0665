// SPDX-License-Identifier: MIT
#include "../layout.hpp"

using namespace teff;
using namespace teff::test;

namespace {

struct scaled_difference {
  f64 factor;
  TEFF_FN f64 operator()(f64 a, f64 b) const { return factor * (a - b); }
};

/// Steps of Collatz's rule down to 1: a loop in every cell.
struct collatz_steps {
  TEFF_FN i32 operator()(index_t i, index_t j) const {
    i32 steps = 0;
    for (index_t n = 1 + i + 31 * j; n > 1; ++steps) n = n % 2 == 0 ? n / 2 : 3 * n + 1;
    return steps;
  }
};

}  // namespace

TEST_CASE("map: function objects over arrays of any layouts (generated)") {
  generator g("map");
  for (const device dev : test_devices())
    for (int round = 0; round < generator::rounds(dev.is_cpu() ? 500 : 100); ++round) {
      const extents<2> n = random_extents<2>(g);
      const auto A = random_placed<f64, 2>(g, dev, n, role::source);
      const auto B = random_placed<f32, 2>(g, dev, n, role::source);
      const auto to = random_placed<f64, 2>(g, dev, n, role::target);
      to.cells = map(scaled_difference{3}, A.cells, B.cells);
      std::vector<f64> expected = to.host;
      to.where.each([&](index_t i, index_t j, index_t) {
        expected[to.where.at(i, j, 0)] = 3 * (A.at(i, j) - static_cast<f64>(B.at(i, j)));
      });
      const std::string bad = to.differs(expected);
      if (!bad.empty()) FAIL_CHECK("round " << round << " of " << extents_text(n) << ": " << bad);
      g.count();
    }
}

TEST_CASE("map: of indices alone, with a loop in the function") {
  for (const device dev : test_devices()) {
    array<i32, 2> steps(dev, {31, 31});
    steps = map(collatz_steps{}, ix, iy);
    const auto h = to_host(steps);
    for (index_t j = 0; j < 31; ++j)
      for (index_t i = 0; i < 31; ++i)
        CHECK(h[static_cast<std::size_t>(i + 31 * j)] == collatz_steps{}(i, j));
    CHECK(h[26] == 111);  // 27 takes 111 steps
  }
}

TEST_CASE("map: a lambda marked TEFF_FN, with captures") {
  for (const device dev : test_devices()) {
    array<f64, 1> A(dev, {5});
    A = 1.0 * ix;
    const f64 shift = 0.5;
    A = map([=] TEFF_FN(f64 a, index_t i) { return a * a + shift + 100.0 * static_cast<f64>(i); },
            A, ix);
    CHECK(to_host(A) == std::vector<f64>{0.5, 101.5, 204.5, 309.5, 416.5});
  }
}

// SPDX-License-Identifier: MIT
#include <cmath>

#include "statement_oracle.hpp"

using namespace teff;
using namespace teff::test;

namespace {

/// Copies, sums, fused products and indices, whatever the layouts of the three arrays.
template <class T>
void check_layouts(generator& g, device dev, int rounds) {
  check_statement<T, 2>(
      g, dev, "A = B", rounds, [](const auto& a, const auto& b, const auto&) { a = b; },
      [](T b, T, index_t, index_t, index_t) { return b; });
  check_statement<T, 2>(
      g, dev, "A = B + 3 * C", rounds,
      [](const auto& a, const auto& b, const auto& c) { a = b + 3 * c; },
      [](T b, T c, index_t, index_t, index_t) { return static_cast<T>(std::fma(T(3), c, b)); });
  check_statement<T, 2>(
      g, dev, "A = B * (C - ix - 10 * iy - 100 * iz)", rounds,
      [](const auto& a, const auto& b, const auto& c) { a = b * (c - (ix + 10 * iy + 100 * iz)); },
      [](T b, T c, index_t i, index_t j, index_t k) {
        return static_cast<T>(b * (c - static_cast<T>(i + 10 * j + 100 * k)));
      });
}

}  // namespace

TEST_CASE("statements of 2 dims over any layouts (generated)") {
  generator g("statements of 2 dims");
  for (const device dev : test_devices()) {
    const int rounds = dev.is_cpu() ? 700 : 150;
    check_layouts<f64>(g, dev, rounds);
    check_layouts<f32>(g, dev, rounds);
    check_statement<i32, 2>(
        g, dev, "A = 2 * B - C", rounds,
        [](const auto& a, const auto& b, const auto& c) { a = 2 * b - c; },
        [](i32 b, i32 c, index_t, index_t, index_t) { return 2 * b - c; });
    check_statement<u8, 2>(
        g, dev, "A = maximum(B, C)", rounds,
        [](const auto& a, const auto& b, const auto& c) { a = maximum(b, c); },
        [](u8 b, u8 c, index_t, index_t, index_t) { return b > c ? b : c; });
  }
}

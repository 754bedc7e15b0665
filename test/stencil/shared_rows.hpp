// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <doctest/doctest.h>

#include <teff/array/host_copy.hpp>
#include <teff/stencil/iterate.hpp>

#include "../compare.hpp"

namespace teff::inline TEFF_MODE::test {

/// Costly enough for rows of its own.
template <class A, class B>
auto costly(const A& a, const B& b) {
  return exp(-0.1 * a) * sqrt(2.0 + b) / (3.0 + sq(a));
}
inline double costly_value(double a, double b) {
  return std::exp(-0.1 * a) * std::sqrt(2.0 + b) / (3.0 + a * a);
}

/// The same bits by single steps and by passes of any depth, for a formula of two fields.
template <class V, int N, class Step>
void check_steps(const Step& step, const extents<N>& n) {
  const auto after = [&](const iterate_options& options) {
    array<V, N> u(device::cpu(), n, "u"), k(device::cpu(), n, "k");
    u = convert<V>(1.0 + 0.5 * sin(0.1 * ix + 0.7 * iy + 0.3 * iz));
    k = convert<V>(0.5 + 0.25 * cos(0.2 * ix - 0.1 * iy + 0.9 * iz));
    iterate(step, options, u, k);
    return to_host(u);
  };
  const auto single = after({.steps = 7, .schedule = schedule::stepwise});
  CHECK(difference(after({.steps = 7, .schedule = schedule::fused}), single) == "");
  for (const int depth : {2, 3, 5})
    CHECK(difference(after({.steps = 7, .schedule = schedule::temporal, .depth = depth}), single) ==
          "");
}

}  // namespace teff::inline TEFF_MODE::test

// SPDX-License-Identifier: MIT
#include <cmath>
#include <concepts>
#include <doctest/doctest.h>
#include <limits>
#include <type_traits>

#include <teff/algo/fill.hpp>
#include <teff/algo/reduce.hpp>
#include <teff/array/host_copy.hpp>
#include <teff/base/stream.hpp>

#include "../devices.hpp"
#include "../message.hpp"

using namespace teff;
using namespace teff::test;

TEST_CASE("arithmetic of device scalars has the bits of that of numbers, operation by operation") {
  for (const device dev : test_devices()) {
    array<f64, 1> A(dev, {3});
    A = from_host(std::vector<f64>{0.1, -0.7, 0.3});
    const auto s = max_abs(A), t = sum(A);
    const f64 a = s, b = t;
    CHECK(f64(0.4 / s) == 0.4 / a);
    CHECK(f64(s * 3) == a * 3);
    CHECK(f64(1 - s) == 1 - a);
    CHECK(f64(t - 0.1) == b - 0.1);
    CHECK(f64(s + t) == a + b);
    CHECK(f64(s / t) == a / b);
    const volatile f64 product = a * b;  // rounded: nothing fuses
    CHECK(f64(s * t + 0.1) == product + 0.1);
    CHECK(f64(-t) == -b);
    CHECK(f64(abs(t)) == std::fabs(b));
    CHECK(f64(sqrt(s)) == std::sqrt(a));
    CHECK(f64(sq(t)) == b * b);
    CHECK(f64(minimum(s, 0.5)) == 0.5);
    CHECK(f64(maximum(0.5, s)) == a);
    CHECK(f64(minimum(s, t)) == b);
    const volatile f64 half = 0.4 * 0.25;
    CHECK(f64(minimum(0.4 * 0.25 / s, 1 / abs(t))) == std::fmin(half / a, 1 / std::fabs(b)));
  }
}

TEST_CASE("types of device scalars meet as those of expressions do") {
  for (const device dev : test_devices()) {
    const auto single = full(dev, {3}, 0.5f);
    const auto whole = full(dev, {3}, i32{7});
    const auto s = max(single);
    static_assert(std::same_as<decltype(0.1 * s), scalar<f32>>);
    static_assert(std::same_as<decltype(s + max(full(dev, {1}, 1.0))), scalar<f64>>);
    static_assert(std::same_as<decltype(max(whole) / 2), scalar<i32>>);
    static_assert(std::same_as<decltype(max(whole) / 2.0), scalar<f64>>);
    CHECK(f32(0.1 * s) == 0.1f * 0.5f);
    CHECK(i32(max(whole) / 2) == 3);
    CHECK(f64(max(whole) / 2.0) == 3.5);
    CHECK(std::isnan(f64(minimum(0 / (1.0 * max(whole) * 0), 1.0))));
  }
}

TEST_CASE("a device scalar that was computed stands in expressions; only a number waits for it") {
  for (const device dev : test_devices()) {
    const auto A = full(dev, {5, 4}, 2.0);
    array<f64, 2> B(dev, {5, 4});
    const auto before = runtime::host_waits();
    const auto alpha = 3 * sum(A) / sum(sq(A));
    B = A + alpha * A;
    const auto last = sqrt(maximum(max_abs(B), 25));
    CHECK(runtime::host_waits() == before);
    CHECK(f64(last) == 5);
    CHECK(runtime::host_waits() == before + 1);
    CHECK(f64(max(B)) == 2 + 1.5 * 2);
  }
}

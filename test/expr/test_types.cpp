// SPDX-License-Identifier: MIT
#include <type_traits>

#include <teff/algo/fill.hpp>
#include <teff/algo/reduce.hpp>

#include "../layout.hpp"
#include "../message.hpp"

using namespace teff;
using namespace teff::test;

namespace {
template <class E>
using value_of = typename std::remove_cvref_t<E>::value_type;
}

TEST_CASE("types: a plain number takes the type of what it stands beside") {
  const device cpu = device::cpu();
  const auto single = zeros<f32>(cpu, {3});
  const auto twice = zeros<f64>(cpu, {3});
  const auto whole_numbers = zeros<i32>(cpu, {3});
  const auto wide = zeros<i64>(cpu, {3});
  const auto small = zeros<u8>(cpu, {3});
  static_assert(std::is_same_v<value_of<decltype(0.3 * single)>, f32>);
  static_assert(std::is_same_v<value_of<decltype(single / 3)>, f32>);
  static_assert(std::is_same_v<value_of<decltype(2 * twice)>, f64>);
  static_assert(std::is_same_v<value_of<decltype(single * twice)>, f64>);
  static_assert(std::is_same_v<value_of<decltype(2 * whole_numbers)>, i32>);
  static_assert(std::is_same_v<value_of<decltype(0.5 * whole_numbers)>, f64>);
  static_assert(std::is_same_v<value_of<decltype(whole_numbers * wide)>, i64>);
  static_assert(std::is_same_v<value_of<decltype(small + small)>, int>);
  static_assert(std::is_same_v<value_of<decltype(small + 1)>, int>);
  static_assert(std::is_same_v<value_of<decltype(ix * 2)>, index_t>);
  static_assert(std::is_same_v<value_of<decltype(ix * 0.5)>, f64>);
  static_assert(std::is_same_v<value_of<decltype(single < 0.5)>, bool>);
  static_assert(std::is_same_v<value_of<decltype(minimum(single, 0.1))>, f32>);
  static_assert(std::is_same_v<value_of<decltype(where(single < 1, single, 0.0))>, f32>);
  static_assert(std::is_same_v<value_of<decltype(param(0.1) * single)>, f32>);
  static_assert(std::is_same_v<value_of<decltype(sqrt(single))>, f32>);
  static_assert(std::is_same_v<value_of<decltype(sqrt(whole_numbers))>, f64>);
  CHECK(true);
}

TEST_CASE("types: 0.3 * (f32 array) is computed in f32") {
  for (const device dev : test_devices()) {
    const auto A = full(dev, {2}, 1.1f);
    array<f64, 1> B(dev, {2});
    B = 0.3 * A;
    CHECK(to_host(B)[0] == static_cast<f64>(0.3f * 1.1f));
    CHECK(to_host(B)[0] != 0.3 * 1.1f);
  }
}

TEST_CASE("types: conversions when a statement stores") {
  for (const device dev : test_devices()) {
    array<f64, 1> A(dev, {3});
    A = from_host(std::vector<f64>{1.75, -1.75, 2.5});
    array<i32, 1> I(dev, {3});
    I = A;
    CHECK(to_host(I) == std::vector<i32>{1, -1, 2});
    array<u8, 1> U(dev, {3});
    U = 100 * I + 200;
    CHECK(to_host(U) == std::vector<u8>{44, 100, 144});
    array<f32, 1> F(dev, {3});
    F = I / 2;
    CHECK(to_host(F) == std::vector<f32>{0, 0, 1});
    F = I / 2.0;
    CHECK(to_host(F) == std::vector<f32>{0.5f, -0.5f, 1});
  }
}

TEST_CASE("numbers: a statement of one number, parameters, device scalars") {
  for (const device dev : test_devices()) {
    array<f64, 2> A(dev, {3, 2}, "A");
    A = 2;
    CHECK(to_host(A) == std::vector<f64>(6, 2.0));
    const auto p = param(0.5);
    const auto lazy = A * p;
    A = lazy;
    CHECK(to_host(A)[5] == 1.0);
    p = 4.0;
    A = A * p;
    CHECK(to_host(A)[5] == 4.0);

    const auto total = sum(A);
    array<f64, 2> B(dev, {3, 2});
    B = A / total;  // read where it is, on the device
    CHECK(to_host(B)[0] == 4.0 / 24.0);
    B = where(A < total, total - A, 0);
    CHECK(to_host(B)[1] == 20.0);
    B = total;
    CHECK(to_host(B)[3] == 24.0);
    const f64 on_host = total;
    CHECK(on_host == 24.0);
  }
}

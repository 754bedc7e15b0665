// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <utility>
#include <vector>

#include <teff/algo/fill.hpp>
#include <teff/algo/reduce.hpp>
#include <teff/array/host_copy.hpp>
#include <teff/expr/statement.hpp>

#include "../devices.hpp"
#include "../message.hpp"

using namespace teff;
using namespace teff::test;

TEST_CASE("array: copies own their cells, assignment writes and never rebinds") {
  for (const device dev : test_devices()) {
    array<f64, 1> a(dev, {3}, "a");
    a = from_host(std::vector<f64>{1, 2, 3});
    const f64* memory = a.data();
    array<f64, 1> b = a;
    CHECK(b.data() != a.data());
    CHECK(b.label() == "a");
    b(0) = 9.0;
    CHECK(to_host(a) == std::vector<f64>{1, 2, 3});

    array_ref<f64, 1> alias = a;  // shares
    a = b;
    CHECK(a.data() == memory);
    CHECK(to_host(a) == std::vector<f64>{9, 2, 3});
    CHECK(to_host(alias) == std::vector<f64>{9, 2, 3});
    alias = b + b;  // writes a's cells
    CHECK(alias.data() == memory);
    CHECK(to_host(a) == std::vector<f64>{18, 4, 6});

    const array<f64, 1> moved = std::move(b);
    CHECK(to_host(moved) == std::vector<f64>{9, 2, 3});
  }
}

TEST_CASE("array: an array_ref keeps the memory alive") {
  for (const device dev : test_devices()) {
    const auto middle = [&] {
      array<i64, 2> a(dev, {4, 3});
      a = from_host(std::vector<i64>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
      return a(range(1, 3), 1);
    }();
    CHECK(to_host(middle) == std::vector<i64>{5, 6});
    const auto lazy = [&] {
      const array<f64, 1> a = full(dev, {4}, 2.5);
      return a * 2.0;
    }();
    array<f64, 1> result(dev, {4});
    result = lazy;
    CHECK(to_host(result) == std::vector<f64>{5, 5, 5, 5});
  }
}

TEST_CASE("array: extents of an assignment must match") {
  for (const device dev : test_devices()) {
    array<f64, 2> a(dev, {3, 4}, "left"), b(dev, {3, 5}, "right");
    CHECK(message_of([&] { a = b; }) ==
          "extents do not match: left is 3x4, right is 3x5; all operands of a statement must have "
          "the same extents; right has one cell more along y: write av_ya(right) or d_ya(right)?");
    CHECK(message_of([&] { a = from_host(std::vector<f64>(11)); }) ==
          "from_host: array 'left' of 3x4 f64 takes 12 values, got 11");
  }
}

TEST_CASE("array: one cell at a time") {
  for (const device dev : test_devices()) {
    array<f32, 3> a = zeros<f32>(dev, {3, 4, 5});
    a(2, 1, 4) = 7.5f;
    a(0, 0, 0) = a(2, 1, 4);
    CHECK(static_cast<f32>(a(0, 0, 0)) == 7.5f);
    const auto h = to_host(a);
    CHECK(h[2 + 3 * (1 + 4 * 4)] == 7.5f);
    CHECK(h[1] == 0);
  }
}

TEST_CASE("array: a cell can be updated") {
  for (const device dev : test_devices()) {
    array<f64, 2> a = full(dev, {3, 2}, 3.0);
    a(1, 1) += 1;
    a(0, 1) -= 0.5;
    a(2, 0) *= a(1, 1);
    a(1, 0) /= sum(a(whole, 1));
    CHECK(to_host(a) == std::vector<f64>{3, 3 / 9.5, 12, 2.5, 4, 3});

    array<u8, 1> bytes_of_cells = full<u8>(dev, {4}, 200);
    bytes_of_cells(0) += 100;
    bytes_of_cells(1) += -1;
    bytes_of_cells(2) *= 0.5;
    bytes_of_cells(3) /= 0;
    CHECK(to_host(bytes_of_cells) == std::vector<u8>{44, 199, 100, 0});
    CHECK_THROWS_WITH_AS(bytes_of_cells(0) += 300,
                         "a cell of u8 can not be updated by 300: u8 holds whole numbers from 0 to "
                         "255",
                         error);
    CHECK_THROWS_AS(bytes_of_cells(0) *= -1, error);
    CHECK(bytes_of_cells(0) == 44);

    array<i64, 1> wide = full(dev, {1}, std::numeric_limits<i64>::max());
    wide(0) += 1;
    CHECK(wide(0) == std::numeric_limits<i64>::lowest());
    array<bool, 1> flag = full(dev, {1}, false);
    flag(0) += 1;
    CHECK(flag(0) == true);
  }
}

TEST_CASE("array: a cell that is kept is a number, and of nothing that can go away") {
  for (const device dev : test_devices()) {
    array<f64, 2> a = full(dev, {3, 2}, 1.0);
    a(1, 0) = 2.0;
    const auto kept = a(0, 0);
    a(0, 0) = a(1, 0);
    a(1, 0) = kept;
    CHECK(to_host(a) == std::vector<f64>{2, 1, 1, 1, 1, 1});
    auto of_slice = a(whole, 0)(0), of_transposed = a.t()(0, 0), of_flipped = flip(a, 0)(2, 0);
    a = 7.0;
    CHECK(f64(of_slice) + f64(of_transposed) + f64(of_flipped) == 6);
    a(whole, 0)(2) = 3.0, a.t()(1, 2) = 4.0, flip(a, 1)(0, 0) = 5.0;
    CHECK(to_host(a) == std::vector<f64>{7, 7, 3, 5, 7, 4});

    static_assert(std::is_same_v<decltype(std::as_const(a)(0, 0)), f64>);
    static_assert(std::is_same_v<decltype(sum(a, 0)(1)), f64>);
    static_assert(std::is_same_v<decltype(std::move(a)(0, 0)), f64>);
    const auto third = sum(a, 1)(2);
    const auto of_part = sum(a, 1)(range(0, 3, 2))(1);  // the sums are gone when they are looked at
    const array<f64, 1> other = full(dev, {3}, -1.0);
    CHECK(third == 7);
    CHECK(of_part == 7);
    const auto total = sum(a);
    a = 0;
    CHECK(total == 33);

    array<i32, 1> whole_numbers = zeros<i32>(dev, {3});
    whole_numbers(0) = 2.9, whole_numbers(1) = a(0, 0), whole_numbers(2) = total;
    CHECK(to_host(whole_numbers) == std::vector<i32>{2, 0, 33});
  }
  std::vector<i64> foreign{1, 2, 3, 4};
  const auto kept = wrap(device::cpu(), foreign.data(), {2}, {2})(1);
  wrap(device::cpu(), foreign.data(), {2}, {2})(1) = 9;
  CHECK(foreign == std::vector<i64>{1, 2, 9, 4});
  CHECK(kept == 3);
}

TEST_CASE("array: zeros, full, labels") {
  for (const device dev : test_devices()) {
    CHECK(to_host(zeros<i32>(dev, {3})) == std::vector<i32>{0, 0, 0});
    CHECK(to_host(full(dev, {2, 2}, u8{200})) == std::vector<u8>{200, 200, 200, 200});
    CHECK(to_host(full(dev, {1, 2, 1}, 1.5f)) == std::vector<f32>{1.5f, 1.5f});
    CHECK(full(dev, {2, 2}, 3.0, "C").label() == "C");
    CHECK(zeros<f64>(dev, {2, 2, 2}, "Z").label() == "Z");
    CHECK(array<f64, 1>(dev, {1}).label() == "");
    array<f64, 1> a(dev, {4});
    fill(a(range(0, 4, 2)), 3);
    fill(a(range(1, 4, 2)), 4.5f);
    CHECK(to_host(a) == std::vector<f64>{3, 4.5, 3, 4.5});
  }
}

namespace {
template <class T>
void check_round_trip(device dev, const std::vector<T>& values) {
  CAPTURE(type_name<T>());
  const auto n = static_cast<index_t>(values.size());
  array<T, 1> a(dev, {n}), b(dev, {n});
  a = from_host(values);
  b = a;
  CHECK(to_host(b) == values);
  CHECK(described(a) == "an array of " + std::to_string(n) + " " + type_name<T>());
}
}  // namespace

TEST_CASE("array: every element type") {
  for (const device dev : test_devices()) {
    check_round_trip<f64>(dev, {1.5, -0.0, 1e300});
    check_round_trip<f32>(dev, {1.5f, -2.25f, 1e30f});
    check_round_trip<i64>(dev, {1, -(i64{1} << 62), 3});
    check_round_trip<i32>(dev, {1, -2, 2147483647});
    check_round_trip<u8>(dev, {0, 1, 255});
    array<bool, 1> flags(dev, {3});
    array<i32, 1> numbers(dev, {3});
    numbers = from_host(std::vector<i32>{1, 5, 3});
    flags = numbers < 4;
    CHECK(to_host(flags) == std::vector<bool>{true, false, true});
    numbers = where(flags, numbers, 0);
    CHECK(to_host(numbers) == std::vector<i32>{1, 0, 3});
  }
}

TEST_CASE("wrap: foreign memory with any strides, zero too") {
  std::vector<f64> memory(24);
  for (std::size_t i = 0; i < memory.size(); ++i) memory[i] = static_cast<f64>(i);
  const device cpu = device::cpu();
  const auto rows = wrap(cpu, memory.data(), {4, 6}, {6, 1}, "row-major");
  CHECK(rows.label() == "row-major");
  CHECK(static_cast<f64>(rows(1, 2)) == 8);
  CHECK(to_host(rows(whole, 0)) == std::vector<f64>{0, 6, 12, 18});
  const auto repeated = wrap(cpu, memory.data() + 5, {3, 2}, {0, 1});
  CHECK(to_host(repeated) == std::vector<f64>{5, 5, 5, 6, 6, 6});
  const auto backwards = wrap(cpu, memory.data() + 3, {4}, {-1});
  CHECK(to_host(backwards) == std::vector<f64>{3, 2, 1, 0});
  rows(range(0, 2), 5) = 0.5;
  CHECK(memory[5] == 0.5);
  CHECK(memory[11] == 0.5);
  CHECK(memory[4] == 4);
  CHECK(described(rows) == "array 'row-major' of 4x6 f64");
}

TEST_CASE("views are trivially copyable and small") {
  static_assert(std::is_trivially_copyable_v<view<f64, 3>>);
  static_assert(sizeof(view<f64, 3>) == 7 * 8);
  const array<f64, 2> a = full(device::cpu(), {3, 2}, 1.0);
  const auto v = a.view();
  v(2, 1) = 4;
  CHECK(static_cast<f64>(a(2, 1)) == 4);
  CHECK(v.size() == 6);
  CHECK(v.extent(1) == 2);
  CHECK(v.stride(1) == 3);
}

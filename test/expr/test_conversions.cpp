// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>

#include <teff/algo/fill.hpp>
#include <teff/algo/reduce.hpp>
#include <teff/algo/scan.hpp>

#include "../message.hpp"
#include "statement_oracle.hpp"

using namespace teff;
using namespace teff::test;

namespace {

/// By the rule, in long double, which has every i64 and every f64.
template <class T>
T expected_of(long double value) {
  if (std::is_same_v<T, bool>) return static_cast<T>(value != 0);
  if (std::isnan(value)) return 0;
  const long double whole = std::trunc(value);
  if (whole <= std::numeric_limits<T>::lowest()) return std::numeric_limits<T>::lowest();
  if (whole >= std::numeric_limits<T>::max()) return std::numeric_limits<T>::max();
  return static_cast<T>(whole);
}

/// The ends of all integers and what is next to them, to one and a half, infinite, and not a
/// number.
template <class From>
std::vector<From> values_of(generator& g) {
  using limits = std::numeric_limits<From>;
  std::vector<From> values{0,
                           From(-0.0),
                           From(0.5),
                           From(1.5),
                           limits::quiet_NaN(),
                           -limits::quiet_NaN(),
                           limits::infinity(),
                           limits::max(),
                           limits::denorm_min(),
                           From(3e9),
                           300};
  for (const int power : {0, 7, 8, 31, 32, 53, 63, 64})
    for (const double beside : {-1.0, -0.5, 0.0, 0.5, 1.0})
      values.push_back(static_cast<From>(std::ldexp(1.0, power) + beside));
  for (const int power : {8, 31, 63})
    values.push_back(std::nextafter(std::ldexp(From(1), power), From(0)));
  for (int i = 0; i < 40; ++i)
    values.push_back(
        std::ldexp(static_cast<From>(g.uniform()), static_cast<int>(g.between(-2, 70))));
  for (std::size_t i = 0, n = values.size(); i < n; ++i) values.push_back(-values[i]);
  return values;
}

template <class T, class From>
void check_conversion(generator& g, device dev) {
  CAPTURE(type_name<T>());
  CAPTURE(type_name<From>());
  const std::vector<From> values = values_of<From>(g);
  const auto n = static_cast<index_t>(values.size());
  std::vector<T> expected;
  for (const From v : values) expected.push_back(expected_of<T>(v));
  array<From, 2> A(dev, {n, 1});
  A = from_host(values);
  array<T, 2> to(dev, {n, 1});
  to = A;
  CHECK(to_host(to) == expected);
  to = T{};
  to(range(0, n, 3), whole) = A(range(0, n, 3), whole);  // cell by cell
  bool is_right = true;
  const std::vector<T> strided = to_host(to);
  for (std::size_t i = 0; i < strided.size(); i += 3)
    is_right = is_right && strided[i] == expected[i];
  CHECK(is_right);
  g.count();
}

}  // namespace

TEST_CASE("conversions: what is out of range or not a number (generated)") {
  generator g("conversions");
  for (const device dev : test_devices()) {
    check_conversion<i64, f64>(g, dev);
    check_conversion<i32, f64>(g, dev);
    check_conversion<u8, f64>(g, dev);
    check_conversion<bool, f64>(g, dev);
    check_conversion<i64, f32>(g, dev);
    check_conversion<i32, f32>(g, dev);
    check_conversion<u8, f32>(g, dev);
  }
}

TEST_CASE("conversions: one rule wherever a value is stored") {
  const f64 nan = std::numeric_limits<f64>::quiet_NaN();
  const std::vector<f64> values{3e9, -3e9, nan, 2.5};
  const std::vector<i32> expected{2147483647, -2147483647 - 1, 0, 2};
  for (const device dev : test_devices()) {
    array<f64, 2> A(dev, {4, 1});
    A = from_host(values);
    array<i32, 2> I(dev, {4, 1});
    cumsum(I, A, 1);
    CHECK(to_host(I) == expected);
    cumsum(I, 0.5 * where(A != A, 0, 1), 0);  // carried in f64
    CHECK(to_host(I) == std::vector<i32>{0, 1, 1, 1});
    scan(I, A, 1, ops::sum{});
    CHECK(to_host(I) == expected);
    I = where(A < 0, convert<i32>(A), convert<i32>(A));
    CHECK(to_host(I) == expected);
    for (index_t i = 0; i < 4; ++i) I(i, 0) = A(i, 0);
    CHECK(to_host(I) == expected);
    I = from_host(expected);
    array<u8, 2> U(dev, {4, 1});
    U = I;  // integers wrap
    CHECK(to_host(U) == std::vector<u8>{255, 0, 0, 2});
  }
}

TEST_CASE("conversions: numbers of cells and of reductions, where numbers are taken") {
  for (const device dev : test_devices()) {
    const array<f64, 1> A = full(dev, {3}, 3e9), none(dev, {3});
    none = std::numeric_limits<f64>::quiet_NaN();
    array<i32, 1> I = full<i32>(dev, {3}, 7);
    I(0) = mean(A), I(2) = sum(none);
    I(1) = sum(-A);
    CHECK(to_host(I) == std::vector<i32>{2147483647, -2147483647 - 1, 0});
    CHECK(convert<i32>(A(0)) == 2147483647);
    CHECK(convert<u8>(sum(A)) == 255);
    CHECK(convert<i64>(none(1)) + convert<i64>(flip(none, 0)(1)) == 0);
    I = 7, I(1) = 300;
    array<f32, 1> F(dev, {3});
    CHECK(to_host(full<f32>(dev, {2}, I(1))) == std::vector<f32>{300, 300});
    CHECK(to_host(full(dev, {2, 1}, max(I))) == std::vector<i32>{300, 300});
    CHECK(message_of([&] {
            full<u8>(dev, {2}, I(1));
          }).starts_with("an array of 2 u8 can not become 300"));
    F = 1;
    CHECK(reduce(ops::larger{}, F, I(0)) == 7);
    CHECK(reduce(ops::larger{}, F, max(I)) == 300);
    scan(F, F, 0, ops::sum{}, {.init = I(0)});
    CHECK(to_host(F) == std::vector<f32>{8, 9, 10});
    scan(F, F, 0, ops::larger{}, {.init = sum(F), .exclusive = true});
    CHECK(to_host(F) == std::vector<f32>{27, 27, 27});
    const array<u8, 1> U = full<u8>(dev, {3}, 200);
    CHECK(message_of([&] {
            reduce(ops::larger{}, U, max(I));
          }).starts_with("a value of type u8 can not be 300"));
  }
}

TEST_CASE("numbers that an array can not hold are refused, with both") {
  for (const device dev : test_devices()) {
    array<u8, 1> U = full<u8>(dev, {2}, 200, "U");
    array<i32, 1> I(dev, {2}, "I");
    array<bool, 1> B(dev, {2}, "B");
    const std::string can_not = "array 'U' of 2 u8 can not become ",
                      range = ": u8 holds whole numbers from 0 to 255";
    CHECK(message_of([&] { U = 300; }) == can_not + "300" + range);
    CHECK(message_of([&] { U = -1; }) == can_not + "-1" + range);
    CHECK(message_of([&] { U = 1e300; }) == can_not + "1e+300" + range);
    CHECK(message_of([&] { U = param(256.0); }) == can_not + "256" + range);
    CHECK(message_of([&] { fill(U, 256); }) == can_not + "256" + range);
    CHECK(message_of([&] { reduce(ops::larger{}, U, -1); }) ==
          "a value of type u8 can not be -1" + range);
    CHECK(message_of([&] { scan(U, U, 0, ops::larger{}, {.init = 256}); }) ==
          "a value of type u8 can not be 256" + range);
    CHECK(message_of([&] { full<u8>(dev, {2}, 300); }) ==
          "an array of 2 u8 can not become 300" + range);
    CHECK(message_of([&] { U(0) = 300; }) == "a cell of u8 can not become 300" + range);
    CHECK(contains(
        message_of([&] { I = i64{3000000000}; }),
        "can not become 3000000000: i32 holds whole numbers from -2147483648 to 2147483647"));
    CHECK(contains(message_of([&] { I = std::numeric_limits<f64>::quiet_NaN(); }),
                   "can not become nan: i32"));
    CHECK(contains(message_of([&] { B = 2; }),
                   "can not become 2: bool holds whole numbers from 0 to 1"));
    const std::string updated = "array 'U' of 2 u8 can not be updated by ";
    CHECK(message_of([&] { U += 300; }) == updated + "300" + range);
    CHECK(message_of([&] { U *= -1; }) == updated + "-1" + range);
    CHECK(message_of([&] { U /= param(256); }) == updated + "256" + range);
    CHECK(contains(message_of([&] { I -= 4000000000u; }),
                   "array 'I' of 2 i32 can not be updated by 4000000000"));
    CHECK(to_host(U) == std::vector<u8>{200, 200});
    U += -100, U -= 1, U *= 2, U /= 3;
    CHECK(to_host(U) == std::vector<u8>{66, 66});
    I = -2147483648.9, I += i64{1};
    CHECK(to_host(I)[1] == -2147483647);
    I = 255.9, U = 255.9, B = 1;
    CHECK(to_host(I)[0] == 255);
    CHECK(to_host(U)[0] == 255);
    CHECK(all(B));

    const auto p = param(5);
    const auto sum = I + p;
    p = 7.0;
    I = sum;
    CHECK(to_host(I)[0] == 262);
    CHECK(
        contains(message_of([&] { p = i64{3000000000}; }), "can not become 3000000000: i32 holds"));
    CHECK(contains(message_of([&] { p = 0.5; }),
                   "can not become 0.5; make it of a real number, as param(1.0)"));
    CHECK(p.value() == 7);
    const auto natural = param(5u);
    CHECK(contains(
        message_of([&] { natural = -1; }),
        "can not become -1: an integer of 32 bits holds whole numbers from 0 to 4294967295"));
    const auto huge = param(~std::uint64_t{0});
    CHECK(contains(message_of([&] { I = I * huge; }),
                   "a number among integers can not be 18446744073709551615: i64 holds"));
  }
}

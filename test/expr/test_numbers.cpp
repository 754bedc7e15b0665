// SPDX-License-Identifier: MIT
#include <limits>

#include <teff/algo/fill.hpp>
#include <teff/algo/reduce.hpp>

#include "../message.hpp"
#include "statement_oracle.hpp"

using namespace teff;
using namespace teff::test;

/// Plain integers beside arrays of integers, against arithmetic of 128 bits.
namespace {

__extension__ using wide = __int128;

template <class T>
constexpr bool has(wide value) {
  return value >= wide{std::numeric_limits<T>::lowest()} &&
         value <= wide{std::numeric_limits<T>::max()};
}

/// The low bits, as a signed number.
wide wrapped(wide value, int bits) {
  const wide all = wide{1} << bits, rest = ((value % all) + all) % all;
  return rest >= all / 2 ? rest - all : rest;
}

wide quotient(wide a, wide b) {
  return b == 0 ? 0 : a / b;
}

/// Numbers at the ends of all types and some between, of those that T has.
template <class T>
std::vector<T> numbers_of(generator& g) {
  std::vector<T> values;
  const auto add = [&](wide value) {
    if (has<T>(value)) values.push_back(static_cast<T>(value));
  };
  for (const int power : {0, 1, 8, 31, 32, 53, 63, 64})
    for (const int beside : {-1, 0, 1})
      for (const int sign : {-1, 1}) add(sign * ((wide{1} << power) + beside));
  add(3000000000), add((wide{1} << 32) + 200), add(200);
  for (int i = 0; i < 8; ++i) add(static_cast<i64>(g.next() >> g.between(0, 63)));
  return values;
}

/// Every operator of an array and a number, on both sides; what it gives is told apart by its
/// factor in a sum.
template <class T, class Number>
void check_numbers(generator& g, device dev) {
  CAPTURE(type_name<T>());
  CAPTURE(sizeof(Number));
  CAPTURE(std::is_signed_v<Number>);
  const std::vector<T> values = numbers_of<T>(g);
  array<T, 1> A(dev, {values.size()});
  if constexpr (std::is_same_v<T, bool>)
    A = ix == 1;
  else
    A = from_host(values);
  array<i64, 1> told(dev, {values.size()});
  constexpr int bits =
      sizeof(T) == 8 || sizeof(Number) == 8 || std::is_same_v<Number, unsigned> ? 64 : 32;
  std::vector<T> held = to_host(A);
  for (const Number n : numbers_of<Number>(g)) {
    told = where(A < n, 1, 0) + where(A <= n, 2, 0) + where(A > n, 4, 0) + where(A >= n, 8, 0) +
           where(A == n, 16, 0) + where(A != n, 32, 0) + where(n < A, 64, 0) +
           where(n >= A, 128, 0);
    std::vector<i64> got = to_host(told);
    bool is_right = true;
    for (std::size_t i = 0; i < held.size(); ++i) {
      const wide a = held[i], b = n;
      is_right = is_right && got[i] == (a < b) + 2 * (a <= b) + 4 * (a > b) + 8 * (a >= b) +
                                           16 * (a == b) + 32 * (a != b) + 64 * (b < a) +
                                           128 * (b >= a);
    }
    CHECK_MESSAGE(is_right, "comparisons with " << runtime::number_text(n));
    const auto compute = [&] {
      told = (A + n) + i64{1009} * (A - n) + i64{10007} * (n - A) + i64{100003} * (A * n) +
             i64{1000003} * (A / n) + i64{10000019} * (n / A) + i64{100000007} * minimum(A, n) +
             i64{1000000007} * maximum(n, A) + i64{10000000019} * where(A != 0, n, A);
    };
    g.count();
    if (!has<i64>(n)) {
      CHECK(message_of(compute) ==
            "a number among integers can not be " + runtime::number_text(n) +
                ": i64 holds whole numbers from -9223372036854775808 to 9223372036854775807");
      continue;
    }
    compute();
    got = to_host(told);
    for (std::size_t i = 0; i < held.size(); ++i) {
      const wide a = held[i], b = n;
      const wide results[] = {a + b,         a - b,          b - a,
                              a * b,         quotient(a, b), quotient(b, a),
                              a < b ? a : b, a > b ? a : b,  a != 0 ? b : a};
      const i64 factors[] = {1,        1009,      10007,      100003,     1000003,
                             10000019, 100000007, 1000000007, 10000000019};
      wide sum = 0;
      for (int k = 0; k < 9; ++k) sum += wrapped(wrapped(results[k], bits) * factors[k], 64);
      is_right = is_right && got[i] == static_cast<i64>(wrapped(sum, 64));
    }
    CHECK_MESSAGE(is_right, "arithmetic with " << runtime::number_text(n));
  }
}

}  // namespace

TEST_CASE("numbers: beside integers they keep their value (generated)") {
  generator g("numbers beside integers");
  for (const device dev : test_devices()) {
    check_numbers<i32, int>(g, dev);
    check_numbers<i32, unsigned>(g, dev);
    check_numbers<i32, i64>(g, dev);
    check_numbers<i32, std::uint64_t>(g, dev);
    check_numbers<u8, int>(g, dev);
    check_numbers<u8, std::uint64_t>(g, dev);
    check_numbers<i64, int>(g, dev);
    check_numbers<i64, std::uint64_t>(g, dev);
    check_numbers<bool, i64>(g, dev);
  }
}

TEST_CASE("numbers: parameters and device scalars beside integers keep their value") {
  for (const device dev : test_devices()) {
    array<i32, 1> A = full<i32>(dev, {3}, 5);
    const array<u8, 1> U = full<u8>(dev, {3}, 200);
    const auto p = param(i64{3000000000});
    array<i64, 1> wide(dev, {3});
    wide = maximum(A + p, where(U > param(-1), A * p, 0));
    CHECK(to_host(wide) == std::vector<i64>(3, 15000000000));
    p = -3000000000;
    CHECK(all(A > p));
    CHECK(all(U != p));
    CHECK(all(U < max(wide)));
    A = 2000000000;
    wide = A + max(wide);
    CHECK(to_host(wide) == std::vector<i64>(3, 17000000000));
  }
}

TEST_CASE("numbers: what C++ calls long long is i64, also as a result") {
  for (const device dev : test_devices()) {
    array<i64, 1> L = full<i64>(dev, {3}, 5);
    const auto most = max(where(L > 0LL, maximum(L + 3LL, param(2LL)), 1LL));
    static_assert(std::is_same_v<decltype(most), const scalar<i64>>);
    static_assert(std::is_same_v<decltype(min(ix + L * 2ULL)), scalar<i64>>);
    CHECK(most == 8);
    CHECK(min(ix + L * 2ULL) == 10);
  }
}

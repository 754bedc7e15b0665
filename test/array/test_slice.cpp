// SPDX-License-Identifier: MIT
#include <cmath>
#include <doctest/doctest.h>
#include <limits>

#include <teff/array/array.hpp>

#include "../layout.hpp"
#include "../message.hpp"

using namespace teff;
using namespace teff::test;

namespace {

/// 100 j + i in cell (i, j).
array<f64, 2> numbered(device dev, index_t nx, index_t ny) {
  array<f64, 2> a(dev, {nx, ny}, "A");
  std::vector<f64> values;
  for (index_t j = 0; j < ny; ++j)
    for (index_t i = 0; i < nx; ++i) values.push_back(static_cast<f64>(100 * j + i));
  a = from_host(values);
  return a;
}

}  // namespace

TEST_CASE("slice: half-open ranges, steps, whole, one index") {
  for (const device dev : test_devices()) {
    const auto A = numbered(dev, 6, 4);
    CHECK(to_host(A(range(1, 3), range(2, 4))) == std::vector<f64>{201, 202, 301, 302});
    CHECK(to_host(A(range(0, 6, 2), range(0, 1))) == std::vector<f64>{0, 2, 4});
    CHECK(to_host(A(range(1, 6, 3), 3)) == std::vector<f64>{301, 304});
    CHECK(to_host(A(2, whole)) == std::vector<f64>{2, 102, 202, 302});
    CHECK(to_host(A(whole, 1)) == std::vector<f64>{100, 101, 102, 103, 104, 105});
    CHECK(A(range(3, 3), whole).size() == 0);
    static_assert(std::is_same_v<decltype(A(0, whole)), array_ref<f64, 1>>);
    CHECK(A(range(1, 5, 2), whole).stride(0) == 2);
    CHECK(A(2, whole).stride(0) == 6);
    CHECK(A(range(1, 3), whole).label() == "A");
  }
}

TEST_CASE("slice: of a slice, and of three dims") {
  for (const device dev : test_devices()) {
    array<i32, 3> A(dev, {4, 3, 2});
    std::vector<i32> values;
    for (i32 v = 0; v < 24; ++v) values.push_back(v);
    A = from_host(values);
    CHECK(to_host(A(1, whole, 1)) == std::vector<i32>{13, 17, 21});
    CHECK(to_host(A(range(2, 4), 1, whole)) == std::vector<i32>{6, 7, 18, 19});
    const auto part = A(range(0, 4, 2), range(1, 3), whole);
    CHECK(to_host(part(1, whole, 0)) == std::vector<i32>{6, 10});
    CHECK(static_cast<i32>(part(1, 1, 1)) == 22);
  }
}

TEST_CASE("slice: flip and transposed share the cells") {
  for (const device dev : test_devices()) {
    const auto A = numbered(dev, 3, 2);
    CHECK(to_host(flip(A, 0)) == std::vector<f64>{2, 1, 0, 102, 101, 100});
    CHECK(to_host(flip(A, 1)) == std::vector<f64>{100, 101, 102, 0, 1, 2});
    CHECK(to_host(transposed(A)) == std::vector<f64>{0, 100, 1, 101, 2, 102});
    CHECK(transposed(A).shape() == extents<2>(2, 3));
    flip(A, 0)(0, 0) = 7.0;
    CHECK(static_cast<f64>(A(2, 0)) == 7.0);
    CHECK(flip(array<f64, 1>(dev, {0}), 0).size() == 0);
  }
}

TEST_CASE("slice: steps and indices at the ends of their types") {
  for (const device dev : test_devices()) {
    const auto A = numbered(dev, 10, 2);
    const index_t last = std::numeric_limits<index_t>::max();
    for (const index_t step : {index_t{10}, index_t{1} << 40, last - 10, last - 8, last}) {
      CHECK(to_host(A(range(0, 10, step), 1)) == std::vector<f64>{100});
      CHECK(to_host(A(range(3, 3, step), 1)).empty());
      const auto part = (A + 1)(range(2, 10, step), range(0, 2, step));
      array<f64, 2> one(dev, {1, 1});
      one = part;
      CHECK(to_host(one) == std::vector<f64>{3});
      CHECK(to_host(flip(A(range(1, 10, step), whole), 0)) == std::vector<f64>{1, 101});
    }
    CHECK(to_host(A(range(0, 10, 9), 0)) == std::vector<f64>{0, 9});
    CHECK(to_host(A(range(0u, std::size_t{10}, ~std::size_t{0}), 0)) == std::vector<f64>{0});
    CHECK(contains(message_of([&] { (void)A(~std::size_t{0}, 0); }),
                   "asked for 18446744073709551615"));
    CHECK(contains(message_of([&] { (void)A(~std::size_t{0}, whole); }), "10 cells along dim 0"));
    CHECK(
        contains(message_of([&] { (void)A(range(0, ~std::size_t{0}), 0); }), "slice out of range"));
    CHECK(contains(
        message_of([&] { (void)A(range(0, 10, std::numeric_limits<index_t>::lowest()), 0); }),
        "a step of at least 1"));
  }
}

TEST_CASE("slice: what leaves the array is refused, with both sides") {
  const array<f64, 2> A(device::cpu(), {10, 5}, "T");
  const std::string whose = "array 'T' of 10x5 f64 has 10 cells along dim 0, asked for ";
  CHECK(message_of([&] { (void)A(range(1, 11), whole); }) ==
        "slice out of range: " + whose +
            "range(1, 11); expected 0 <= start <= stop <= 10 and a step of at least 1");
  CHECK(contains(message_of([&] { (void)A(range(-1, 3), whole); }), "range(-1, 3)"));
  CHECK(contains(message_of([&] { (void)A(range(4, 3), whole); }), "range(4, 3)"));
  CHECK(contains(message_of([&] { (void)A(range(0, 4, 0), whole); }), "range(0, 4, 0)"));
  CHECK(contains(message_of([&] { (void)A(range(0, 4, -2), whole); }), "range(0, 4, -2)"));
  CHECK(contains(message_of([&] { (void)A(whole, range(0, 6)); }), "5 cells along dim 1"));
  CHECK(message_of([&] { (void)A(10, whole); }) ==
        "index out of range: " + whose + "10; indices count from 0");
  CHECK(contains(message_of([&] { (void)A(-1, 0); }), "asked for -1"));
  CHECK(contains(message_of([&] {
                   A(whole, whole)
                   (3, 5) = 1.0;
                 }),
                 "5 cells along dim 1, asked for 5"));
  CHECK(message_of([&] { flip(A, 2); }) ==
        "flip: array 'T' of 10x5 f64 has dims 0 to 1, asked for dim 2");
  CHECK(contains(message_of([&] { flip(A, -1); }), "asked for dim -1"));
}

namespace {

/// Cells of a generated part, read one by one, are those that the oracle's arithmetic finds.
template <class T, int N>
void check_parts(generator& g, device dev, int rounds) {
  for (int round = 0; round < rounds; ++round) {
    const auto p = random_placed<T, N>(g, dev, random_extents<N>(g), role::source);
    std::vector<T> expected;
    p.where.each([&](index_t i, index_t j, index_t k) { expected.push_back(p.at(i, j, k)); });
    const std::string bad = difference(to_host(p.cells), expected);
    if (!bad.empty()) FAIL_CHECK("round " << round << " on " << dev.name() << ": " << bad);
    g.count();
  }
}

/// Values from the host land in the cells of a generated part and nowhere else.
template <class T, int N>
void check_from_host(generator& g, device dev, int rounds) {
  for (int round = 0; round < rounds; ++round) {
    const auto p = random_placed<T, N>(g, dev, random_extents<N>(g), role::target);
    std::vector<T> values, expected = p.host;
    p.where.each([&](index_t i, index_t j, index_t k) {
      values.push_back(g.value<T>());
      expected[p.where.at(i, j, k)] = values.back();
    });
    p.cells = from_host(values);
    const std::string bad = p.differs(expected);
    if (!bad.empty()) FAIL_CHECK("round " << round << " on " << dev.name() << ": " << bad);
    g.count();
  }
}

}  // namespace

TEST_CASE("to_host of any strides (generated)") {
  generator g("to_host of parts");
  for (const device dev : test_devices()) {
    const int rounds = generator::rounds(dev.is_cpu() ? 700 : 100);
    check_parts<f64, 1>(g, dev, rounds);
    check_parts<f32, 2>(g, dev, rounds);
    check_parts<i64, 2>(g, dev, rounds);
    check_parts<u8, 3>(g, dev, rounds);
  }
}

TEST_CASE("from_host into any strides (generated)") {
  generator g("from_host into parts");
  for (const device dev : test_devices()) {
    const int rounds = generator::rounds(dev.is_cpu() ? 700 : 100);
    check_from_host<i32, 1>(g, dev, rounds);
    check_from_host<f64, 2>(g, dev, rounds);
    check_from_host<u8, 2>(g, dev, rounds);
    check_from_host<f32, 3>(g, dev, rounds);
  }
}

TEST_CASE("a planted difference is found") {
  generator g("planted differences");
  auto p = random_placed<f64, 2>(g, device::cpu(), {5, 4}, role::source);
  CHECK(p.differs(p.host) == "");
  auto& cell = p.host[p.where.at(2, 3, 0)];
  auto* bits = reinterpret_cast<unsigned char*>(&cell);
  bits[0] ^= 1;  // the last bit of one cell
  CHECK(contains(p.differs(p.host), "expected"));
  bits[0] ^= 1;
  CHECK(p.differs(p.host) == "");
  p.host.push_back(0);
  CHECK(contains(p.differs(p.host), "cells, expected"));
  CHECK(difference<f64>({0.0}, {-0.0}) != "");
  const f64 nan = std::numeric_limits<f64>::quiet_NaN();
  CHECK(difference<f64>({nan}, {1.0}) != "");
  CHECK(difference<f64>({1.0}, {nan}) != "");
  CHECK(difference<f64>({poison<f64>()}, {nan}) != "");
  // Sign and payload of a NaN are the processor's.
  CHECK(difference<f64>({nan}, {std::copysign(nan, -1.0)}) == "");
  CHECK(difference<f64>({nan}, {std::nan("7")}) == "");
}

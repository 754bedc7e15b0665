// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <limits>
#include <string>

#include <teff/array/array.hpp>

#include "../devices.hpp"
#include "../message.hpp"

using namespace teff;
using namespace teff::test;

TEST_CASE("extents: any integer types, text, size, equality") {
  const unsigned char small = 3;
  const extents<3> e(small, 4L, 5u);
  CHECK(e[0] == 3);
  CHECK(e[1] == 4);
  CHECK(e[2] == 5);
  CHECK(e.size() == 60);
  CHECK(extents_text(e) == "3x4x5");
  CHECK(extents_text(extents<1>(7)) == "7");
  CHECK(e == extents<3>(3, 4, 5));
  CHECK_FALSE(e == extents<3>(3, 4, 6));
  CHECK(extents<2>(0, 9).size() == 0);
  CHECK(extents<2>(1 << 20, 1 << 20).size() == index_t{1} << 40);
  static_assert(std::is_same_v<decltype(extents(1, 2u)), extents<2>>);
  CHECK(max_rank == 3);
}

TEST_CASE("extents: 0 and 1 are extents like any other") {
  for (const device dev : test_devices()) {
    const array<f64, 2> none(dev, {0, 5}), one(dev, {1, 1});
    CHECK(none.size() == 0);
    CHECK(none.shape() == extents<2>(0, 5));
    CHECK(none.view().is_contiguous());
    CHECK(one.size() == 1);
    CHECK(one.view().is_contiguous());
    CHECK(array<f64, 3>(dev, {0, 0, 0}).size() == 0);
  }
}

TEST_CASE("extents: a negative one is refused, with all factors") {
  for (const device dev : test_devices()) {
    const auto text = message_of([&] { array<f64, 2>(dev, {-3, 4}, "T"); });
    CHECK(text == "negative extent: array 'T' of -3 x 4 cells; every extent must be 0 or more");
    CHECK(message_of([&] { array<f32, 1>(dev, {-1}); }) ==
          "negative extent: an array of -1 cells; every extent must be 0 or more");
    CHECK(contains(message_of([&] { array<f32, 3>(dev, {0, 0, -1}, "P"); }), "0 x 0 x -1"));
  }
}

TEST_CASE("extents: an overflow of the bytes is refused, with all factors") {
  for (const device dev : test_devices()) {
    const index_t wide = index_t{1} << 31;
    CHECK(
        message_of([&] {
          array<f64, 3>(dev, {wide, wide, 4}, "T");
        }) ==
        "extents overflow: array 'T' of 2147483648 x 2147483648 x 4 cells of 8 bytes has more than "
        "2^63 bytes");
    // 2^62 cells of 1 byte are 2^62 bytes: no overflow, but no computer has them.
    CHECK(kind_of([&] { array<u8, 2>(dev, {wide, wide}, "T"); }) == failure::out_of_memory);
    const index_t most = std::numeric_limits<index_t>::max();
    CHECK(
        contains(message_of([&] { array<i32, 1>(dev, {most}); }), "extents overflow: an array of"));
  }
}

TEST_CASE("extents: a wrapped array is checked like any other") {
  double cell = 0;
  CHECK(contains(message_of([&] {
                   wrap(device::cpu(), &cell, {-1, 2}, {1, 1}, "W");
                 }),
                 "negative extent: array 'W' of -1 x 2"));
}

TEST_CASE("bytes: those of an array come from type and extents") {
  const array<f32, 2> a(device::cpu(), {7, 11});
  CHECK(bytes(a) == 7 * 11 * 4);
  CHECK(bytes(a(range(0, 7, 2), whole)) == 4 * 11 * 4);
}

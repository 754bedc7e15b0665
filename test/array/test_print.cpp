// SPDX-License-Identifier: MIT
#include <cmath>
#include <doctest/doctest.h>
#include <iomanip>
#include <limits>
#include <sstream>

#include <teff/algo/fill.hpp>
#include <teff/algo/reduce.hpp>
#include <teff/array/array.hpp>
#include <teff/array/host_copy.hpp>
#include <teff/expr/statement.hpp>

#include "../devices.hpp"

using namespace teff;
using namespace teff::test;

namespace {

template <class X>
std::string printed(const X& x, int digits = 6) {
  std::ostringstream out;
  out << std::setprecision(digits) << x;
  return out.str();
}

}  // namespace

TEST_CASE("printing: small arrays show every cell, x to the right, y downwards") {
  for (const device dev : test_devices()) {
    array<f64, 2> T(dev, {4, 3}, "T");
    T = 0.5 * ix + 10 * iy;
    CHECK(printed(T) ==
          "array 'T' of 4x3 f64; x to the right, y downwards:\n"
          "     0  0.5    1  1.5\n"
          "    10 10.5   11 11.5\n"
          "    20 20.5   21 21.5");
    // Parts, whatever their strides.
    CHECK(printed(T(range(0, 4, 2), range(1, 3))) ==
          "array 'T' of 2x2 f64; x to the right, y downwards:\n"
          "  10 11\n"
          "  20 21");
    CHECK(printed(flip(T, 0)(range(0, 2), range(0, 1))) ==
          "array 'T' of 2x1 f64; x to the right, y downwards:\n"
          "  1.5   1");
    CHECK(printed(T(1, whole)) == "array 'T' of 3 f64: 0.5 10.5 20.5");
    CHECK(printed(T(3, 2)) == "21.5");

    array<i32, 3> cube(dev, {2, 2, 2});
    cube = ix - 2 * iy + 100 * iz;
    CHECK(printed(cube) ==
          "an array of 2x2x2 i32; x to the right, y downwards, z block by block:\n"
          "z = 0\n"
          "    0   1\n"
          "   -2  -1\n"
          "z = 1\n"
          "  100 101\n"
          "   98  99");
    CHECK(printed(array<f32, 2>(dev, {3, 0}, "none")) == "array 'none' of 3x0 f32: no cells");
  }
}

TEST_CASE("printing: numbers of every type, with the digits of the stream") {
  for (const device dev : test_devices()) {
    const array<f64, 1> reals(dev, {5}, "r");
    const f64 inf = std::numeric_limits<f64>::infinity();
    reals = from_host(std::vector<f64>{1.0 / 3, -2e-30, inf, -std::nan(""), -0.0});
    CHECK(printed(reals) == "array 'r' of 5 f64: 0.333333 -2e-30 inf nan -0");
    CHECK(printed(reals, 2) == "array 'r' of 5 f64: 0.33 -2e-30 inf nan -0");
    const array<f32, 1> singles(dev, {2});
    singles = from_host(std::vector<f32>{0.1F, 16777216});
    CHECK(printed(singles) == "an array of 2 f32: 0.1 1.67772e+07");
    const array<i64, 1> longs(dev, {2});
    longs = from_host(std::vector<i64>{std::numeric_limits<i64>::lowest(), 7});
    CHECK(printed(longs) == "an array of 2 i64: -9223372036854775808 7");
    array<u8, 1> bytes(dev, {3});
    bytes = from_host(std::vector<u8>{0, 65, 255});
    CHECK(printed(bytes) == "an array of 3 u8: 0 65 255");
    CHECK(printed(bytes(1)) == "65");
    CHECK(printed(std::as_const(bytes)(1)) == "65");
    CHECK(printed(min(bytes(range(1, 3)))) == "65");
    array<bool, 1> yes(dev, {2});
    yes = ix > 0;
    CHECK(printed(yes) == "an array of 2 bool: 0 1");
  }
}

TEST_CASE("printing: of large arrays the first and last cells; long rows in lines") {
  for (const device dev : test_devices()) {
    array<i32, 2> big(dev, {1000, 7}, "big");
    big = ix + 1000 * iy;
    CHECK(
        printed(big) ==
        "array 'big' of 1000x7 i32; x to the right, y downwards; first and last cells of each dim, "
        "to_host() has all:\n"
        "     0    1    2  ...  997  998  999\n"
        "  1000 1001 1002  ... 1997 1998 1999\n"
        "  2000 2001 2002  ... 2997 2998 2999\n"
        "  ...\n"
        "  4000 4001 4002  ... 4997 4998 4999\n"
        "  5000 5001 5002  ... 5997 5998 5999\n"
        "  6000 6001 6002  ... 6997 6998 6999");
    CHECK(printed(big(range(0, 1000), 0)).find("999") != std::string::npos);  // 1000 cells are few
    CHECK(printed(big(range(0, 500), range(0, 3))).find(" ... ") != std::string::npos);
    array<i32, 1> row(dev, {30}, "row");
    row = 100 * ix;
    const std::string all = printed(row);
    CHECK(all.starts_with("array 'row' of 30 i32:\n   0:    0  100  200"));
    CHECK(all.ends_with(
        "\n  15: 1500 1600 1700 1800 1900 2000 2100 2200 2300 2400 2500 2600 2700 2800 "
        "2900"));
    array<i32, 3> deep(dev, {1, 1, 1001});
    deep = iz;
    CHECK(printed(deep).ends_with(
        "\nz = 2\n     2\n...\nz = 998\n   998\nz = 999\n   999\nz = 1000\n  1000"));
  }
  // Extents of foreign memory may be any.
  const f64 one = 1;
  const index_t most = index_t{1} << 40;
  const auto same = wrap(stream(device::cpu()), const_cast<f64*>(&one), {most}, {index_t{0}});
  CHECK(printed(same) ==
        "an array of 1099511627776 f64; first and last cells of each dim, to_host() has all: 1 1 1 "
        "... 1 1 1");
}

TEST_CASE("printing: parameters, and the format of what comes after") {
  CHECK(printed(param(0.25)) == "0.25");
  CHECK(printed(param(3)) == "3");
  CHECK(printed(param(u8{65})) == "65");
  std::ostringstream out;
  const array<i32, 1> one = full(device::cpu(), {1}, 5);
  out << std::setw(30) << one << ' ' << 0.5;
  CHECK(out.str() == "an array of 1 i32: 5 0.5");
}

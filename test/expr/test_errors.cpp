// SPDX-License-Identifier: MIT
#include <teff/algo/copy.hpp>
#include <teff/algo/fill.hpp>
#include <teff/algo/reduce.hpp>
#include <teff/expr/fd1.hpp>
#include <teff/expr/fd2.hpp>

#include "../layout.hpp"
#include "../message.hpp"

using namespace teff;
using namespace teff::test;
using namespace teff::fd2;

TEST_CASE("errors: a mismatch of extents shows both sides with their labels") {
  for (const device dev : test_devices()) {
    const array<f64, 2> A(dev, {10, 8}, "A"), B(dev, {10, 9}, "B"), C(dev, {10, 8}, "C");
    const array<f64, 2> unnamed(dev, {3, 3});
    const auto differ = [](const std::string& sides, const std::string& cure) {
      return "extents do not match: " + sides +
             "; all operands of a statement must have the same extents" + cure;
    };
    const std::string of_B = "; B has one cell more along y: write av_ya(B) or d_ya(B)?";
    CHECK(message_of([&] { A = B; }) == differ("A is 10x8, B is 10x9", of_B));
    CHECK(message_of([&] { A = C + 2 * B; }) ==
          differ("C is 10x8, 2 * B is 10x9",
                 "; the second has one cell more along y: write av_ya(...) or d_ya(...)?"));
    CHECK(message_of([&] { A = sqrt(B * C); }) == differ("B is 10x9, C is 10x8", of_B));
    CHECK(message_of([&] { A = where(B < 1, C, 0); }) ==
          differ("B < 1 is 10x9, C is 10x8",
                 "; the first has one cell more along y: write av_ya(...) or d_ya(...)?"));
    CHECK(message_of([&] { A = unnamed; }) == differ("A is 10x8, an array is 3x3", ""));
    CHECK(message_of([&] { A += B; }) == differ("A is 10x8, B is 10x9", of_B));
    CHECK(message_of([&] { inn(A) = d_xa(C); }) == differ("A is 8x6, neighbours of C is 9x8", ""));
    CHECK(message_of([&] { (void)sum(A * B); }) == differ("A is 10x8, B is 10x9", of_B));
    CHECK(message_of([&] { copy(A, B); }) == differ("A is 10x8, B is 10x9", of_B));
    CHECK(message_of([&] { inn(A) = C; }) ==
          differ("A is 8x6, C is 10x8", "; C has one cell more at each side: write inn(C)?"));
    CHECK(message_of([&] { A = inn_x(C + 1); }) ==
          differ("A is 10x8, inn_x(C + 1) is 8x8",
                 "; A has one cell more at each side: write inn_x(A)?"));
    CHECK(message_of([&] { A = A + d2_xi(C); }) ==
          differ("A is 10x8, neighbours of C is 8x6",
                 "; A has one cell more at each side: write inn(A)?"));
  }
}

TEST_CASE("errors: nothing is written by a statement that is refused") {
  for (const device dev : test_devices()) {
    array<f64, 1> A = full(dev, {4}, 5.0, "A");
    const array<f64, 1> B = full(dev, {5}, 1.0, "B");
    CHECK(message_of([&] { A = B; }) != "");
    CHECK(message_of([&] { A(range(0, 3)) = A(range(1, 4)); }) != "");
    CHECK(to_host(A) == std::vector<f64>(4, 5.0));
  }
}

TEST_CASE("errors: texts of expressions") {
  const array<f64, 1> A(device::cpu(), {2}, "A"), row(device::cpu(), {2}, "row");
  CHECK((A + 1).text() == "A + 1");
  CHECK((0.5 * A - row / A).text() == "0.5 * A - row / A");
  CHECK((2 * (A + row) / (A * row)).text() == "2 * (A + row) / (A * row)");
  CHECK((A - (row - 1) - row).text() == "A - (row - 1) - row");
  CHECK((A < 1 && (A == 2 || A == 3)).text() == "(A < 1) && ((A == 2) || (A == 3))");
  CHECK(exp(-A).text() == "exp(-(A))");
  CHECK(along<0>(row).text() == "along<0>(row)");
  CHECK((ix + iy * iz).text() == "ix + iy * iz");
  CHECK(maximum(A, 2).text() == "maximum(A, 2)");
  CHECK(param(1.5).text() == "1.5");
  CHECK(number<f64>(100).text() == "100");
  CHECK(number<f64>(0.05).text() == "0.05");
  CHECK(number<f64>(2.85e-5).text() == "2.85e-05");
  CHECK(number<f64>(-6e23).text() == "-6e+23");
  CHECK(number<f64>(0).text() == "0");
  CHECK(fd1::d(A).text() == "neighbours of A");
  CHECK(fd1::d(A + row).text() == "neighbours of (A + row)");
  CHECK(fd1::d(exp(A + row)).text() == "neighbours of exp(A + row)");
}

TEST_CASE("errors: arrays on different devices, with labels and devices") {
  for (const device dev : test_devices()) {
    if (dev.is_cpu()) continue;
    const array<f64, 1> here = full(device::cpu(), {4}, 1.0, "here");
    array<f64, 1> there = full(dev, {4}, 2.0, "there");
    CHECK(message_of([&] { there = here + 1; }) ==
          "arrays on different devices: the target, array 'there' of 4 f64, is on cuda:0, array "
          "'here' "
          "of 4 f64 is on cpu; copy(target, source) moves an array between devices");
    CHECK(contains(message_of([&] { there = there + along<0>(here); }), "different devices"));
    CHECK(contains(message_of([&] { (void)sum(here * there); }), "different devices"));
  }
}

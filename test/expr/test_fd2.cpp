// SPDX-License-Identifier: MIT
#include <teff/algo/fill.hpp>
#include <teff/expr/fd2.hpp>

#include "fd_oracle.hpp"

using namespace teff;
using namespace teff::test;
using namespace teff::fd2;

namespace {
template <class T>
void check_differences(generator& g, device dev) {
  constexpr int N = 2;
  CHECK_FD(difference, "sa", d_xa);
  CHECK_FD(difference, "as", d_ya);
  CHECK_FD(difference, "si", d_xi);
  CHECK_FD(difference, "is", d_yi);
  CHECK_FD(second_difference, "ma", d2_xa);
  CHECK_FD(second_difference, "am", d2_ya);
  CHECK_FD(second_difference, "mi", d2_xi);
  CHECK_FD(second_difference, "im", d2_yi);
  CHECK_FD(largest, "mm", maxloc);
  CHECK_FD(smallest, "mm", minloc);
  CHECK_FD(inner, "ii", inn);
  CHECK_FD(inner, "ia", inn_x);
  CHECK_FD(inner, "ai", inn_y);
}
template <class T>
void check_means(generator& g, device dev) {
  constexpr int N = 2;
  CHECK_FD(mean, "ss", av);
  CHECK_FD(mean, "sa", av_xa);
  CHECK_FD(mean, "as", av_ya);
  CHECK_FD(mean, "si", av_xi);
  CHECK_FD(mean, "is", av_yi);
  CHECK_FD(harmonic, "ss", harm);
  CHECK_FD(harmonic, "sa", harm_xa);
  CHECK_FD(harmonic, "as", harm_ya);
  CHECK_FD(harmonic, "si", harm_xi);
  CHECK_FD(harmonic, "is", harm_yi);
}
}  // namespace

TEST_CASE("fd2: every operator against ParallelStencil's definition (generated)") {
  generator g("operators of fd2");
  for (const device dev : test_devices()) {
    check_differences<f64>(g, dev);
    check_means<f64>(g, dev);
  }
}

TEST_CASE("fd2: inn on the left writes the inner cells only") {
  for (const device dev : test_devices()) {
    array<i32, 2> A = zeros<i32>(dev, {4, 3});
    inn(A) = 7;
    CHECK(to_host(A) == std::vector<i32>{0, 0, 0, 0, 0, 7, 7, 0, 0, 0, 0, 0});
    inn_x(A) = inn_x(A) + 1;  // in place
    CHECK(to_host(A) == std::vector<i32>{0, 1, 1, 0, 0, 8, 8, 0, 0, 1, 1, 0});
    inn_y(A) -= 8;
    CHECK(to_host(A) == std::vector<i32>{0, 1, 1, 0, -8, 0, 0, -8, 0, 1, 1, 0});
    CHECK(message_of([&] {
            inn(array<i32, 2>(dev, {4, 1}, "T")) = 1;
          }) == "too few cells: inn needs at least 2 cells along dim 1, got array 'T' of 4x1 i32");
  }
}

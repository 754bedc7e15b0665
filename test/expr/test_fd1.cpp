// SPDX-License-Identifier: MIT
#include <teff/expr/fd1.hpp>

#include "fd_oracle.hpp"

using namespace teff;
using namespace teff::test;
using namespace teff::fd1;

namespace {
template <class T>
void check_all(generator& g, device dev) {
  constexpr int N = 1;
  CHECK_FD(difference, "s", d);
  CHECK_FD(second_difference, "m", d2);
  CHECK_FD(mean, "s", av);
  CHECK_FD(harmonic, "s", harm);
  CHECK_FD(inner, "i", inn);
  CHECK_FD(largest, "m", maxloc);
  CHECK_FD(smallest, "m", minloc);
}
}  // namespace

TEST_CASE("fd1: every operator against ParallelStencil's definition (generated)") {
  generator g("operators of fd1");
  for (const device dev : test_devices()) {
    check_all<f64>(g, dev);
    check_all<f32>(g, dev);
  }
}

TEST_CASE("fd1: tiny exact cases") {
  for (const device dev : test_devices()) {
    array<f64, 1> A(dev, {4}), three(dev, {3}), two(dev, {2});
    A = from_host(std::vector<f64>{1, 4, 2, 8});
    three = d(A);
    CHECK(to_host(three) == std::vector<f64>{3, -2, 6});
    two = d2(A);
    CHECK(to_host(two) == std::vector<f64>{-5, 8});
    three = av(A);
    CHECK(to_host(three) == std::vector<f64>{2.5, 3, 5});
    three = harm(A);
    CHECK(to_host(three)[0] == doctest::Approx(1.6));
    two = maxloc(A);
    CHECK(to_host(two) == std::vector<f64>{4, 8});
    two = minloc(A);
    CHECK(to_host(two) == std::vector<f64>{1, 2});
    inn(A) = two;
    CHECK(to_host(A) == std::vector<f64>{1, 1, 2, 8});
  }
}

TEST_CASE("fd: the oracle gives known values") {
  const fd_definition first{fd_kind::difference, "s"};
  const auto at = [](index_t i, index_t, index_t) { return static_cast<double>(i * i); };
  CHECK(fd_value<f64>(first, at, 3, 0, 0) == 7);
  CHECK(fd_value<f64>({fd_kind::second_difference, "m"}, at, 3, 0, 0) == 2);
  CHECK(fd_value<f64>({fd_kind::mean, "s"}, at, 3, 0, 0) == 12.5);
  CHECK(fd_value<f64>({fd_kind::inner, "i"}, at, 3, 0, 0) == 16);
  CHECK(fd_value<f64>({fd_kind::largest, "m"}, at, 3, 0, 0) == 25);
  CHECK(fd_value<f64>({fd_kind::smallest, "m"}, at, 3, 0, 0) == 9);
  CHECK(fd_value<f64>({fd_kind::harmonic, "s"}, at, 1, 0, 0) == doctest::Approx(1.6));
}

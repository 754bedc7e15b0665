// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <teff/formula/footprint.hpp>
#include <teff/teff.hpp>

#include "../devices.hpp"

using namespace teff;
using namespace teff::test;
using namespace teff::fd3;

/// Wide stencils in 3-D: a GPU keeps columns of cells while it goes through the planes.
namespace {

template <int Field, int X, int Y, int Low, int High, class E>
constexpr bool keeps(const E&) {
  return std::is_same_v<typename detail::longest_column<E>::type,
                        detail::read_column<Field, X, Y, Low, High>>;
}
template <class E>
constexpr bool keeps_none(const E&) {
  return std::is_void_v<typename detail::longest_column<E>::type>;
}

/// Of cells up to four away along each dim, each with a weight of its own.
template <class R, class A>
auto star(const A& T) {
  const auto a = around<4>(T);
  return R(0.9) * a() +
         R(0.05) * (at<1, 0, 0>(a) - at<-1, 0, 0>(a) + at<0, 1, 0>(a) - at<0, 0, 1>(a)) +
         R(0.04) * (at<0, -2, 0>(a) + at<0, 0, -2>(a) - at<0, 0, 3>(a) + at<3, 0, 0>(a)) +
         R(0.03) * (at<0, 0, 4>(a) - at<0, 0, -4>(a) + at<0, -4, 0>(a) + at<-4, 0, 0>(a)) +
         R(0.02) * (at<0, 0, -1>(a) + at<0, 0, 2>(a) + at<0, 0, -3>(a) - at<0, 4, 0>(a));
}

template <class R>
void check_star(device dev, const extents<3>& n) {
  const auto step = timestep(
      [](auto T, auto C) { return update(around<4>(T)(), star<R>(T) + R(0.01) * around<4>(C)()); });
  const array<R, 3> start = random<R>(dev, n, 1), C = random<R>(dev, n, 2);
  array<R, 3> T = start, inner(dev, {n[0] - 8, n[1] - 8, n[2] - 8});
  iterate(step, {.steps = 1, .schedule = schedule::stepwise}, T, C);
  inner = star<R>(start) + R(0.01) * around<4>(C)();
  CHECK(max_abs(around<4>(T)() - inner) == 0);
  CHECK(max_abs(T - start) > 0);
}

}  // namespace

TEST_CASE("plane march: the column of which a formula reads the most cells") {
  const field<0, double, 3> T{};
  const field<1, double, 3> C{};
  const auto a = around<4>(T);
  CHECK(keeps<0, 4, 4, 0, 8>(star<double>(T)));
  CHECK(keeps<0, 4, 4, 0, 8>(around<4>(C)() + star<double>(T)));
  CHECK(keeps_none(at<0, 0, -2>(a) + at<0, 0, -1>(a) + a() + at<0, 0, 1>(a) + at<0, 0, 2>(a)));
  CHECK(keeps_none(star<double>(T) + array<double, 3>(device::cpu(), {1, 1, 1})));
}

TEST_CASE("plane march: single steps of a wide star have the bits of a statement") {
  for (const device dev : test_devices()) {
    const bool is_large = dev.is_cuda();  // a march is for many cells
    check_star<double>(dev, is_large ? extents<3>(403, 299, 291) : extents<3>(19, 14, 13));
    check_star<float>(dev, is_large ? extents<3>(333, 321, 322) : extents<3>(19, 13, 14));
  }
}

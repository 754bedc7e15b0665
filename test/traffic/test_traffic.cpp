// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <teff/algo/fill.hpp>
#include <teff/expr/fd2.hpp>
#include <teff/traffic/traffic.hpp>

#include "../devices.hpp"

using namespace teff;
using namespace teff::test;
using namespace teff::fd2;

TEST_CASE("traffic: arithmetic") {
  traffic a{8, 16, 3, 1};
  const traffic b{1, 2, 4, 8};
  CHECK(a.a_eff_bytes() == 24);
  CHECK((a + b).a_eff_bytes() == 27);
  a += b;
  CHECK(a.flop == 7);
  CHECK(a.cells == 9);
  CHECK(gb_per_s(2e9, 0.5) == doctest::Approx(4));
}

TEST_CASE("traffic: each distinct array once") {
  for (const device dev : test_devices()) {
    const auto A = zeros<f64>(dev, {100, 50}, "A"), B = zeros<f64>(dev, {100, 50}),
               C = zeros<f64>(dev, {100, 50});
    const double one = 100 * 50 * 8;
    const auto moved = [](const traffic& t) { return t.a_eff_bytes(); };
    CHECK(moved(traffic_of(A, 1.0)) == one);
    CHECK(moved(traffic_of(A, B)) == 2 * one);
    CHECK(moved(traffic_of(A, B + 0.3 * C)) == 3 * one);
    CHECK(moved(traffic_of(A, B + B * B)) == 2 * one);
    CHECK(moved(traffic_of(A, A + B)) == 3 * one);
    CHECK(moved(traffic_of(A, ix + iy)) == one);
    const traffic triad = traffic_of(A, B + 0.3 * C);
    CHECK(triad.read_bytes == 2 * one);
    CHECK(triad.write_bytes == one);
    CHECK(triad.flop == 2 * 100 * 50);
    CHECK(triad.cells == 100 * 50);
  }
}

TEST_CASE("traffic: other types, and vectors along a dim") {
  const device cpu = device::cpu();
  const auto A = zeros<f32>(cpu, {100, 50});
  const auto B = zeros<u8>(cpu, {100, 50});
  const auto row = zeros<f64>(cpu, {100});
  const traffic t = traffic_of(A, B * along<0>(row));
  CHECK(t.read_bytes == 100 * 50 + 100 * 8);
  CHECK(t.write_bytes == 100 * 50 * 4);
}

TEST_CASE("traffic: slices count their own cells") {
  const device cpu = device::cpu();
  const auto A = zeros<f64>(cpu, {100, 50}), B = zeros<f64>(cpu, {100, 50});
  const traffic half = traffic_of(A(range(0, 50), whole), B(range(50, 100), whole));
  CHECK(half.read_bytes == 50 * 50 * 8);
  CHECK(half.write_bytes == 50 * 50 * 8);
  CHECK(traffic_of(A(3, whole), B(whole, 0)(range(0, 50))).a_eff_bytes() == 2 * 50 * 8);
  CHECK(traffic_of(A(range(0, 0), whole), B(range(0, 0), whole)).a_eff_bytes() == 0);
}

TEST_CASE("traffic: the fused heat step is three arrays") {
  const device cpu = device::cpu();
  const index_t nx = 200, ny = 100;
  const auto T = zeros<f64>(cpu, {nx, ny}), Ci = zeros<f64>(cpu, {nx, ny}),
             T2 = zeros<f64>(cpu, {nx, ny});
  const auto qx = -1.0 * d_xi(T) * 2.0;
  const auto qy = -1.0 * d_yi(T) * 2.0;
  const auto step = inn(T) + 0.1 * (inn(Ci) * (-d_xa(qx) * 2.0 - d_ya(qy) * 2.0));
  const traffic moved = traffic_of(inn(T2), step);
  const double inner = (nx - 2) * (ny - 2) * 8, all = nx * ny * 8;
  CHECK(moved.write_bytes == inner);
  // T is read at five places, all in one array: no more than the array, no less than its inner
  // part.
  CHECK(moved.read_bytes <= inner + all);
  CHECK(moved.read_bytes >= 2 * inner);
  CHECK(moved.a_eff_bytes() == doctest::Approx(3 * all).epsilon(0.05));
  CHECK(moved.flop == (nx - 2) * (ny - 2) * static_cast<double>(decltype(step)::flops));
}

// SPDX-License-Identifier: MIT
#include <cmath>
#include <vector>

#include <teff/algo/random.hpp>
#include <teff/algo/reduce.hpp>

#include "../compare.hpp"
#include "../message.hpp"
#include "convergence.hpp"
#include "sbp_matrix.hpp"

using namespace teff;
using namespace teff::test;

namespace {

constexpr double epsilon = 4e-16;

array<f64, 1> power(index_t n, double h, int degree) {
  array<f64, 1> x(device::cpu(), {n});
  x = full(device::cpu(), {n}, 1.);
  for (int k = 0; k < degree; ++k) x = x * (h * ix);
  return x;
}

/// The energy of d2x, and of its like with a coefficient: what is left without the slopes.
template <int Order, class Second, class Flux>
matrix energy_matrix(const line<Order>& d, const Second& second, const Flux& slope) {
  return matrix(d.points()[0], [&](const auto& u) {
    return d.norm() *
           (d.lifted(low_x, slope(low_x, u)) + d.lifted(high_x, slope(high_x, u)) - second(u));
  });
}

/// H D1 + (H D1)^T = B, and H D2 = -M + (slopes), M symmetric with eigenvalues from 0 on.
template <int Order>
void check_parts(index_t n) {
  CAPTURE(Order);
  CAPTURE(n);
  const line<Order> d(device::cpu(), {n}, {0.1});
  const matrix q(n, [&](const auto& u) { return d.norm() * d.d1x(u); });
  for (index_t i = 0; i < n; ++i)
    for (index_t j = 0; j < n; ++j) {
      const double b = i != j ? 0 : i == 0 ? -1 : i == n - 1 ? 1 : 0;
      CHECK(std::abs(q(i, j) + q(j, i) - b) <= epsilon);
    }
  matrix m = energy_matrix(
      d, [&](const auto& u) { return d.d2x(u); },
      [&](auto side, const auto& u) { return d.side_slope(side, u); });
  CHECK(m.asymmetry() <= 8 * epsilon * m.largest());
  for (index_t i = 0; i < n; ++i) m(i, i) += 1e-10;  // constants have no energy
  CHECK(m.least_pivot() > 0);
}

/// The same with a coefficient, here one without any smoothness.
template <int Order>
void check_flux_parts(index_t n) {
  const line<Order> d(device::cpu(), {n}, {0.1});
  array<f64, 1> b(device::cpu(), {n});
  b = 0.1 + random<f64>(device::cpu(), {n}, 5);
  matrix m = energy_matrix(
      d, [&](const auto& u) { return d.d2x(b, u); },
      [&](auto side, const auto& u) { return d.side_value(side, b) * d.side_slope(side, u); });
  CHECK(m.asymmetry() <= 8 * epsilon * m.largest());
  for (index_t i = 0; i < n; ++i) m(i, i) += 1e-10;
  CHECK(m.least_pivot() > 0);
  // where b is the same everywhere, it is a factor
  b = 3.;
  const array<f64, 1> u = random<f64>(device::cpu(), {n}, 6);
  CHECK(static_cast<double>(max_abs(d.d2x(b, u) - 3. * d.d2x(u))) < 1e-11);
}

/// Whether an expression is a multiple of x^degree, in rows [from, n - from).
template <class E>
bool is_power(const E& e, double factor, int degree, index_t n, double h, index_t from) {
  array<f64, 1> y(device::cpu(), {n}), expected = zeros<f64>(device::cpu(), {n});
  y = e;
  if (factor != 0) expected = factor * power(n, h, degree);
  const double largest = 100 + static_cast<double>(max_abs(expected));
  return max_abs((y - expected)(range(from, n - from))) < 1e-12 * largest;
}

/// Which polynomials are exact, near the ends and far from them.
template <int Order>
void check_exactness() {
  constexpr index_t n = 24;
  const double h = 0.5;
  constexpr int near_first = Order / 2, near_second = Order / 2 + 1;
  constexpr runtime::sbp_layout at = runtime::sbp_layout_of(Order);
  const line<Order> d(device::cpu(), {n}, {h});
  for (int k = 0; k <= Order + 2; ++k) {
    CAPTURE(Order);
    CAPTURE(k);
    const array<f64, 1> u = power(n, h, k);
    const double first = k, second = k * (k - 1);
    if (k <= Order + 1) {
      CHECK(is_power(d.d2x(u), second, k - 2, n, h, at.rows));
      CHECK(is_power(d.d2x(u), second, k - 2, n, h, 0) == (k <= near_second));
    }
    if (k <= Order) {
      CHECK(is_power(d.d1x(u), first, k - 1, n, h, at.rows));
      CHECK(is_power(d.d1x(u), first, k - 1, n, h, 0) == (k <= near_first));
    }
    if (k == Order + 2) CHECK(!is_power(d.d2x(u), second, k - 2, n, h, at.rows));
    if (k <= Order / 2 + 1) {  // slopes point outwards
      const double l = h * static_cast<double>(n - 1);
      array<f64, 1> slope(device::cpu(), {n});
      slope = d.side_slope(high_x, u);
      CHECK(slope(5) == doctest::Approx(k * std::pow(l, k - 1)).epsilon(1e-12));
      slope = d.side_slope(low_x, u);
      CHECK(slope(5) == doctest::Approx(k == 1 ? -1 : 0).epsilon(1e-12));
    }
    if constexpr (Order < 6)
      for (int c = 0; c + k <= Order + 1; ++c) {  // (x^c (x^k)')'
        const array<f64, 1> b = power(n, h, c);
        const double factor = k * (c + k - 1);
        CHECK(is_power(d.d2x(b, u), factor, c + k - 2, n, h, at.flux_rows));
        if (c + k <= near_second) CHECK(is_power(d.d2x(b, u), factor, c + k - 2, n, h, 0));
      }
  }
}

/// -H (D2 + penalties): symmetric, all eigenvalues above 0.
template <int Order>
void check_penalties(index_t n) {
  CAPTURE(Order);
  const line<Order> d(device::cpu(), {n}, {0.1}), e(device::cpu(), {n}, {0.05});
  const auto check = [](matrix m, bool is_definite) {
    CHECK(m.asymmetry() <= 16 * epsilon * m.largest());
    CHECK((m.least_pivot() > 0) == is_definite);
  };
  const auto dirichlet = [&](double strength) {
    return matrix(n, [&](const auto& u) {
      return d.norm() *
             -(d.d2x(u) + d.dirichlet(low_x, u, strength) + d.dirichlet(high_x, u, strength));
    });
  };
  check(dirichlet(1.5), true);
  check(dirichlet(1.001), true);
  check(dirichlet(0.6), false);  // seen
  check(matrix(n,
               [&](const auto& u) {
                 return d.norm() * -(d.d2x(u) + d.dirichlet(low_x, u) + d.neumann(high_x, u, 0.));
               }),
        true);
  // two grids of other spacings, one after the other in one vector
  check(matrix(2 * n,
               [&](const auto& both) {
                 const auto u = both(range(0, n)), v = both(range(n, 2 * n));
                 array<f64, 1> y(device::cpu(), {2 * n});
                 y(range(0, n)) =
                     d.norm() * -(d.d2x(u) + d.dirichlet(low_x, u) + d.interface(high_x, u, e, v));
                 y(range(n, 2 * n)) =
                     e.norm() * -(e.d2x(v) + e.dirichlet(high_x, v) + e.interface(low_x, v, d, u));
                 return y;
               }),
        true);
  check(matrix(2 * n,
               [&](const auto& both) {  // as weak as is stable
                 const auto u = both(range(0, n)), v = both(range(n, 2 * n));
                 array<f64, 1> y(device::cpu(), {2 * n});
                 y(range(0, n)) = d.norm() * -(d.d2x(u) + d.dirichlet(low_x, u) +
                                               d.interface(high_x, u, e, v, 1.001));
                 y(range(n, 2 * n)) = e.norm() * -(e.d2x(v) + e.dirichlet(high_x, v) +
                                                   e.interface(low_x, v, d, u, 1.001));
                 return y;
               }),
        true);
  if constexpr (Order < 6) {
    array<f64, 1> b(device::cpu(), {n});
    b = 1 + 0.1 * ix;
    check(matrix(n,
                 [&](const auto& u) {
                   return d.norm() * -(d.d2x(b, u) + d.dirichlet(low_x, b, u, 2) +
                                       d.neumann(high_x, b, u, 0.));
                 }),
          true);
  }
}

}  // namespace

TEST_CASE("sbp: H D1 + (H D1)^T = B, and H D2 = -M + B S with M symmetric, to rounding") {
  for (const index_t n : {12, 13, 20}) {
    check_parts<2>(n);
    check_parts<4>(n);
    check_parts<6>(n);
  }
  check_parts<2>(3);
  check_parts<4>(8);
}

TEST_CASE("sbp: with a coefficient H D2 = -M + B b S, M symmetric") {
  check_flux_parts<2>(3);
  check_flux_parts<2>(9);
  check_flux_parts<4>(12);
  check_flux_parts<4>(21);
}

TEST_CASE("sbp: polynomials are exact up to the order, near the ends up to half of it") {
  check_exactness<2>();
  check_exactness<4>();
  check_exactness<6>();
}

TEST_CASE("sbp: with penalties operators are symmetric in the norm, and definite") {
  for (const index_t n : {3, 4, 5, 12}) check_penalties<2>(n);
  check_penalties<4>(16);
  check_penalties<6>(16);
}

TEST_CASE("sbp: the norm integrates, and a penalty adds what its side integrates") {
  const index_t nx = 14, ny = 17;
  const sbp<4, 2> d(device::cpu(), {nx, ny}, {0.1, 0.2});
  array<f64, 2> u(device::cpu(), {nx, ny}), v = random<f64>(device::cpu(), {nx, ny}, 4);
  u = 0.1 * ix * sq(0.2 * iy);  // over [0, 1.3] x [0, 3.2]
  const double whole_area = 1.3 * 1.3 / 2 * 3.2 * 3.2 * 3.2 / 3;
  CHECK(static_cast<double>(sum(d.norm() * u)) == doctest::Approx(whole_area).epsilon(1e-13));
  CHECK(static_cast<double>(sum(d.norm() * d.lifted(high_x, u))) ==
        doctest::Approx(1.3 * 3.2 * 3.2 * 3.2 / 3).epsilon(1e-13));
  const double left = dot(v, d.norm() * d.lifted_slope(low_y, u + 1.)),
               right = sum(d.norm() * d.lifted(low_y, d.side_slope(low_y, v) * (u + 1.)));
  CHECK(left == doctest::Approx(right).epsilon(1e-12));
}

TEST_CASE("sbp: a statement reads and writes each array once") {
  const index_t n = 40;
  const sbp<6, 2> d(device::cpu(), {n, n}, {1., 1.});
  array<f64, 2> u = zeros<f64>(device::cpu(), {n, n}), y = u;
  const double all = n * n * sizeof(f64),
               list = runtime::sbp_layout_of(6).count * static_cast<double>(sizeof(f64));
  const traffic moved = traffic_of(y, d.d2x(u) + d.d2y(u) + d.dirichlet(low_x, u));
  CHECK(moved.read_bytes == all + list);
  CHECK(moved.write_bytes == all);
}

TEST_CASE("sbp: what does not fit is refused") {
  const device cpu = device::cpu();
  CHECK(message_of([&] { sbp<4, 1>(cpu, {7}, {1.}); }) ==
        "sbp<4>: 8 points or more are needed along dim 0, got 7");
  CHECK(contains(message_of([&] {
                   sbp<6, 2>(cpu, {12, 11}, {1., 1.});
                 }),
                 "12 points or more are needed along dim 1, got 11"));
  CHECK(contains(message_of([&] { sbp<2, 1>(cpu, {9}, {0.}); }),
                 "the spacing along dim 0 must be above 0"));
  const sbp<4, 2> d(cpu, {11, 12}, {1., 1.});
  array<f64, 2> u = zeros<f64>(cpu, {11, 12}), small = zeros<f64>(cpu, {11, 11}), y = u;
  CHECK(contains(message_of([&] { y = d.d2x(u, u); }), "needs 12 points or more along dim 0"));
  CHECK(contains(message_of([&] { small = d.d2y(small); }),
                 "sbp: an operand has 11 points along dim 1, the grid of the operators has 12"));
  CHECK(contains(message_of([&] { u = d.d2x(u); }), "racy statement"));
  CHECK(contains(message_of([&] { u = u + d.d2y(u); }), "racy statement"));
  CHECK(contains(message_of([&] { u = u + d.dirichlet(low_x, u); }), "racy statement"));
}

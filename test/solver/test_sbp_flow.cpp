// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>
#include <vector>

#include <teff/algo/random.hpp>
#include <teff/algo/reduce.hpp>

#include "../compare.hpp"
#include "../devices.hpp"
#include "../message.hpp"
#include "convergence.hpp"
#include "sbp_matrix.hpp"

using namespace teff;
using namespace teff::test;

namespace {

/// A matrix times each line of the cells along a dim.
std::vector<f64> along_lines(const matrix& m, const std::vector<f64>& u, const index_t (&n)[3],
                             int dim) {
  std::vector<f64> y(u.size());
  const index_t stride[3] = {1, n[0], n[0] * n[1]};
  for (index_t c = 0; c < static_cast<index_t>(u.size()); ++c) {
    const index_t row = c / stride[dim] % n[dim], first = c - row * stride[dim];
    double sum = 0;
    for (index_t j = 0; j < n[dim]; ++j)
      sum += m(row, j) * u[static_cast<std::size_t>(first + j * stride[dim])];
    y[static_cast<std::size_t>(c)] = sum;
  }
  return y;
}

double largest_difference(const std::vector<f64>& a, const std::vector<f64>& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
  return a.size() == b.size() ? most : std::numeric_limits<double>::infinity();
}

/// -u'' = f with u given at the low end and its slope at the high end: the error in the norm.
template <int Order>
double manufactured_error(index_t n) {
  const double h = 1 / static_cast<double>(n - 1);
  const line<Order> d(device::cpu(), {n}, {h});
  array<f64, 1> exact(device::cpu(), {n}), f = exact, u = exact;
  exact = sin(1. + 3. * h * ix);
  const matrix a(n, [&](const auto& v) {
    return -(d.d2x(v) + d.dirichlet(low_x, v) + d.neumann(high_x, v, 0.));
  });
  f = 9. * exact - d.dirichlet(low_x, exact) +
      d.lifted(high_x, full(device::cpu(), {n}, 3 * std::cos(4.)));
  u = from_host(a.solve(to_host(f)));
  return std::sqrt(static_cast<double>(sum(d.norm() * sq(u - exact))));
}

/// Three stages that add no energy where the operator takes none in.
template <class Rate>
void step(array<f64, 1>& u, double dt, const Rate& rate) {
  array<f64, 1> first = u, second = u;
  first = u + dt * rate(u);
  second = 0.75 * u + 0.25 * (first + dt * rate(first));
  first = second + dt * rate(second);
  u = (1. / 3) * u + (2. / 3) * first;
}

template <int Order>
void check_energy() {
  CAPTURE(Order);
  const index_t n = 40;
  const double h = 1 / static_cast<double>(n - 1);
  const line<Order> d(device::cpu(), {n}, {h});
  const auto never_grows = [&](double dt, const auto& rate, const auto& energy, index_t cells,
                               bool all_goes) {
    array<f64, 1> u(device::cpu(), {cells});
    u = random<f64>(device::cpu(), {cells}, 3) - 0.5;
    const double start = energy(u);
    double before = start;
    for (int s = 0; s < 300; ++s) {
      step(u, dt, rate);
      const double now = energy(u);
      CHECK(now <= before * (1 + 1e-14));
      before = now;
    }
    CHECK((before < 0.5 * start) == all_goes);
    return before < start;
  };
  const auto norm = [&](const auto& u) { return static_cast<double>(sum(d.norm() * sq(u))); };
  never_grows(
      0.05 * h * h,
      [&](const auto& u) { return d.d2x(u) + d.dirichlet(low_x, u) + d.neumann(high_x, u, 0.); },
      norm, n, true);
  never_grows(
      0.2 * h, [&](const auto& u) { return d.inflow(low_x, 1, u) - d.d1x(u); }, norm, n, true);
  // d2u/dt2 = d2u/dx2: u and its rate v one after the other
  const auto u_of = [&](const auto& w) { return w(range(0, n)); };
  const auto v_of = [&](const auto& w) { return w(range(n, 2 * n)); };
  const auto acceleration = [&](const auto& u) {
    return d.d2x(u) + d.dirichlet(low_x, u) + d.dirichlet(high_x, u);
  };
  never_grows(
      0.1 * h,
      [&](const auto& w) {
        array<f64, 1> rate(device::cpu(), {2 * n});
        rate(range(0, n)) = v_of(w);
        rate(range(n, 2 * n)) = acceleration(u_of(w));
        return rate;
      },
      [&](const auto& w) {
        return static_cast<double>(sum(d.norm() * sq(v_of(w)))) -
               static_cast<double>(sum(d.norm() * u_of(w) * acceleration(u_of(w))));
      },
      2 * n, false);
}

}  // namespace

TEST_CASE("sbp: in 2-D and 3-D each line is as in 1-D, on all devices and at any strides") {
  const index_t n[3] = {13, 14, 15};
  const double h[3] = {0.5, 0.25, 0.125};
  const auto along = [&](int dim, const auto& of) {
    const line<4> d(device::cpu(), {n[dim]}, {h[dim]});
    return matrix(n[dim], [&](const auto& u) { return of(d, u); });
  };
  const auto first = [](const auto& d, const auto& u) { return d.d1x(u); };
  const auto second = [](const auto& d, const auto& u) { return d.d2x(u); };
  for (const device dev : test_devices()) {
    const sbp<4, 3> d(dev, {n[0], n[1], n[2]}, {h[0], h[1], h[2]});
    const array<f64, 3> u = random<f64>(dev, {n[0], n[1], n[2]}, 7);
    array<f64, 3> y = u;
    const auto cells = to_host(u);
    const auto check = [&](int dim, const auto& of) {
      CHECK(largest_difference(to_host(y), along_lines(along(dim, of), cells, n, dim)) < 1e-11);
    };
    y = d.d1x(u), check(0, first);
    y = d.d1y(u), check(1, first);
    y = d.d1z(u), check(2, first);
    y = d.d2x(u), check(0, second);
    y = d.d2y(u), check(1, second);
    y = d.d2z(u), check(2, second);
    // a sum in one statement, a part of it, and its integral have the bits of a whole one
    array<f64, 3> turned(dev, {n[2], n[1], n[0]});
    const auto sum_of = d.d2x(u) + d.d2y(u) + d.d2z(u) + d.dirichlet(low_z, u) + d.d1x(d.d1x(u));
    y = sum_of;
    transposed(turned) = sum_of;
    CHECK(all(y == transposed(turned)));
    array<f64, 3> part(dev, {6, 5, 14});
    part = sum_of(range(7, 13), range(0, 5), range(1, 15));
    CHECK(all(part == y(range(7, 13), range(0, 5), range(1, 15))));
    CHECK(static_cast<double>(sum(sum_of)) == static_cast<double>(sum(y)));
  }
}

TEST_CASE("sbp: long rows have the bits of any other way") {
  for (const device dev : test_devices()) {
    const auto check = [&](auto zero, index_t nx, index_t ny) {
      using R = decltype(zero);
      const sbp<6, 2, R> d(dev, {nx, ny}, {0.3, 0.7});
      const array<R, 2> u = random<R>(dev, {nx, ny}, 9);
      array<R, 2> y = u, turned(dev, {ny, nx});
      const auto e = d.d2x(u) + d.d2y(u);
      y = e;
      turned.t() = e;
      CHECK(all(y == turned.t()));
    };
    check(f64{}, 2500, 13);
    check(f32{}, 2500, 13);
    check(f64{}, 12, 40);
  }
}

TEST_CASE("sbp: results past the CPU's caches have the bits of their parts") {
  if (is_quick()) return;
  const index_t nx = 1500, half = static_cast<index_t>(describe(device::cpu()).cache_bytes) / 2;
  const index_t ny = half / (nx * index_t{sizeof(f64)}) + 20;
  const sbp<6, 2> d(device::cpu(), {nx, ny}, {0.3, 0.7});
  const array<f64, 2> u = random<f64>(device::cpu(), {nx, ny}, 9);
  array<f64, 2> y = u, part(device::cpu(), {nx, 4});
  const auto e = d.d2x(u) + d.d2y(u);
  y = e;
  for (const index_t j : {index_t{0}, index_t{4}, ny / 2, ny - 8, ny - 4}) {
    part = e(whole, range(j, j + 4));
    CHECK(all(part == y(whole, range(j, j + 4))));
  }
}

TEST_CASE("sbp: -u'' = f by penalties has orders 2, 4 and 5") {
  const auto order = [](const char* what, const auto& error) {
    convergence c;
    for (const index_t n : {25, 49, 97}) c.add(1 / static_cast<double>(n - 1), error(n));
    c.show(what);
    return c.order();
  };
  CHECK(std::abs(order("sbp 2", manufactured_error<2>) - 2) < 0.3);
  CHECK(std::abs(order("sbp 4", manufactured_error<4>) - 4) < 0.4);
  CHECK(std::abs(order("sbp 6", manufactured_error<6>) - 5.5) < 0.7);
}

TEST_CASE("sbp: heat, advection and waves with penalties never gain energy") {
  check_energy<2>();
  check_energy<4>();
  check_energy<6>();
}

TEST_CASE("sbp: a penalty that is too weak lets energy grow") {
  const index_t n = 20;
  const double h = 1. / 19;
  const line<4> d(device::cpu(), {n}, {h});
  array<f64, 1> u = random<f64>(device::cpu(), {n}, 3);
  const auto energy = [&] { return static_cast<double>(sum(d.norm() * sq(u))); };
  const double start = energy();
  for (int s = 0; s < 300; ++s)
    step(u, 0.05 * h * h, [&](const auto& v) {
      return d.d2x(v) + d.dirichlet(low_x, v, 0.3) + d.dirichlet(high_x, v, 0.3);
    });
  CHECK(energy() > 10 * start);
}

TEST_CASE("sbp: a plane through two grids meets all conditions, in 2-D and 3-D") {
  for (const device dev : test_devices()) {
    const sbp<4, 2> d(dev, {13, 12}, {0.1, 0.2}), e(dev, {15, 12}, {0.05, 0.2});
    array<f64, 2> u(dev, {13, 12}), v(dev, {15, 12});
    u = 1. + 0.1 * ix + 0.4 * iy;
    v = 2.2 + 0.05 * ix + 0.4 * iy;
    array<f64, 2> y = u, z = v;
    y = d.d2x(u) + d.d2y(u) + d.dirichlet(low_x, u - (1. + 0.4 * iy)) + d.neumann(low_y, u, -2.) +
        d.neumann(high_y, u, 2.) + d.interface(high_x, u, e, v);
    z = e.interface(low_x, v, d, u) + e.neumann(high_x, v, 1.);
    CHECK(static_cast<double>(max_abs(y)) < 1e-10);
    CHECK(static_cast<double>(max_abs(z)) < 1e-10);
    z = e.interface(low_x, v + 1., d, u);  // seen, if they do not meet
    CHECK(static_cast<double>(max_abs(z)) > 1);
    const sbp<2, 3> f(dev, {5, 6, 7}, {1., 1., 1.});
    array<f64, 3> w(dev, {5, 6, 7});
    w = 1. * ix + 2. * iy + 3. * iz;
    array<f64, 3> x = w;
    x = f.d2z(w) + f.neumann(low_z, w, -3.) + f.neumann(high_z, w, 3.) +
        f.dirichlet(high_y, w - (10. + 1. * ix + 3. * iz));
    CHECK(static_cast<double>(max_abs(x)) < 1e-12);
  }
}

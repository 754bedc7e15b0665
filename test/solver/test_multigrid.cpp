// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>
#include <sstream>

#include <omp.h>

#include <teff/algo/random.hpp>
#include <teff/array/host_copy.hpp>
#include <teff/solver/poisson.hpp>
#include <teff/solver/poisson_cells.hpp>

#include "../compare.hpp"
#include "../devices.hpp"
#include "../message.hpp"
#include "convergence.hpp"

using namespace teff;
using namespace teff::test;

namespace {

std::string text_of(const poisson_report& run) {
  std::ostringstream text;
  text << run;
  return text.str();
}

/// The mean factor of V-cycles for random values, of points from 0 on.
double factor_at_points(device dev, index_t nx, index_t ny, const poisson_options& options = {}) {
  array<f64, 2> u = zeros<f64>(dev, {nx, ny}), f = random<f64>(dev, {nx, ny}, 3);
  const poisson_report run = poisson2d(u, f, options);
  INFO(text_of(run));
  CHECK(run.has_converged());
  CHECK(contains(text_of(run), " V-cycles of multigrid on " + extents_text(u.shape())));
  return run.factor;
}

/// The same on cells, of which some may have another coefficient.
poisson_report run_on_cells(device dev, extents<2> n, const poisson_cells_options& options,
                            double inside = 1, double outside = 1) {
  array<f64, 2> u = zeros<f64>(dev, n), f = random<f64>(dev, n, 3), k(dev, n);
  f = f - 0.5;
  const double nx = static_cast<double>(n[0]), ny = static_cast<double>(n[1]);
  k = where(sq((ix + 0.5) / nx - 0.5) + sq((iy + 0.5) / ny - 0.5) < 0.09, inside, outside);
  return inside == outside ? poisson(u, f, options) : poisson(u, f, k, options);
}

const boundary earthed{{fixed(0.0), fixed(0.0)}, {fixed(0.0), fixed(0.0)}};

/// The error of -div(k grad u) = f for u = cos(pi x) sin(y + 1), k = 1 + y^2, closed at x = 0 and
/// 1, where u has the slope 0, and given at y = 0 and 1.
double cells_error(device dev, index_t n) {
  const double h = 1 / static_cast<double>(n);
  const auto x = (ix + 0.5) * h;
  const auto y = (iy + 0.5) * h;
  array<f64, 2> u = zeros<f64>(dev, {n, n}), exact = u, f = u, k = u;
  const auto wave = cos(pi * x) * sin(y + 1);
  exact = wave;
  k = 1 + 0 * x + sq(y);
  // -div(k grad u) = k (pi^2 + 1) u - dk/dy du/dy
  f = (1 + sq(y)) * ((pi * pi + 1) * wave) - 2 * y * (cos(pi * x) * cos(y + 1));
  // Values at walls that depend on position are a part of f.
  const double s = 2 / (h * h);
  const array_ref<f64, 2> low = f(whole, range(0, 1)), high = f(whole, range(n - 1, n));
  low = low + s * (1 + sq(0.5 * h)) * (std::sin(1.0) * cos(pi * (ix + 0.5) * h) + 0 * iy);
  high = high + s * (1 + sq(1 - 0.5 * h)) * (std::sin(2.0) * cos(pi * (ix + 0.5) * h) + 0 * iy);
  const poisson_report run =
      poisson(u, f, k, {.sides = {.y = {fixed(0.0), fixed(0.0)}}, .tolerance = 1e-11});
  INFO(text_of(run));
  CHECK(run.has_converged());
  return max_abs(u - exact);
}

}  // namespace

TEST_CASE("multigrid: at points, the factor does not depend on the extents") {
  for (const device dev : test_devices()) {
    for (const index_t n : {6, 17, 64, 127}) CHECK(factor_at_points(dev, n, n) < 0.15);
    CHECK(factor_at_points(dev, 5, 400) < 0.15);
    if (!is_long()) continue;
    CHECK(factor_at_points(dev, 1000, 37) < 0.15);
    for (const index_t n : {1021, 1023, 1024}) CHECK(factor_at_points(dev, n, n) < 0.15);
  }
}

TEST_CASE("multigrid: stretched cells are paired along the strong dim") {
  for (const double ly : {1000.0, 3.0, 0.001}) {
    CAPTURE(ly);
    CHECK(factor_at_points(device::cpu(), 97, 100, {.ly = ly}) < 0.15);
    const poisson_report run = run_on_cells(device::cpu(), {90, 61}, {.ly = ly, .sides = earthed});
    CHECK(run.factor < 0.15);
  }
}

TEST_CASE("multigrid: cells with any sides") {
  const std::vector<sides> kinds{
      sides{}, periodic, {fixed(0.0), fixed(0.0)}, {gradient(0.0), fixed(0.0)}};
  for (const device dev : test_devices())
    for (const sides& x : kinds)
      for (const sides& y : kinds)
        for (const extents<2> n : {extents<2>{32, 32}, extents<2>{43, 29}}) {
          const poisson_report run = run_on_cells(dev, n, {.sides = {x, y}, .project = true});
          INFO(text_of(run));
          CHECK(run.has_converged());
          CHECK(run.factor < 0.15);
        }
}

TEST_CASE("multigrid: grids of few cells") {
  for (const index_t nx : {1, 2, 3, 5})
    for (const index_t ny : {1, 2, 7})
      for (const sides& x : {sides(fixed(0.0), fixed(0.0)), sides(periodic)}) {
        CAPTURE(nx);
        CAPTURE(ny);
        const poisson_report run =
            run_on_cells(device::cpu(), {nx, ny}, {.sides = {x, {fixed(0.0), gradient(0.0)}}});
        INFO(text_of(run));
        CHECK(run.has_converged());
      }
}

TEST_CASE("multigrid: coefficients that jump by 1000") {
  for (const index_t n : {50, 64, 128, 201}) {
    if (n > 64 && !is_long()) continue;
    for (const boundary& b : {earthed, boundary{}})
      for (const bool is_high_inside : {true, false}) {
        const poisson_report run = run_on_cells(
            device::cpu(), {n, n},
            {.sides = b, .tolerance = 1e-9, .method = poisson_method::multigrid, .project = true},
            is_high_inside ? 1000 : 1, is_high_inside ? 1 : 1000);
        INFO(text_of(run));
        CHECK(run.has_converged());
        CHECK(run.factor < 0.4);
      }
  }
}

TEST_CASE("multigrid: regions that jump by 1000 may be thin, and lie anyhow") {
  struct box {
    index_t x[2], y[2];
  };
  struct regions {
    extents<2> n;
    boundary sides;
    double inside;
    std::vector<box> boxes;
  };
  const boundary closed{}, mixed{{fixed(0.0), gradient(0.0)}, {gradient(0.0), fixed(0.0)}};
  // Of each, cycles diverged as long as the point of a pair was its middle.
  for (const regions& r :
       {regions{{64, 64}, closed, 1000, {{{18, 52}, {1, 5}}}},
        regions{{37, 50}, mixed, 1000, {{{26, 29}, {19, 35}}, {{3, 37}, {14, 18}}}},
        regions{{64, 64}, mixed, 1e-3, {{{39, 60}, {12, 44}}, {{20, 41}, {52, 64}}}},
        regions{{80, 33},
                {{}, {fixed(0.0), fixed(0.0)}},
                1000,
                {{{6, 80}, {4, 19}}, {{48, 55}, {0, 30}}}}}) {
    array<f64, 2> u = zeros<f64>(device::cpu(), r.n), f = random<f64>(device::cpu(), r.n, 3), k = u;
    f = f - 0.5;
    fill(k, 1.0);
    for (const box& b : r.boxes) fill(k(range(b.x[0], b.x[1]), range(b.y[0], b.y[1])), r.inside);
    const poisson_report run = poisson(u, f, k,
                                       {.sides = r.sides,
                                        .tolerance = 1e-9,
                                        .method = poisson_method::multigrid,
                                        .project = true});
    INFO(text_of(run));
    CHECK(run.has_converged());
    CHECK(run.factor < 0.4);
  }
}

TEST_CASE("multigrid: where cycles gain little, others take over and the report says so") {
  const index_t n = 32;
  const device dev = device::cpu();
  array<f64, 2> u = zeros<f64>(dev, {n, n}), f = random<f64>(dev, {n, n}, 3), k = f;
  k = where(random<f64>(dev, {n, n}, 5) < 0.5, 1.0, 1000.0);  // from cell to cell
  const poisson_report run = poisson(u, f, k, {.sides = earthed, .tolerance = 1e-9});
  INFO(text_of(run));
  CHECK(run.has_converged());
  CHECK(contains(text_of(run), "of multigrid (which gain little here), then "));
  CHECK(contains(text_of(run), " iterations of conjugate gradients preconditioned by "));
  const double before = max_abs(u);
  // Asked for: the same solution.
  for (const poisson_method how :
       {poisson_method::preconditioned, poisson_method::conjugate_gradients}) {
    array<f64, 2> v = zeros<f64>(dev, {n, n});
    k = where(sq(ix - 15.0) + sq(iy - 10.0) < 50, 1e6, 1.0);
    poisson(u, f, k, {.sides = earthed, .tolerance = 1e-9});
    const poisson_report other =
        poisson(v, f, k, {.sides = earthed, .tolerance = 1e-9, .method = how});
    INFO(text_of(other));
    CHECK(other.factor == 0);
    CHECK(static_cast<double>(max_abs(u - v)) < 1e-5 * before);
  }
}

TEST_CASE("multigrid: as a preconditioner it saves iterations") {
  array<f64, 2> u = zeros<f64>(device::cpu(), {97, 97}),
                f = random<f64>(device::cpu(), {97, 97}, 3);
  const poisson_report cycles = poisson2d(u, f);
  u = 0;
  const poisson_report both = poisson2d(u, f, {.method = poisson_method::preconditioned});
  u = 0;
  const poisson_report plain = poisson2d(u, f, {.method = poisson_method::conjugate_gradients});
  CHECK(both.has_converged());
  CHECK(both.iterations < cycles.iterations);
  CHECK(plain.iterations > 20 * both.iterations);
  CHECK(contains(text_of(both),
                 " iterations of conjugate gradients preconditioned by V-cycles of multigrid on"));
}

TEST_CASE("multigrid: order 2 with a coefficient that varies") {
  convergence c;
  for (const index_t n : {8, 16, 32, 64}) {
    if (is_quick() && n > 32) continue;
    c.add(1 / static_cast<double>(n), cells_error(device::cpu(), n));
  }
  c.show("poisson, cells");
  CHECK(std::abs(c.order() - 2) < 0.1);
}

TEST_CASE("multigrid: walls with values and slopes") {
  const device dev = device::cpu();
  const index_t nx = 20, ny = 13;
  array<f64, 2> u = zeros<f64>(dev, {nx, ny}), f = u, exact = u;
  const double h = 2.0 / static_cast<double>(nx);
  // Linear in x, so exact: 3 + 2 x
  exact = 3 + 2 * (ix + 0.5) * h + 0 * iy;
  poisson(u, f, {.lx = 2, .sides = {.x = {fixed(3.0), fixed(7.0)}}});
  CHECK(static_cast<double>(max_abs(u - exact)) < 1e-8);
  u = 0;
  poisson(u, f, {.lx = 2, .sides = {.x = {gradient(2 * h), fixed(7.0)}}});
  CHECK(static_cast<double>(max_abs(u - exact)) < 1e-8);
  u = 0;
  poisson(u, f, {.lx = 2, .sides = {.x = {fixed(3.0), gradient(2 * h)}, .y = periodic}});
  CHECK(static_cast<double>(max_abs(u - exact)) < 1e-8);
  u = 0;  // slopes alone: up to a constant
  CHECK(
      poisson(u, f, {.lx = 2, .sides = {.x = {gradient(2 * h), gradient(2 * h)}}}).has_converged());
  CHECK(static_cast<double>(max_abs(u - exact + 5)) < 1e-8);
  array<f64, 2> k = full(dev, {nx, ny}, 4.0);
  u = 0;
  poisson(u, f, k, {.lx = 2, .sides = {.x = {gradient(2 * h), fixed(7.0)}}});
  CHECK(static_cast<double>(max_abs(u - exact)) < 1e-8);
}

TEST_CASE("multigrid: a pressure projection leaves no divergence") {
  const device dev = device::cpu();
  const index_t nx = 48, ny = 35;
  const double dx = 1.0 / nx, dy = 2.0 / ny;
  array<f64, 2> vx = random<f64>(dev, {nx + 1, ny}, 1), vy = random<f64>(dev, {nx, ny + 1}, 2);
  vx(range(0, 1), whole) = 0, vx(range(nx, nx + 1), whole) = 0;
  vy(whole, range(0, 1)) = 0, vy(whole, range(ny, ny + 1)) = 0;
  array<f64, 2> p = zeros<f64>(dev, {nx, ny}), f = p;
  using namespace fd2;
  f = -(d_xa(vx) / dx + d_ya(vy) / dy);
  const poisson_report run = poisson(p, f, {.lx = 1, .ly = 2});
  CHECK(run.has_converged());
  inn_x(vx) = inn_x(vx) - d_xa(p) / dx;
  inn_y(vy) = inn_y(vy) - d_ya(p) / dy;
  CHECK(static_cast<double>(max_abs(d_xa(vx) / dx + d_ya(vy) / dy)) < 1e-7);
  CHECK(std::abs(static_cast<double>(mean(p))) < 1e-12);
}

TEST_CASE("multigrid: the same bits on any number of threads, and views of any strides") {
  const extents<2> n{93, 70};
  const device dev = device::cpu();
  const array<f64, 2> f = random<f64>(dev, n, 4);
  const auto solved = [&](int threads) {
    const int before = omp_get_max_threads();
    omp_set_num_threads(threads);
    array<f64, 2> u = zeros<f64>(dev, n);
    poisson2d(u, f);
    omp_set_num_threads(before);
    return to_host(u);
  };
  const auto one = solved(1);
  CHECK(difference(solved(2), one) == "");
  CHECK(difference(solved(3), one) == "");

  array<f64, 2> ut = zeros<f64>(dev, {70, 93}), ft = ut, u = zeros<f64>(dev, n);
  ft = f.t();
  poisson2d(transposed(ut), transposed(ft));
  poisson2d(u, f);
  CHECK(difference(to_host(u), one) == "");
  array<f64, 2> back = u;
  back = ut.t();
  CHECK(difference(to_host(back), one) == "");
}

TEST_CASE("multigrid: what can not be solved") {
  const device dev = device::cpu();
  array<f64, 2> u = zeros<f64>(dev, {6, 5}), f = full(dev, {6, 5}, 2.0), k = full(dev, {6, 5}, 1.0);
  CHECK(
      message_of([&] { poisson(u, f); }) ==
      "poisson: all sides are closed or periodic, so the right-hand side, with the slopes at the "
      "sides, must sum to 0, but it sums to 60 (of magnitudes that sum to 60); subtract its mean, "
      "or set .project = true, which does so");
  CHECK(poisson(u, f, {.project = true}).has_converged());
  CHECK(to_host(u) == std::vector<f64>(30, 0.0));
  k(2, 3) = -0.5;
  CHECK(message_of([&] { poisson(u, f, k, {.sides = earthed}); }) ==
        "poisson: the coefficient must be positive in each cell, but it is -0.5 at (2, 3); give "
        "cells that let nothing through a small one, such as 1e-6 of the others'");
  k(2, 3) = 0.0;
  CHECK(kind_of([&] { poisson(u, f, k, {.sides = earthed}); }) == failure::usage);
  k(2, 3) = std::numeric_limits<f64>::quiet_NaN();
  CHECK(contains(message_of([&] { poisson(u, f, k, {.sides = earthed}); }), "it is nan at (2, 3)"));
  k(2, 3) = std::numeric_limits<f64>::infinity();
  CHECK(contains(message_of([&] { poisson(u, f, k, {.sides = earthed}); }),
                 "the coefficient must be finite, the largest is inf"));
  CHECK(message_of([&] { poisson(u, u); }) ==
        "poisson: u, an array of 6x5 f64, shares memory with f; give u memory of its own");
  array<f64, 2> other(dev, {5, 6}), none(dev, {0, 3});
  CHECK(message_of([&] { poisson(u, other); }) ==
        "poisson: extents do not match: u is an array of 6x5 f64, f has 5x6");
  CHECK(message_of([&] { poisson(none, none); }) ==
        "poisson needs at least 1 cell along each dim, got 0x3");
  CHECK(contains(message_of([&] { poisson(u, f, {.sides = {.x = fixed(1.0 * ix)}}); }),
                 "expected periodic, fixed(v) or gradient(s) with a number at the low side of x, "
                 "got a condition 'value formula'"));
  CHECK(contains(message_of([&] {
                   poisson(u, f, {.sides = {.y = {periodic, fixed(1.0)}}});
                 }),
                 "one side of y is periodic and the other is not"));
  CHECK(kind_of([&] { poisson(u, f, {.lx = 0}); }) == failure::usage);
  CHECK(kind_of([&] { poisson(u, f, {.tolerance = -1}); }) == failure::usage);
  CHECK(kind_of([&] { poisson(u, f, {.iterations = -1}); }) == failure::usage);
  f = 1e-170;
  CHECK(message_of([&] { poisson(u, f, {.sides = earthed}); }) ==
        "poisson: the right-hand side is at most 1e-170, and its squares are too small to be "
        "summed; scale the equation, which is linear");
  f(1, 1) = std::numeric_limits<f64>::quiet_NaN();
  CHECK(message_of([&] { poisson(u, f, {.sides = earthed}); }) ==
        "poisson: the residual is not finite after iteration 0; u or f holds values that are not "
        "finite");
}

TEST_CASE("multigrid: a tolerance below rounding ends, and so do iterations") {
  array<f32, 2> u = zeros<f32>(device::cpu(), {65, 40}),
                f = random<f32>(device::cpu(), {65, 40}, 6);
  const poisson_report stuck = poisson2d(u, f, {.tolerance = 0});
  CHECK(stuck.is_stuck);
  CHECK(stuck.iterations < 20);
  CHECK(stuck.residual < 1e-4);
  CHECK(contains(text_of(stuck), "above the tolerance 0: rounding lets it get no smaller"));
  u = 0.0F;
  const poisson_report cut =
      poisson2d(u, f, {.iterations = 2, .method = poisson_method::multigrid});
  CHECK(text_of(cut).substr(0, 45) == "2 V-cycles of multigrid on 65x40 f32; relativ");
  CHECK(contains(text_of(cut), "the iterations are used up"));
  f = 0.0F;
  CHECK(contains(text_of(poisson2d(u, f)), "no iterations on 65x40 f32; relative residual 0"));
  CHECK(static_cast<double>(max_abs(u)) == 0);
}

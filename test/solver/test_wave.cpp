// SPDX-License-Identifier: MIT
#include <limits>

#include <teff/solver/wave.hpp>

#include "../message.hpp"
#include "convergence.hpp"
#include "solver_check.hpp"

#include <bench/naive/wave2d.hpp>

using namespace teff;
using namespace teff::fd2;
using namespace teff::test;

namespace {

template <class R>
struct state {
  std::vector<R> P, Vx, Vy;
};

template <class R>
state<R> state_of(wave2d<R>& s) {
  return {to_host(s.pressure()), to_host(s.velocity_x()), to_host(s.velocity_y())};
}
template <class R>
double distance(const state<R>& a, const state<R>& b) {
  return std::max(
      {test::distance(a.P, b.P), test::distance(a.Vx, b.Vx), test::distance(a.Vy, b.Vy)});
}

template <class R>
state<R> by_loops(const wave2d<R>& s, state<R> from, extents<2> n, index_t steps) {
  naive::wave2d<R>(from.P, from.Vx, from.Vy, static_cast<std::size_t>(n[0]),
                   static_cast<std::size_t>(n[1]), {s.rho(), s.K(), s.dt(), s.dx(), s.dy()},
                   static_cast<int>(steps));
  return from;
}

/// Every schedule from a random state: the same bits, and close to the loops.
template <class R>
void check_wave(generator& g, extents<2> n, index_t steps) {
  const wave_options options{
      .lx = 5 + 10 * g.uniform(), .rho = 0.5 + g.uniform(), .K = 0.5 + g.uniform()};
  const state<R> start{random_cells<R>(g, n.size()), random_cells<R>(g, (n[0] + 1) * n[1]),
                       random_cells<R>(g, n[0] * (n[1] + 1))};
  state<R> first;
  for (const device dev : test_devices())
    for (const int depth : {1, 2, 3, 5, 8}) {
      wave2d<R> solver(dev, n, options);
      solver.pressure() = from_host(start.P);
      solver.velocity_x() = from_host(start.Vx);
      solver.velocity_y() = from_host(start.Vy);
      const auto run = solver.run(steps_at(steps, depth));
      if (dev.is_cpu()) CHECK(run.depth() == depth_of(steps, depth));
      const state<R> got = state_of(solver);
      if (first.P.empty()) {
        first = got;
        CHECK(distance(got, by_loops(solver, start, n, steps)) <=
              64 * static_cast<double>(steps + 1) * std::numeric_limits<R>::epsilon());
      }
      INFO("wave on " << extents_text(n) << ", " << steps << " steps, depth " << depth);
      CHECK(difference(got.P, first.P) == "");
      CHECK(difference(got.Vx, first.Vx) == "");
      CHECK(difference(got.Vy, first.Vy) == "");
      g.count();
    }
}

/// The largest error of the standing wave cos(pi x / lx) cos(pi y / ly) cos(omega t) after about
/// three quarters of a period, when it passes zero and an error of phase shows most; on n by 3n / 2
/// cells of a box of 10 by 15.
double error_2d(device dev, index_t n, bool at_rest = true) {
  const double lx = 10, ly = 15, rho = 2, K = 3, kx = pi / lx, ky = pi / ly;
  wave2d<f64> w(dev, {n, 3 * n / 2}, {.lx = lx, .ly = ly, .rho = rho, .K = K});
  const auto mode = cos(kx * w.dx() * (ix + 0.5)) * cos(ky * w.dy() * (iy + 0.5));
  w.pressure() = mode;
  if (at_rest) {
    w.start_at_rest();
  } else {
    w.velocity_x() = 0;
    w.velocity_y() = 0;
  }
  const index_t steps = 2 * n;  // the same time on every grid
  w.run({.steps = steps});
  const double omega = std::sqrt(K / rho * (kx * kx + ky * ky));
  const double now = std::cos(omega * w.dt() * static_cast<double>(steps));
  return max_abs(w.pressure() - now * mode);
}

double error_3d(device dev, index_t n) {
  const double kx = pi / 10, ky = pi / 10, kz = 2 * pi / 10;
  wave3d<f64> w(dev, {n, n, n});
  const auto mode =
      cos(kx * w.dx() * (ix + 0.5)) * cos(ky * w.dy() * (iy + 0.5)) * cos(kz * w.dz() * (iz + 0.5));
  w.pressure() = mode;
  w.start_at_rest();
  const index_t steps = 2 * n;
  w.run({.steps = steps});
  const double omega = std::sqrt(kx * kx + ky * ky + kz * kz);
  return max_abs(w.pressure() - std::cos(omega * w.dt() * static_cast<double>(steps)) * mode);
}

template <class Error>
double order(const char* what, const std::vector<index_t>& grids, const Error& error_on) {
  convergence c;
  for (const index_t n : grids) c.add(1 / static_cast<double>(n), error_on(n));
  c.show(what);
  return c.order();
}

/// Values of a plane, repeated along dim `dim` of a box with `count` planes.
std::vector<f64> repeated(const std::vector<f64>& plane, index_t n0, index_t count, int dim) {
  std::vector<f64> box;
  const index_t n1 = static_cast<index_t>(plane.size()) / n0;
  const extents<3> n = dim == 0   ? extents<3>(count, n0, n1)
                       : dim == 1 ? extents<3>(n0, count, n1)
                                  : extents<3>(n0, n1, count);
  for (index_t k = 0; k < n[2]; ++k)
    for (index_t j = 0; j < n[1]; ++j)
      for (index_t i = 0; i < n[0]; ++i) {
        const index_t a = dim == 0 ? j : i, b = dim == 2 ? j : k;
        box.push_back(plane[static_cast<std::size_t>(a + n0 * b)]);
      }
  return box;
}

}  // namespace

TEST_CASE("wave: every schedule and depth, against naive loops (generated)") {
  generator g("wave2d");
  for (const index_t n : {1, 2, 3}) check_wave<f64>(g, {n, 4 - n}, 5);
  for (int round = 0; round < generator::rounds(20); ++round) {
    check_wave<f64>(g, {g.between(3, 40), g.between(3, 40)}, g.between(0, 23));
    check_wave<f32>(g, {g.between(3, 40), g.between(3, 40)}, g.between(0, 23));
  }
  check_wave<f64>(g, {127, 127}, 50);
  check_wave<f32>(g, {301, 77}, 9);
}

TEST_CASE("wave: a standing wave, of second order in space and time") {
  const std::vector<index_t> grids{16, 32, 64};
  for (const device dev : test_devices()) {
    const double two = order("wave2d", grids, [&](index_t n) { return error_2d(dev, n); });
    CHECK(std::abs(two - 2) < 0.1);
    // Velocities of zero half a step before the start: an error of first order, which must be seen.
    const double late = order("wave2d, started half a step late", grids,
                              [&](index_t n) { return error_2d(dev, n, false); });
    CHECK(std::abs(late - 1) < 0.3);
    const double three = order("wave3d", {12, 24, 48}, [&](index_t n) { return error_3d(dev, n); });
    CHECK(std::abs(three - 2) < 0.1);
  }
}

TEST_CASE("wave: the leapfrog's energy stays, to rounding") {
  for (const device dev : test_devices()) {
    wave2d<f64> w(dev, {60, 41}, {.ly = 7, .rho = 2, .K = 3});
    const double before = w.energy();
    const auto with_late_velocity = [&] {  // P^2 / 2K + rho v-^2 / 2: what one would write first
      return (double(sum(sq(w.pressure()))) / w.K() + w.rho() * double(sum(sq(w.velocity_x()))) +
              w.rho() * double(sum(sq(w.velocity_y())))) /
             2 * w.dx() * w.dy();
    };
    const double late_before = with_late_velocity();
    double drift = 0, late_drift = 0;
    for (int part = 0; part < 40; ++part) {
      w.run({.steps = 25});
      drift = std::max(drift, std::abs(w.energy() - before) / before);
      late_drift = std::max(late_drift, std::abs(with_late_velocity() - late_before) / late_before);
    }
    MESSAGE("energy drifts by " << drift << " in 1000 steps; with the velocity half a step behind "
                                << late_drift);
    CHECK(drift < 1e-13);
    CHECK(late_drift > 1e-3);
    CHECK(double(max_abs(w.velocity_x())) > 0.01);  // it moves
    CHECK(double(max_abs(w.velocity_y())) > 0.01);
  }
}

TEST_CASE("wave: no flow through the walls, so the sum of pressures stays") {
  for (const device dev : test_devices()) {
    wave2d<f64> w(dev, {60, 41});
    const double before = sum(w.pressure());
    w.run({.steps = 500});
    const double after = sum(w.pressure());
    CHECK(std::abs(after - before) < 1e-13 * before * 41);
    w.velocity_y()(5, 41) = -1.0;  // a hole in the wall lets just so much in
    w.run({.steps = 10});
    CHECK(double(sum(w.pressure())) - after == doctest::Approx(10 * w.dt() * w.K() / w.dy()));
  }
}

TEST_CASE("wave: a symmetric start stays symmetric, bit for bit") {
  const index_t nx = 37, ny = 20;
  for (const device dev : test_devices()) {
    wave2d<f64> w(dev, {nx, ny});
    std::vector<f64> P = to_host(w.pressure());
    for (index_t iy = 0; iy < ny; ++iy)  // its sides are equal to rounding only
      for (index_t ix = 0; ix < nx / 2; ++ix)
        P[std::size_t(nx - 1 - ix + nx * iy)] = P[std::size_t(ix + nx * iy)];
    w.pressure() = from_host(P);
    w.start_at_rest();
    w.run({.steps = 100});
    const std::vector<f64> got = to_host(w.pressure());
    CHECK(difference(mirrored(got, nx), got) == "");

    w.pressure()(3, 3) = 0.5;
    w.run({.steps = 1});
    const std::vector<f64> skewed = to_host(w.pressure());
    CHECK(difference(mirrored(skewed, nx), skewed) != "");
  }
}

TEST_CASE("wave: below the stability limit it stays bounded, above it grows") {
  for (const device dev : test_devices()) {
    const double limit = wave2d<f64>(dev, {32, 32}, {.rho = 2, .K = 3}).dt_limit();
    CHECK(limit == doctest::Approx(10.0 / 32 / std::sqrt(1.5) / std::sqrt(2)));
    const auto highest = [&](double dt) {
      wave2d<f64> w(dev, {32, 32}, {.rho = 2, .K = 3, .dt = dt, .force_dt = dt > limit});
      w.pressure()(16, 16) = 2.0;  // all wavelengths
      w.run({.steps = 2000});
      return double(max_abs(w.pressure()));
    };
    CHECK(highest(limit) < 3);
    CHECK(!(highest(1.01 * limit) < 1e10));
    const double limit_3d = wave3d<f64>(dev, {10, 20, 40}).dt_limit();
    CHECK(limit_3d == doctest::Approx(10.0 / 40 / std::sqrt(3)));
  }
}

TEST_CASE("wave: options that can not run are refused") {
  const device dev = device::cpu();
  CHECK(message_of([&] {
          wave2d<f64>(dev, {100, 10}, {.dt = 0.25});
        }) ==
        "wave2d: dt = 0.25 is above the stability limit 0.0707106781 = min(dx, ...) / c / sqrt(2); "
        "take a smaller dt, none (the solver then chooses), or set force_dt (--force-dt)");
  CHECK(kind_of([&] { wave2d<f64>(dev, {100, 10}, {.dt = 0.25}); }) == failure::usage);
  CHECK(contains(
      message_of([&] {
        wave3d<f32>(dev, {10, 20, 100}, {.dt = 0.0578});
      }),
      "dt = 0.0578 is above the stability limit 0.0577350269 = min(dx, ...) / c / sqrt(3)"));
  CHECK(wave2d<f64>(dev, {100, 10}, {.dt = 0.25, .force_dt = true}).dt() == 0.25);
  CHECK(wave2d<f64>(dev, {100, 10}, {.dt = 0.0625}).dt() == 0.0625);
  CHECK(wave2d<f64>(dev, {10, 10}).dt() == doctest::Approx(0.9 / std::sqrt(2)));
  const double limit = wave2d<f32>(dev, {9, 9}).dt_limit();
  CHECK(wave2d<f32>(dev, {9, 9}, {.dt = limit}).dt() == static_cast<f32>(limit));
  const double none = std::nan("");
  for (const double dt : {-0.1, none})
    CHECK(message_of([&] {
            wave2d<f64>(dev, {9, 9}, {.dt = dt, .force_dt = true});
          }) == "wave2d: dt must be positive, or 0 for a stable one");
  for (const wave_options& o :
       {wave_options{.ly = -1}, wave_options{.rho = 0}, wave_options{.K = -2}})
    CHECK(message_of([&] {
            wave2d<f64>(dev, {9, 9}, o);
          }) == "wave2d: lengths, rho and K must be positive");
  CHECK(contains(message_of([&] {
                   wave2d<f64>(dev, {9, 9}, {.K = none});
                 }),
                 "wave2d: K = nan is outside of the range of f64"));
  CHECK(contains(message_of([&] {
                   wave2d<f64>(dev, {9, 9}, {.lx = none});
                 }),
                 "wave2d: a spacing = nan is outside of the range of f64"));
  CHECK(message_of([&] {
          wave3d<f64>(dev, {5, 0, 7});
        }) == "wave3d needs at least 1 cell along each dim, got 5x0x7");
}

TEST_CASE("wave3d: what does not change along a dim is a wave2d") {
  const index_t nx = 23, ny = 14, count = 9, steps = 12;
  const double dt = 0.2;
  generator g("wave3d along each dim");
  for (const device dev : test_devices()) {
    wave2d<f64> plane(dev, {nx, ny}, {.lx = 11, .ly = 7, .dt = dt});
    plane.pressure() = from_host(random_cells<f64>(g, nx * ny));
    plane.start_at_rest();
    const std::vector<f64> start = to_host(plane.pressure());
    plane.run({.steps = steps});
    const state<f64> flat = state_of(plane);
    const auto box = [&](int dim, int depth) {
      const wave_options o = dim == 0   ? wave_options{.lx = 6, .ly = 11, .lz = 7, .dt = dt}
                             : dim == 1 ? wave_options{.lx = 11, .ly = 6, .lz = 7, .dt = dt}
                                        : wave_options{.lx = 11, .ly = 7, .lz = 6, .dt = dt};
      const extents<3> n = dim == 0   ? extents<3>(count, nx, ny)
                           : dim == 1 ? extents<3>(nx, count, ny)
                                      : extents<3>(nx, ny, count);
      wave3d<f64> w(dev, n, o);
      w.pressure() = from_host(repeated(start, nx, count, dim));
      w.start_at_rest();
      w.run(steps_at(steps, depth));
      const double across = dim == 0   ? max_abs(w.velocity_x())
                            : dim == 1 ? max_abs(w.velocity_y())
                                       : max_abs(w.velocity_z());
      CHECK(across == 0);
      g.count();
      return std::vector<std::vector<f64>>{to_host(w.pressure()),
                                           to_host(dim == 0 ? w.velocity_y() : w.velocity_x()),
                                           to_host(dim == 2 ? w.velocity_y() : w.velocity_z())};
    };
    for (int dim = 0; dim < 3; ++dim) {
      const auto got = box(dim, 1);
      CHECK(distance(got[0], repeated(flat.P, nx, count, dim)) < 1e-14);
      CHECK(distance(got[1], repeated(flat.Vx, nx + 1, count, dim)) < 1e-14);
      CHECK(distance(got[2], repeated(flat.Vy, nx, count, dim)) < 1e-14);
      for (const int depth : {2, 3, 4}) {
        const auto deep = box(dim, depth);
        for (std::size_t f = 0; f < 3; ++f) CHECK(difference(deep[f], got[f]) == "");
      }
    }
  }
}

TEST_CASE("wave3d: every depth gives the same bits, and the energy stays") {
  generator g("wave3d");
  for (int round = 0; round < generator::rounds(6); ++round) {
    const extents<3> n(g.between(1, 20), g.between(1, 20), g.between(1, 20));
    const std::vector<f32> start = random_cells<f32>(g, n.size());
    std::vector<std::vector<f32>> first;
    for (const device dev : test_devices())
      for (const int depth : {1, 2, 3, 5}) {
        wave3d<f32> w(dev, n);
        w.pressure() = from_host(start);
        w.start_at_rest();
        const double before = w.energy();
        const auto run = w.run(steps_at(13, depth));
        if (dev.is_cpu()) CHECK(run.depth() == depth);
        CHECK(std::abs(w.energy() - before) < 1e-5 * before);
        const std::vector<std::vector<f32>> got{to_host(w.pressure()), to_host(w.velocity_x()),
                                                to_host(w.velocity_y()), to_host(w.velocity_z())};
        if (first.empty()) first = got;
        INFO("wave on " << extents_text(n) << ", depth " << depth);
        for (std::size_t f = 0; f < 4; ++f) CHECK(difference(got[f], first[f]) == "");
        g.count();
      }
  }
}

TEST_CASE("wave: a wrong sign in one velocity is seen by the comparison with the loops") {
  wave2d<f64> w(device::cpu(), {30, 20});
  const state<f64> start = state_of(w), expected = by_loops(w, start, {30, 20}, 5);
  const double dt = w.dt(), _dx = 1 / w.dx(), _dy = 1 / w.dy();
  const auto wrong = timestep([=](auto P, auto Vx, auto Vy) {
    return stages(update(inn_x(Vx), inn_x(Vx) - dt * d_xa(P) * _dx),
                  update(inn_y(Vy), inn_y(Vy) + dt * d_ya(P) * _dy),
                  update(P, P - dt * (d_xa(Vx) * _dx + d_ya(Vy) * _dy)));
  });
  iterate(wrong, 5, w.pressure(), w.velocity_x(), w.velocity_y());
  CHECK(distance(state_of(w), expected) > 1e-3);
}

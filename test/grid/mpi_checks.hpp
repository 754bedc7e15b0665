// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <iostream>
#include <string>
#include <vector>

#include <teff/base/error.hpp>
#include <teff/expr/fd2.hpp>
#include <teff/formula/residual.hpp>
#include <teff/grid/grid.hpp>
#include <teff/grid/grid_random.hpp>
#include <teff/grid/grid_reduce.hpp>
#include <teff/grid/iterate.hpp>
#include <teff/grid/transport/mpi_transport.hpp>

/// What a job of several processes computes, against one rank.
namespace teff::inline TEFF_MODE::test {

using namespace teff::fd2;

inline auto heat() {
  return timestep([](auto T) {
    return stages(update(inn(T), inn(T) + 0.2 * (d2_xi(T) + d2_yi(T)),
                         boundary{.x = {gradient(0.0), fixed(1.0)}, .y = {fixed, gradient(0.0)}}),
                  residual(max_abs(d2_xi(T) + d2_yi(T))));
  });
}

inline constexpr extents<2> cells{37, 53};

inline void expect(bool is_right, const std::string& what) {
  if (!is_right) throw error(failure::verification, "not as on one rank: " + what);
}

/// Reductions, random numbers, scatter and gather, checks and on_step of a run: those of one rank.
inline void check_bits(const grid_options& options) {
  const grid<2> g(cells, options);
  const auto T = random<double>(g, 42);
  const array<double, 2> A = random<double>(default_device(), cells, 42);
  T *= 1.0 + 0.01 * ix + 0.02 * iy;
  A *= 1.0 + 0.01 * ix + 0.02 * iy;
  expect(double(sum(T)) == double(sum(A)), "sum");
  expect(double(mean(T)) == double(mean(A)), "mean");
  expect(double(norm2(T * T)) == double(norm2(A * A)), "norm2");
  expect(double(dot(T, T + 1.0)) == double(dot(A, A + 1.0)), "dot");
  expect(double(min(T)) == double(min(A)) && double(max(T)) == double(max(A)), "min and max");
  const auto U = g.array<double>("U");
  scatter(U, A);
  int told = 0;
  iterate_options run{.steps = 23, .check_every = 6};
  run.on_step = {5, [&](index_t) { ++told; }};
  const auto report = iterate(heat(), run, U);
  const auto expected = iterate(heat(), iterate_options{.steps = 23, .check_every = 6}, A);
  expect(report.residual() == expected.residual(), "residual");
  expect(told == 4, "calls of on_step");
  const array<double, 2> all = gather(U);
  expect(!g.is_root() || to_host(all) == to_host(A), "cells");
  if (g.is_root()) std::cout << report << '\n';
}

inline auto sound() {
  return timestep([](auto P, auto Vx, auto Vy) {
    return stages(update(inn_x(Vx), inn_x(Vx) - 0.3 * d_xa(P)),
                  update(inn_y(Vy), inn_y(Vy) - 0.3 * d_ya(P)),
                  update(P, P - 0.3 * (d_xa(Vx) + d_ya(Vy))));
  });
}

/// Heat and sound, exchanged every step and more seldom.
inline void check_periods() {
  const extents<2> n{517, 389};
  for (const int every : {1, 4, 8}) {
    const iterate_options options{.steps = 41, .exchange_every = every}, plain{.steps = 41};
    const std::string when = ", exchanged every " + std::to_string(every);
    const grid<2> g(n);
    const auto T = random<double>(g, 7), P = random<double>(g, 8);
    const auto Vx = g.array<double>("Vx", {1, 0}), Vy = g.array<double>("Vy", {0, 1});
    Vx = 0.0;
    Vy = 0.0;
    const device here = default_device();
    const array<double, 2> of_heat = random<double>(here, n, 7),
                           of_sound = random<double>(here, n, 8);
    array<double, 2> along_x(here, {n[0] + 1, n[1]}), along_y(here, {n[0], n[1] + 1});
    along_x = 0.0;
    along_y = 0.0;
    const auto report = iterate(heat(), options, T);
    iterate(sound(), options, P, Vx, Vy);
    iterate(heat(), plain, of_heat);
    iterate(sound(), plain, of_sound, along_x, along_y);
    const auto same = [&](const grid_array<double, 2>& parts, const array<double, 2>& whole) {
      const array<double, 2> all = gather(parts);
      return !g.is_root() || to_host(all) == to_host(whole);
    };
    expect(same(T, of_heat), "heat" + when);
    expect(same(P, of_sound) && same(Vx, along_x) && same(Vy, along_y), "sound" + when);
    if (g.is_root()) std::cout << report << '\n';
  }
}

/// The time of a step, on grids of several sizes: a number for people, not for tests.
/// @param is_weak a part of this size for each rank, else one grid for all
inline void show_speed(bool is_weak) {
  for (const index_t n : {1024, 2048, 4096, 8192, 16384}) {
    const grid<2> g({n, is_weak ? n * grid<2>(cells).on().count() : n});
    const auto T = g.array<double>("T");
    T = 0.1 * ix + 0.01 * iy;
    const int steps = static_cast<int>(std::clamp<index_t>(4096 * 4096 / n * 1000 / n, 64, 16384));
    for (const int every : {0, 1, 8}) {
      iterate(heat(), {.steps = steps, .exchange_every = every}, T);
      const auto report = iterate(heat(), {.steps = steps, .exchange_every = every}, T);
      if (g.is_root()) std::cout << report << "; " << report.exchange_s() << " s of exchanges\n";
    }
  }
}

/// Messages larger than MPI is given at once.
inline void check_pieces(const ranks& r, runtime::mpi_transport& through) {
  const std::string what = "the halo of field 0";
  for (const std::size_t bytes : {0u, 1u, 99u, 100u, 101u, 200u, 1234u}) {
    through.limit_pieces(100);
    const int next = (r.rank() + 1) % r.count(), last = (r.rank() + r.count() - 1) % r.count();
    std::vector<std::byte> to(bytes, std::byte(7 + r.rank())), from(bytes);
    through.post({{next, to.data(), bytes, &what}}, {{last, from.data(), bytes, &what}});
    through.wait("period 1");
    expect(from == std::vector<std::byte>(bytes, std::byte(7 + last)), "a message in pieces");
  }
  through.limit_pieces(std::size_t{1} << 30);
}

}  // namespace teff::inline TEFF_MODE::test

// SPDX-License-Identifier: MIT
#include <vector>

#include <teff/algo/fill.hpp>
#include <teff/algo/random.hpp>
#include <teff/array/host_copy.hpp>
#include <teff/expr/fd2.hpp>
#include <teff/formula/residual.hpp>
#include <teff/stencil/iterate.hpp>

#include "../compare.hpp"
#include "../devices.hpp"
#include "../message.hpp"
#include "shared_cells.hpp"

using namespace teff;
using namespace teff::test;
using namespace teff::fd2;

namespace {

auto halving() {
  return timestep([](auto T) { return update(T, 0.5 * T); });
}

}  // namespace

TEST_CASE("iterate: no two cells of a field that evolves share memory; of a known one they may") {
  std::vector<f64> cells(100, 1.0);
  const device dev = device::cpu();
  const auto rows = wrap(dev, cells.data(), {10, 10}, {1, 3});
  CHECK(
      message_of([&] { iterate(halving(), 3, rows); }) ==
      "iterate: field 0, an array of 10x10 f64, evolves, and some of its cells share memory: each "
      "stride must be wider than all that the narrower ones span");
  CHECK(kind_of([&] { iterate(halving(), 3, rows); }) == failure::usage);
  array<f64, 2> T = full(dev, {10, 10}, 1.0);
  iterate(timestep([](auto u, auto c) { return update(u, u + c); }), 3, T, rows);
  CHECK(to_host(T) == std::vector<f64>(100, 4.0));
}

TEST_CASE("iterate: known fields whose cells share memory, in every schedule (generated)") {
  generator g("known fields that share cells");
  const auto heat = timestep([](auto T, auto C) {
    return update(inn(T), inn(T) + 0.1 * d_xa(av_xi(C) * d_xi(T)) + 0.1 * inn(C) * d2_yi(T));
  });
  for (const device dev : test_devices())
    for (int round = 0; round < generator::rounds(20); ++round) {
      const extents<2> n(g.between(3, 300), g.between(3, 40));
      array<f64, 2> own = random<f64>(dev, n, g.next()), apart(dev, n);
      const array<f64, 2> start = random<f64>(dev, n, g.next());
      const array_ref<f64, 2> shared = with_shared_cells(own, g);
      apart = shared;
      array<f64, 2> expected = start;
      iterate(heat, {.steps = 9, .schedule = schedule::stepwise}, expected, apart);
      for (const schedule way :
           {schedule::stepwise, schedule::temporal, schedule::resident, schedule::automatic}) {
        array<f64, 2> T = start;
        const auto report = iterate(heat, {.steps = 9, .schedule = way}, T, shared);
        CHECK(difference(to_host(T), to_host(expected)) == "");
        if (way == schedule::temporal) CHECK(report.schedule() == way);
      }
      g.count();
    }
  // Along x it is single steps, and the report says so; captured it is single steps, too.
  std::vector<f64> cells(12, 0.5);
  const auto row = wrap(device::cpu(), cells.data(), {10, 12}, {0, 1});
  array<f64, 2> T = full(device::cpu(), {10, 12}, 1.0), S = T;
  CHECK(iterate(heat, {.steps = 3, .schedule = schedule::temporal}, T, row).reason() ==
        "a field's cells do not lie side by side along x");
  const auto column = wrap(device::cpu(), cells.data(), {10, 12}, {1, 0});
  const auto captured =
      timestep([=](auto T) { return update(T, T + column + along<1>(row(0, whole))); });
  iterate(captured, 3, S);
  CHECK(to_host(S) == std::vector<f64>(120, 4.0));
}

TEST_CASE("iterate: a field that evolves must not share memory with another") {
  const auto two = timestep([](auto A, auto B) { return update(A, 0.5 * (A + B)); });
  for (const device dev : test_devices()) {
    array<f64, 1> A = full(dev, {10}, 1.0, "A");
    CHECK(message_of([&] { iterate(two, 3, A(range(0, 6)), A(range(4, 10))); }) ==
          "iterate: field 0, array 'A' of 6 f64, evolves and shares memory with field 1, array 'A' "
          "of 6 f64; every "
          "field that evolves needs memory of its own");
    CHECK(kind_of([&] { iterate(two, 3, A, A); }) == failure::usage);
    iterate(two, 3, A(range(0, 5)), A(range(5, 10)));
    const auto known_twice = timestep([](auto T, auto B, auto C) { return update(T, T + B * C); });
    array<f64, 1> T = zeros<f64>(dev, {10});
    iterate(known_twice, 2, T, A, A);
    CHECK(to_host(T) == std::vector<f64>(10, 2.0));
    const auto measured =
        timestep([&A](auto u) { return stages(update(u, 0.5 * u), residual(max_abs(u - A))); });
    CHECK(contains(message_of([&] { iterate(measured, 2, A); }), "the formula captures array 'A'"));
    iterate(measured, 2, T);
  }
}

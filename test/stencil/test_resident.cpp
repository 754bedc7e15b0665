// SPDX-License-Identifier: MIT
#include <sstream>

#include <teff/algo/random.hpp>
#include <teff/array/host_copy.hpp>
#include <teff/expr/fd2.hpp>
#include <teff/solver/pressure.hpp>
#include <teff/stencil/explain.hpp>

#include "../compare.hpp"
#include "../devices.hpp"
#include "../message.hpp"

using namespace teff;
using namespace teff::test;
using namespace teff::fd2;

TEST_CASE("resident: the bits of single steps on a device, in long runs and with checks") {
  for (const device dev : test_devices()) {
    if (dev.is_cpu()) continue;
    const auto step = timestep([](auto T, auto C) {
      return update(inn(T), inn(T) + 0.1 * inn(C) * (d2_xi(T) + d2_yi(T)));
    });
    const index_t steps = is_quick() ? 50 : 1000;
    for (const index_t n : {127, 256, 511, 1023}) {
      if (is_quick() && n > 256) continue;
      array<f64, 2> T = random<f64>(dev, {n, n - 3}, 1), C = random<f64>(dev, {n, n - 3}, 2), S = T;
      const auto made = iterate(step, {.steps = steps, .schedule = schedule::resident}, T, C);
      CHECK(made.schedule() == schedule::resident);
      CHECK(made.passes() == 1);
      CHECK(made.scratch_bytes() == 4 * static_cast<double>(bytes(T)));  // messages
      iterate(step, {.steps = steps, .schedule = schedule::stepwise}, S, C);
      CHECK(difference(to_host(T), to_host(S)) == "");
      iterate(step, {.steps = 100, .schedule = schedule::resident, .check_every = 7}, T, C);
      iterate(step, {.steps = 100, .schedule = schedule::stepwise}, S, C);
      CHECK(difference(to_host(T), to_host(S)) == "");
    }
    const auto pressure_step = pressure::step2d(1.0, 2.0, 8.0, 1.0, 1.1);
    array<f64, 2> P = random<f64>(dev, {300, 255}, 1), qx = random<f64>(dev, {301, 255}, 2),
                  qy = random<f64>(dev, {300, 256}, 3), P1 = P, qx1 = qx, qy1 = qy;
    const auto made =
        iterate(pressure_step, {.steps = steps / 2, .schedule = schedule::resident}, P, qx, qy);
    CHECK(made.schedule() == schedule::resident);
    iterate(pressure_step, {.steps = steps / 2, .schedule = schedule::stepwise}, P1, qx1, qy1);
    CHECK(difference(to_host(P), to_host(P1)) == "");
    CHECK(difference(to_host(qx), to_host(qx1)) == "");
    CHECK(difference(to_host(qy), to_host(qy1)) == "");
    std::ostringstream text;
    text << explain(pressure_step, {.schedule = schedule::resident}, P, qx, qy);
    CHECK(contains(text.str(), "schedule: resident, "));
    CHECK(contains(text.str(), "registers"));
  }
}

TEST_CASE("resident: boundary conditions on a device have the bits of single steps") {
  const boundary b{.x = {gradient(0.25), fixed(0.5)}, .y = {robin(3, 1, 2), gradient(0)}};
  const auto step = timestep([b](auto T, auto C) {
    return update(inn(T), inn(T) + 0.1 * inn(C) * (d2_xi(T) + d2_yi(T)), b);
  });
  for (const device dev : test_devices()) {
    if (dev.is_cpu()) continue;
    for (const index_t n : {20, 127, 256, 511}) {
      array<f64, 2> T = random<f64>(dev, {n, n - 3}, 1), C = random<f64>(dev, {n, n - 3}, 2), S = T;
      const auto made = iterate(step, {.steps = 300, .schedule = schedule::resident}, T, C);
      CHECK(made.schedule() == schedule::resident);
      iterate(step, {.steps = 300, .schedule = schedule::stepwise}, S, C);
      CHECK(difference(to_host(T), to_host(S)) == "");
    }
  }
}

TEST_CASE("resident: where it can not be, it says why") {
  for (const device dev : test_devices()) {
    const auto reason = [](const auto& step, const auto&... fields) {
      const auto report = iterate(step, {.steps = 3, .schedule = schedule::resident}, fields...);
      CHECK(report.schedule() == schedule::stepwise);
      return report.reason();
    };
    const auto heat = [](const boundary& sides) {
      return timestep(
          [=](auto t) { return update(inn(t), inn(t) + 0.1 * (d2_xi(t) + d2_yi(t)), sides); });
    };
    const array<f64, 2> T = random<f64>(dev, {20, 10}, 1);
    if (dev.is_cpu()) {
      CHECK(reason(heat({}), T) == "resident is for GPUs");
      continue;
    }
    CHECK(reason(heat({.x = periodic, .y = periodic}), T) ==
          "resident does not know periodic fields");
    CHECK(reason(heat({.x = {fixed(0.5 * iy), fixed}}), T) ==
          "resident does not know boundary conditions that are formulas");
    const array<f64, 2> large = random<f64>(dev, {2000, 2000}, 1);
    CHECK(reason(heat({}), large) == "the fields do not fit in the GPU's shared memory");
    const array<f64, 1> line = random<f64>(dev, {20}, 1);
    CHECK(contains(reason(timestep([](auto t) { return update(t, 0.5 * t); }), line),
                   "resident takes 2-D steps"));
  }
}

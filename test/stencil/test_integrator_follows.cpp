// SPDX-License-Identifier: MIT
#include <vector>

#include <teff/algo/random.hpp>
#include <teff/algo/reduce.hpp>
#include <teff/array/host_copy.hpp>
#include <teff/expr/fd2.hpp>
#include <teff/formula/integrators.hpp>
#include <teff/stencil/iterate.hpp>

#include "../compare.hpp"
#include "../devices.hpp"
#include "../message.hpp"

using namespace teff;
using namespace teff::test;
using namespace teff::fd2;

// The fields of the stages are the library's own: the rule takes those of the call.
TEST_CASE("integrators: a dt that follows the flow") {
  for (const device dev : test_devices()) {
    const auto start = random<f64>(dev, {23, 17}, 3), C = random<f64>(dev, {23, 17}, 4);
    const auto after = [&](auto method, const iterate_options& options, const index_t splits) {
      array<f64, 2> T = start;
      auto dt = param(1.0);
      dt.follows(4, [](auto u, auto) { return 0.1 / (1.0 + max_abs(u)); });
      const auto step = method(dt);
      iterate_options part = options;
      part.steps = options.steps / splits;
      for (index_t k = 0; k < splits; ++k, part.first_step += part.steps) iterate(step, part, T, C);
      return to_host(T);
    };
    const auto f = [](auto T, auto C) { return rate(inn(T), inn(C) * (d2_xi(T) + d2_yi(T))); };
    const auto by_hand = [&](const auto& dt) {
      return timestep([=](auto T, auto C) { return update(inn(T), inn(T) + dt * f(T, C).rhs); });
    };
    const auto by_euler = [&](const auto& dt) { return euler(f, dt); };
    const auto by_rk4 = [&](const auto& dt) { return rk4(f, dt); };
    const iterate_options stepwise{.steps = 12, .schedule = schedule::stepwise};
    CHECK(after(by_euler, stepwise, 1) == after(by_hand, stepwise, 1));
    const std::vector<f64> right = after(by_rk4, stepwise, 1);
    CHECK(right != after(by_euler, stepwise, 1));
    for (const schedule one : {schedule::automatic, schedule::fused, schedule::temporal})
      for (const index_t splits : {1, 2, 4})
        CHECK(after(by_rk4, {.steps = 12, .schedule = one}, splits) == right);
  }
}

TEST_CASE("integrators: the time of a stage is not known where dt follows the flow") {
  const auto T = random<f64>(device::cpu(), {9, 9}, 3);
  auto dt = param(0.1);
  const auto step = rk2([](auto T) { return rate(T, 0.0 * T + sin(stage_time)); }, dt);
  iterate(step, 2, T);
  dt.follows(2, [](auto u) { return 0.1 / max_abs(u); });
  CHECK(contains(message_of([&] { iterate(step, 2, T); }),
                 "keep the time in a field of its own, whose rate is 1"));
}

// SPDX-License-Identifier: MIT
#include <teff/expr/fd2.hpp>

#include "late_number.hpp"
#include "warps_check.hpp"

using namespace teff;
using namespace teff::test;
using namespace teff::fd2;
using teff::detail::temporal_shape;

TEST_CASE("kernels fetch parameters that only the device knows, emulated: several steps per pass") {
  generator g("late numbers in passes");
  const f64 cell = 0.1;
  const f32 cell32 = 0.1f;
  const late_number<f64> dt(&cell);
  const late_number<f32> dt32(&cell32);
  const auto heat = timestep([=](auto T, auto C, auto unused) {  // it carries faces
    (void)unused;
    return update(inn(T), inn(T) + dt * (inn(C) * (d_xa(d_xi(T) * dt) + d_ya(d_yi(T) * sq(dt)))));
  });
  const auto single = timestep([=](auto T, auto C, auto unused) {
    (void)unused;
    return update(inn(T), inn(T) + dt32 * (inn(C) * (d2_xi(T) + d2_yi(T))));
  });
  const auto numbered = timestep([=](auto T, auto C, auto D) {
    return update(inn(T), 0.5 * inn(T) + dt * step_index * inn(C) + sqrt(dt) * inn(D));
  });
  const auto stages_of_two = timestep([=](auto u, auto u_prev, auto c) {
    return stages(
        update(inn(u_prev), 2 * inn(u) - inn(u_prev) + dt * inn(c) * (d2_xi(u) + d2_yi(u))),
        update(inn(u), (10 * dt) * inn(u_prev)));
  });
  for (int round = 0; round < generator::rounds(6); ++round) {
    check_known<temporal_shape<4, 8, 2, 2>, f64>(heat, g, "heat", 1);
    check_known<temporal_shape<2, 8, 2, 1>, f32>(single, g, "heat in f32", 1);
    check_known<temporal_shape<2, 3, 2, 4>, f64>(numbered, g, "step_index", 1);
    check_known<temporal_shape<2, 2, 2, 2>, f64>(stages_of_two, g, "two stages", 1);
  }
}

TEST_CASE("kernels fetch parameters that only the device knows, emulated: all stages of a step") {
  generator g("late numbers at once");
  const f64 cell = 0.3;
  const late_number<f64> dt(&cell);
  const auto flow = timestep([=](auto P, auto qx, auto qy) {
    return stages(update(inn_x(qx), inn_x(qx) - dt * (inn_x(qx) + d_xa(P))),
                  update(inn_y(qy), inn_y(qy) - dt * (inn_y(qy) + d_ya(P))),
                  update(P, P - abs(dt) * (d_xa(qx) + d_ya(qy))));
  });
  for (int round = 0; round < generator::rounds(8); ++round) {
    const index_t nx = g.between(3, 150), ny = g.between(3, 60);
    check_pass<stages_at_once, f64, 2>(flow, g, "pressure", {{nx, ny}, {nx + 1, ny}, {nx, ny + 1}});
  }
}

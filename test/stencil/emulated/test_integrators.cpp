// SPDX-License-Identifier: MIT
#include <teff/expr/fd2.hpp>
#include <teff/formula/integrators.hpp>

#include "any_side.hpp"
#include "warps_check.hpp"

using namespace teff;
using namespace teff::test;
using namespace teff::fd2;

namespace {

/// The step that a time integrator makes, with its own fields as the last ones that are given.
template <class Fn>
auto midpoint(const Fn& f) {
  return timestep([made = detail::integrator<detail::rk2_method, Fn, double>(f, 0.1)](
                      auto u, auto c, auto) { return made(u, c).list; });
}
template <class Fn>
auto three_stages(const Fn& f) {
  return timestep([made = detail::integrator<detail::ssp_rk3_method, Fn, double>(f, 0.1)](
                      auto u, auto, auto) { return made(u).list; });
}

auto heat(const boundary& b) {
  return [b](auto T, auto C) {
    return rate(inn(T), inn(C) * (d2_xi(T) + d2_yi(T)) + 0.01 * ix + sin(stage_time), b);
  };
}
auto decay(const boundary& b) {
  return [b](auto T) { return rate(inn(T), 0.5 * (d2_xi(T) + d2_yi(T)) - 0.25 * inn(T), b); };
}

}  // namespace

TEST_CASE("time integrators on a GPU, emulated: passes have the bits of single steps") {
  using teff::detail::temporal_shape;
  generator g("emulated time integrators");
  for (int round = 0; round < generator::rounds(6); ++round) {
    const boundary b{.x = any_sides(g), .y = any_sides(g)};
    const index_t nx = g.between(8, 200), ny = g.between(8, 40);
    const index_t same[3][2] = {{nx, ny}, {nx, ny}, {nx, ny}};
    check_three<temporal_shape<2, 2, 2, 2>, f64>(midpoint(heat(b)), g, "rk2", same);
    check_three<temporal_shape<2, 2, 2, 1>, f32>(three_stages(decay(b)), g, "ssp_rk3", same);
    check_three<stages_at_once, f64>(midpoint(heat({})), g, "rk2 at once", same);
    check_three<stages_at_once, f32>(three_stages(decay({})), g, "ssp_rk3 at once", same);
  }
}

// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <teff/formula/integrators.hpp>

#include "../generator.hpp"
#include "check_parts.hpp"

/// Runs of time integrators, whose steps have fields of their own, by any schedule.
namespace teff::inline TEFF_MODE::test {

/// Any way to make the steps, looked at and checked now and then.
inline iterate_options any_options(generator& g, index_t steps) {
  const schedule all[] = {schedule::automatic, schedule::stepwise, schedule::fused,
                          schedule::resident, schedule::temporal};
  iterate_options options{.steps = steps, .schedule = all[g.between(0, 4)]};
  if (options.schedule == schedule::temporal || options.schedule == schedule::automatic)
    options.depth = static_cast<int>(g.between(1, 6));
  if (g.chance(40)) options.check_every = g.between(1, 5);
  if (g.chance(40)) options.on_step = {g.between(1, 5), [](index_t) {}};
  return options;
}

/// All methods of one right-hand side.
template <class V, int N, class Fn>
void check_methods(const Fn& f, generator& g, const std::string& name, const extents<N> (&n)[2]) {
  check_parts<V, N>(rk2(f, 0.1), g, "rk2, " + name, n, any_options);
  check_parts<V, N>(ssp_rk3(f, 0.1), g, "ssp_rk3, " + name, n, any_options);
  check_parts<V, N>(rk4(f, 0.1), g, "rk4, " + name, n, any_options);
}

}  // namespace teff::inline TEFF_MODE::test

// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <teff/expr/once.hpp>

#include "check_parts.hpp"

/// Steps with values that once() marks, in passes against single steps.
namespace teff::inline TEFF_MODE::test {

/// A marked value that is worth a level.
inline constexpr auto costly = [](const auto& u) { return once(u * exp(-0.5 * sq(u)) + 0.1 * u); };

/// Passes make the step with levels.
template <class Step, class... A>
bool takes_levels(const Step& step, const A&... arrays) {
  const auto on = detail::stepper_of(step, arrays...);
  const runtime::way_facts* const passes = on.facts().of(schedule::temporal);
  return passes != nullptr && passes->flop > 0;
}

/// Passes cut anywhere, or another way now and then.
inline iterate_options any_pass(generator& g, index_t steps) {
  const schedule all[] = {schedule::temporal, schedule::fused, schedule::automatic,
                          schedule::resident};
  iterate_options part{.steps = steps, .schedule = all[g.chance(70) ? 0 : g.between(1, 3)]};
  if (part.schedule == schedule::temporal) part.depth = static_cast<int>(g.between(1, 6));
  return part;
}

/// Runs in such parts have the bits of single steps. @param has_levels passes make them with levels
template <class V, int N, class Step>
void check_steps(const Step& step, generator& g, const std::string& name, const extents<N> (&n)[2],
                 bool has_levels = true) {
  const array<V, N> u(device::cpu(), n[0]), v(device::cpu(), n[1]);
  CHECK_MESSAGE(takes_levels(step, u, v) == has_levels, name);
  check_parts<V, N>(step, g, name, n, any_pass);
}

}  // namespace teff::inline TEFF_MODE::test

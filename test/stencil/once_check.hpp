// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <teff/algo/random.hpp>
#include <teff/array/host_copy.hpp>
#include <teff/expr/once.hpp>
#include <teff/stencil/iterate.hpp>

#include "../compare.hpp"
#include "../devices.hpp"
#include "../generator.hpp"

/// Steps with values that once() marks, in passes against single steps.
namespace teff::inline TEFF_MODE::test {

/// A marked value that is worth a level.
inline constexpr auto value = [](const auto& u) { return once(u * exp(-0.5 * sq(u)) + 0.1 * u); };

/// Passes make the step with levels.
template <class Step, class... A>
bool takes_levels(const Step& step, const A&... arrays) {
  const auto on = detail::stepper_of(step, arrays...);
  const runtime::way_facts* const passes = on.facts().of(schedule::temporal);
  return passes != nullptr && passes->flop > 0;
}

/// Two fields after some steps: by passes cut anywhere, and as single steps.
template <class V, int N, class Step>
void check_steps(const Step& step, generator& g, const std::string& name, const extents<N> (&n)[2],
                 bool has_levels = true) {
  for (const device dev : test_devices()) {
    const index_t steps = g.between(1, 9);
    const auto u = random<V>(dev, n[0], g.next()), v = random<V>(dev, n[1], g.next());
    array<V, N> right_u = u, right_v = v, got_u = u, got_v = v;
    if (dev.is_cpu()) CHECK_MESSAGE(takes_levels(step, got_u, got_v) == has_levels, name);
    iterate(step, {.steps = steps, .schedule = schedule::stepwise}, right_u, right_v);
    std::string ways;
    for (index_t done = 0; done < steps;) {
      const schedule all[] = {schedule::temporal, schedule::fused, schedule::automatic,
                              schedule::resident};
      iterate_options part{.steps = g.between(1, steps - done),
                           .schedule = all[g.chance(70) ? 0 : g.between(1, 3)]};
      if (part.schedule == schedule::temporal) part.depth = static_cast<int>(g.between(1, 6));
      part.first_step = done;
      const auto made = iterate(step, part, got_u, got_v);
      ways += " " + short_text({made.schedule(), made.depth()});
      done += part.steps;
    }
    const std::string bad =
        difference(to_host(got_u), to_host(right_u)) + difference(to_host(got_v), to_host(right_v));
    if (!bad.empty())
      FAIL_CHECK(name << " of " << extents_text(n[0]) << ", " << steps << " steps by" << ways
                      << ": " << bad);
    g.count();
  }
}

}  // namespace teff::inline TEFF_MODE::test

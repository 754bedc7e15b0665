// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <teff/algo/random.hpp>
#include <teff/array/host_copy.hpp>
#include <teff/stencil/compare_with_single_steps.hpp>
#include <teff/stencil/iterate.hpp>

#include "../compare.hpp"
#include "../devices.hpp"
#include "../generator.hpp"

namespace teff::inline TEFF_MODE::test {

/// Two fields after some steps: made in parts by options(g, steps), and as single steps.
template <class V, int N, class Step, class Options>
void check_parts(const Step& step, generator& g, const std::string& name, const extents<N> (&n)[2],
                 const Options& options) {
  for (const device dev : test_devices()) {
    const index_t steps = g.between(1, 9);
    const auto u = random<V>(dev, n[0], g.next()), v = random<V>(dev, n[1], g.next());
    array<V, N> right_u = u, right_v = v, got_u = u, got_v = v;
    iterate(step, {.steps = steps, .schedule = schedule::stepwise}, right_u, right_v);
    std::string ways;
    for (index_t done = 0; done < steps;) {
      iterate_options part = options(g, g.between(1, steps - done));
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

/// Over a part of the step's one field, five steps by passes of three have the bits of five single
/// steps, and not those of four.
template <class Step>
void check_comparison(const Step& step) {
  const auto T = random<f64>(device::cpu(), {40, 30}, 1);
  const auto on = teff::detail::stepper_of(step, T);
  const index_t n[3] = {40, 30, 1};
  const runtime::part part = runtime::part_to_compare(2, n, 1);
  const step_plan pass{schedule::temporal, 3};
  CHECK(runtime::has_bits_of_single_steps(on, pass, 5, 5, part));
  CHECK(!runtime::has_bits_of_single_steps(on, pass, 5, 4, part));
}

}  // namespace teff::inline TEFF_MODE::test

// SPDX-License-Identifier: MIT
#pragma once

#include <teff/stencil/array_facts.hpp>
#include <teff/stencil/plan.hpp>
#include <teff/stencil/resident/cut.hpp>

/// What blocks that stay on the chip can do in a run, whoever launches them.
namespace teff::runtime {

/// Of a launch: others get a turn.
inline constexpr int most_resident_steps = 1 << 16;

/// The most that all fields together can have on that device.
index_t most_resident_bytes(device dev);

/// Why they make no steps: of a formula that does not fit, over arrays, of such a cut.
refusal resident_formula_refused();
refusal resident_refused(const array_facts& arrays);
refusal resident_refused(const resident_cut& cut);

/// Steps of a round, and cells that blocks compute for each one that counts.
depth_choice resident_choice(const resident_cut& cut);

}  // namespace teff::runtime

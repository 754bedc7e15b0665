// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <vector>

#include <teff/kernel/kernel_facts.hpp>
#include <teff/stencil/array_facts.hpp>
#include <teff/stencil/sides_first.hpp>
#include <teff/stencil/way.hpp>

/// What a class must have that makes steps of a formula, as stage_steps does. A bound_stepper makes
/// one of each way, from its step_over_fields, and keeps them as long as itself.
namespace teff::inline TEFF_MODE::detail {

template <class Way>
concept makes_steps = requires(Way way, const Way& asked, const step_plan& plan,
                               const runtime::array_facts& arrays, int depth, int steps,
                               index_t step, const runtime::sides_first* sides) {
  /// Its words and its model, of the way.cpp beside it.
  { Way::in_words() } -> std::same_as<const runtime::way&>;
  /// It is for the device of the fields; of others no report speaks.
  { asked.is_here() } -> std::same_as<bool>;
  /// It makes the steps of this plan on this device, and this unit has its kernel (plain C++ has
  /// none).
  { asked.makes(plan) } -> std::same_as<bool>;

  /// Why it can not run over such arrays. Comes first: the next three are asked only if it can.
  { asked.refused(arrays) } -> std::same_as<runtime::refusal>;
  /// The depths worth trying, shallow first; none where it is only taken when asked for.
  { asked.choices() } -> std::same_as<std::vector<runtime::depth_choice>>;
  /// The most that can be asked for.
  { asked.deepest() } -> std::same_as<int>;
  /// Memory besides the fields and their second arrays.
  { asked.extra_bytes() } -> std::same_as<double>;

  /// Steps of one call of run(): of a pass, or of a launch.
  { asked.most_steps(depth) } -> std::convertible_to<index_t>;
  /// Makes 1 to most_steps() steps, of which the first has number `step`. Before that
  /// over.fill_edges(step + 1, steps) computes the values of conditions; after it, if it wrote to
  /// second arrays, over.turn() makes these the current ones. (stage_steps does both stage by
  /// stage.) Null, or slabs to make first, if it can: if not, their made() is not called.
  way.run(steps, step, sides);
  /// What it launches on a GPU; none on a CPU.
  { asked.kernels(depth) } -> std::same_as<std::vector<kernel_facts>>;
};

}  // namespace teff::inline TEFF_MODE::detail

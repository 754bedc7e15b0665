// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <type_traits>
#include <vector>

#include <teff/stencil/bound_levels.hpp>
#include <teff/stencil/way_concept.hpp>

/// A way that makes a step with levels where it can, and the step as it is written elsewhere.
namespace teff::inline TEFF_MODE::detail {

/// @tparam Way as tile_steps @tparam Over of the step as it is written @tparam Levels a
/// bound_levels
template <template <class> class Way, class Over, class Levels>
class way_with_levels {
  using over_levels = std::remove_cvref_t<decltype(std::declval<const Levels&>().over())>;

 public:
  way_with_levels(const Over& over, const Levels& levels)
      : as_written_(over), in_levels_(levels.over()), levels_(levels) {}

  /// Why it makes the step as it is written, where once() asks for levels.
  runtime::refusal levels_refused() const {
    return Levels::are_asked ? refused_levels() : runtime::refusal{};
  }
  bool takes_levels() const { return !refused_levels(); }

  /// Operations of a step with levels; 0: it makes the step as it is written.
  double flop() const { return takes_levels() ? levels_.flop() : 0; }
  /// What they hold, in words.
  std::string levels_text() const { return levels_.text(); }

  // ---- as way_concept.hpp says

  static const runtime::way& in_words() { return Way<Over>::in_words(); }
  bool is_here() const { return as_written_.is_here(); }
  bool makes(const step_plan& plan) const { return as_written_.makes(plan); }
  runtime::refusal refused(const runtime::array_facts& arrays) const {
    return takes_levels() ? runtime::refusal{} : as_written_.refused(arrays);
  }
  std::vector<runtime::depth_choice> choices() const {
    return takes_levels() ? in_levels_.choices() : as_written_.choices();
  }
  int deepest() const { return takes_levels() ? in_levels_.deepest() : as_written_.deepest(); }
  double extra_bytes() const {
    return takes_levels() ? in_levels_.extra_bytes() : as_written_.extra_bytes();
  }
  static constexpr int most_steps(int depth) { return Way<Over>::most_steps(depth); }
  void run(int steps, index_t step, const runtime::sides_first* sides) {
    if (takes_levels())
      in_levels_.run(steps, step, sides);
    else
      as_written_.run(steps, step, sides);
  }
  std::vector<kernel_facts> kernels(int depth) const {
    return takes_levels() ? in_levels_.kernels(depth) : as_written_.kernels(depth);
  }

 private:
  /// Found when it is first needed, once conditions are known.
  const runtime::refusal& refused_levels() const {
    if (!is_found_)
      refused_levels_ =
          levels_.refused() ? levels_.refused() : in_levels_.refused(levels_.arrays());
    is_found_ = true;
    return refused_levels_;
  }

  Way<Over> as_written_;
  Way<over_levels> in_levels_;
  const Levels& levels_;
  mutable bool is_found_ = false;
  mutable runtime::refusal refused_levels_ = {};
};

}  // namespace teff::inline TEFF_MODE::detail

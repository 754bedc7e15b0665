// SPDX-License-Identifier: MIT
#pragma once

#include <utility>

#include <teff/formula/timestep.hpp>
#include <teff/kernel/block.hpp>
#include <teff/stencil/lowered_stages.hpp>

/// What texts that NVRTC compiles (python/teff/pass_text.py) have in common: a kernel that does
/// nothing, a formula and its numbers, and where a kernel's parameter has what a host sets.
namespace teff::inline TEFF_MODE::detail {

/// Where a step allows no kernel of several steps, or none of a shape.
struct no_kernel {
  static constexpr int threads = 32, least_blocks = 1;
  int unused;
  TEFF_INLINE void operator()(block&) const {}
};

/// @tparam Formula what a timestep's formula() returned
template <class Formula>
class compiled_formula {
  using step = step_of<Formula>;
  using stages = decltype(step::list(std::declval<const Formula&>()));

 public:
  using traits = typename step::traits;
  using stage_numbers = std::make_integer_sequence<int, traits::stages>;
  using list = lowered_stages<stages, stage_numbers>;

  static list lowered(const Formula& formula) {
    return lowered(step::list(formula), stage_numbers{});
  }

 private:
  template <int... K>
  static list lowered(const stages& all, std::integer_sequence<int, K...>) {
    return tuple_of(entry<K>(all).rhs.lower(traits::template stage<K>::lowered_in(0))...);
  }
};

/// Bytes of a kernel's parameter before a part of it.
template <class Kernel, class Part>
int place_in(const Kernel& parameter, const Part& part) {
  return static_cast<int>(reinterpret_cast<const char*>(&part) -
                          reinterpret_cast<const char*>(&parameter));
}
/// Of cells and extents of all fields.
template <int Fields, class Kernel, class Facts>
void tell_places_of_fields(const Kernel& parameter, Facts& facts) {
  const auto& work = parameter.work;
  each_number(
      [&]<int S>() {
        facts.from[S] = place_in(parameter, entry<S>(work.from).data);
        facts.to[S] = place_in(parameter, entry<S>(work.to).data);
        facts.extents[S] = place_in(parameter, work.n[S]);
      },
      std::make_integer_sequence<int, Fields>{});
}
/// Of the conditions of all stages; -1: a stage has none.
template <class Step, class Kernel, class Facts>
void tell_places_of_edges(const Kernel& parameter, Facts& facts) {
  each_number(
      [&]<int K>() {
        facts.edges[K] = Step::template stage<K>::has_conditions
                             ? place_in(parameter, entry<K>(parameter.work.edges))
                             : -1;
      },
      std::make_integer_sequence<int, Step::stages>{});
}

}  // namespace teff::inline TEFF_MODE::detail

/// Numbers of a formula as a kernel that prepares another one takes them.
template <int Reals, int Integers>
struct teff_kernel_numbers {
  double reals[Reals > 0 ? Reals : 1];
  teff::i64 integers[Integers > 0 ? Integers : 1];
};

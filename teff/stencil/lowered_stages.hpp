// SPDX-License-Identifier: MIT
#pragma once

#include <type_traits>
#include <utility>

#include <teff/base/rounding.hpp>
#include <teff/formula/traits.hpp>

/// The right-hand sides of a step, made ready for kernels.
namespace teff::inline TEFF_MODE::detail {

/// What its formula allows, whatever the arrays: a pass can take several of its stages.
template <class Step, int Fields>
constexpr bool allows_passes() {
  const bool evolves_in_reals = []<int... K>(std::integer_sequence<int, K...>) {
    return (rounded::real<typename Step::template stage<K>::value_type> && ...);
  }
  (std::make_integer_sequence<int, Step::stages>{});
  return Step::template reads<0>().only_fields && evolves_in_reals;
}

template <class Stages, class Numbers>
struct lowered_of;
template <class Stages, int... K>
struct lowered_of<Stages, std::integer_sequence<int, K...>> {
  using type = decltype(tuple_of(entry<K>(std::declval<const Stages&>()).rhs.lower(lowering{})...));
};
template <class Stages, class Numbers>
using lowered_stages = typename lowered_of<Stages, Numbers>::type;

}  // namespace teff::inline TEFF_MODE::detail

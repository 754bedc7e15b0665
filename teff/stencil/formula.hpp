// SPDX-License-Identifier: MIT
#pragma once

#include <utility>

#include <teff/stencil/footprint.hpp>

namespace teff::inline TEFF_MODE {

/// A time step: a host lambda over fields that returns update(target, rhs). It is called once, with
/// placeholders, and so is a formula without data: one serves every device and schedule.
template <class Fn>
class timestep {
 public:
  explicit timestep(Fn fn) : fn_(std::move(fn)) {}

  /// The formula for fields of these arrays' types.
  template <class... T, int... N>
  auto formula(const array_ref<T, N>&...) const {
    return applied<T...>(std::make_integer_sequence<int, sizeof...(T)>{},
                         std::integer_sequence<int, N...>{});
  }

 private:
  template <class... T, int... S, int... N>
  auto applied(std::integer_sequence<int, S...>, std::integer_sequence<int, N...>) const {
    static_assert(std::is_invocable_v<const Fn&, field<S, T, N>...>,
                  "A time step's lambda takes as many fields as iterate() is given arrays.");
    return fn_(field<S, T, N>{}...);
  }

  Fn fn_;
};

namespace detail {

template <class S>
inline constexpr bool is_field_update = false;
template <class Target, class E>
inline constexpr bool is_field_update<update_stage<Target, E>> = target_of<Target>::is_target;

/// What is known of a formula when it is compiled. Stage is what the lambda returned.
template <class Stage>
struct formula_traits {
  static_assert(is_field_update<Stage>,
                "A time step's lambda must return update(target, rhs), as in "
                "update(inn(T), inn(T) + dt * dTdt).");
};
template <class Target, class E>
struct formula_traits<update_stage<Target, E>> {
  static_assert(is_field_update<update_stage<Target, E>>,
                "A time step's lambda must return update(target, rhs) with a field as its target.");
  using written = typename target_of<Target>::type;
  using evolving = typename written::field_type;
  using rhs = E;
  using value_type = typename evolving::value_type;
  static constexpr int slot = evolving::slot, rank = evolving::rank;
  static_assert(std::is_convertible_v<typename E::value_type, value_type>,
                "A time step's values can not be converted to the element type of its field.");

  /// Seen from the cell that is written: the formula's own origin is the target's first cell.
  template <int S>
  static constexpr footprint reads() {
    return footprint_at<S, E>::template get<-written::low[0], -written::low[1],
                                            -written::low[2]>();
  }
};

}  // namespace detail
}  // namespace teff::inline TEFF_MODE

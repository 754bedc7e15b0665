// SPDX-License-Identifier: MIT
#pragma once

#include <type_traits>
#include <utility>

#include <teff/formula/footprint.hpp>
#include <teff/formula/own_fields.hpp>
#include <teff/formula/traits.hpp>

/// Time steps: a lambda over fields, and what it must return.

namespace teff::inline TEFF_MODE {

namespace detail {

/// A lambda beside something that takes anything else: where the lambda does not take the fields,
/// the other answers. So the question compiles the lambda's body just as its call does, and a
/// mistake in there is told as what it is.
struct wrong_fields {};
template <class Fn>
struct with_answer : Fn {
  using Fn::operator();
  wrong_fields operator()(...) const;
};
template <class Fn, bool = std::is_class_v<Fn> && !std::is_final_v<Fn>>
struct answering {
  using type = with_answer<Fn>;
};
template <class Fn>
struct answering<Fn, false> {
  using type = Fn;
};
template <class Fn, class... Field>
using returned =
    decltype(std::declval<const typename answering<Fn>::type&>()(std::declval<const Field&>()...));
template <class Fn, class... Field>
using returned_if_mutable =
    decltype(std::declval<typename answering<Fn>::type&>()(std::declval<const Field&>()...));

template <class X>
inline constexpr bool is_field_update = false;
template <class Target, class E, class Conditions>
inline constexpr bool is_field_update<update_stage<Target, E, Conditions>> =
    target_of<Target>::is_target;

/// Named in an instantiation's note: how many it was.
template <int Given>
struct fields_of_a_step {
  static_assert(Given <= most_fields, "A time step takes at most 32 fields.");
  static constexpr bool are_few_enough = Given <= most_fields;
};

/// A compiler looks at each load by itself, and at 20000 for hours.
template <class X>
inline constexpr bool is_short_enough = true;
template <class Target, class E, class Conditions>
inline constexpr bool is_short_enough<update_stage<Target, E, Conditions>> = E::loads <= 20000;

template <class X, bool IsLooked = is_short_enough<X>>
inline constexpr bool knows_its_time = true;
template <class Target, class E, class Conditions>
inline constexpr bool knows_its_time<update_stage<Target, E, Conditions>, true> =
    !footprints_at<E, 0, 0, 0>.all.uses_stage_time;

/// What a lambda returned, looked at once: what comes after relies on it.
template <class X>
struct checked_step {
  // What nvcc makes of a mistake in the lambda is no type, not even its own: it was told already.
  static constexpr bool is_type = std::is_same_v<X, X>;
  static_assert(
      is_update<X> || !is_type,
      "A time step's lambda must return update(target, rhs), as in "
      "return update(inn(T), inn(T) + dt * dTdt), or stages(update(...), update(...)), or "
      "together(update(...), update(...)).");
  static_assert(!is_update<X> || is_field_update<X>,
                "A time step's lambda must return update(target, rhs) with a field as its target.");
  static_assert(knows_its_time<X>,
                "stage_time is known within euler, rk2, ssp_rk3 and rk4 only; in another time step "
                "the time is step_index * dt.");
  static_assert(is_short_enough<X>,
                "An update loads more than 20000 elements a cell, as values that are used several "
                "times or at neighbours count for each use: keep a part in a field of its own, by "
                "stages(update(part, ...), update(T, ...)).");
  static constexpr bool is_right = is_field_update<X> && knows_its_time<X> && is_short_enough<X>;
};
template <class Residual, class Sees, class... Stage>
struct checked_step<stage_list<Residual, Sees, Stage...>> {
  static_assert(sizeof...(Stage) > 0, "stages(...): a time step needs an update.");
  static constexpr bool is_right = sizeof...(Stage) > 0 &&
                                   (true && ... && checked_step<Stage>::is_right);
};
template <class... Stage>
struct checked_step<simultaneous<Stage...>> {  // together() has refused what is no update
  static constexpr bool is_right = [] {
    if constexpr ((is_update<Stage> && ...) && sizeof...(Stage) > 0)
      return (checked_step<Stage>::is_right && ...);
    else
      return false;
  }();
};
template <class Stages, int... Owner>
struct checked_step<step_with_own_fields<Stages, Owner...>> : checked_step<Stages> {};
template <>
struct checked_step<wrong_fields> {
  static constexpr bool is_right = false;
};

/// Of what was refused: nothing that comes after needs to be told as well.
template <class Field, class... Other>
auto some_step(const Field& T, const Other&...) {
  return update(T, T);
}
/// What a time step's lambda makes of these fields.
template <class... Field, class Fn>
auto composed_step(const Fn& fn) {
  using step = returned<Fn, Field...>;
  constexpr bool is_wrong = std::is_same_v<step, wrong_fields>;
  constexpr bool is_mutable =
      is_wrong && !std::is_same_v<returned_if_mutable<Fn, Field...>, wrong_fields>;
  static_assert(!is_mutable,
                "A time step's lambda is not mutable: it is called once, for all steps.");
  static_assert(!is_wrong || is_mutable,
                "A time step's lambda takes as many fields as iterate() is given arrays, each as "
                "a parameter `auto T`.");
  if constexpr (!fields_of_a_step<sizeof...(Field)>::are_few_enough ||
                !checked_step<step>::is_right)
    return some_step(Field{}...);
  else if constexpr (is_simultaneous<step>)
    return stages(fn(static_cast<const Field&>(Field{})...));
  else
    return fn(static_cast<const Field&>(Field{})...);
}

/// The same as a type with a short name: formulas are named by all that they consist of, kilobytes
/// in a step of many fields, and so is each function of a template that takes one.
template <class Fn, class... Field>
struct formula_of : decltype(composed_step<Field...>(std::declval<const Fn&>())) {
  using composed = decltype(composed_step<Field...>(std::declval<const Fn&>()));
};
template <class Fn, class... Field>
struct step_of<formula_of<Fn, Field...>> : step_of<typename formula_of<Fn, Field...>::composed> {};
template <class Fn, class... Field>
struct own_fields<formula_of<Fn, Field...>>
    : own_fields<typename formula_of<Fn, Field...>::composed> {};

}  // namespace detail

/// A time step: a host lambda over fields that returns update(target, rhs), stages(update(...),
/// ...) or together(update(...), ...). It is called once, with placeholders, and so is a formula
/// without data: one serves every device and schedule.
template <class Fn>
class timestep {
 public:
  explicit timestep(Fn fn) : fn_(std::move(fn)) {}

  /// The formula over fields for arrays of these types.
  template <class... A>
  auto formula() const {
    return [&]<int... S>(std::integer_sequence<int, S...>) {
      const auto composed =
          detail::composed_step<field<S, typename A::value_type, A::rank>...>(fn_);
      if constexpr (sizeof...(A) > 4)  // (for shorter names it takes longer than it saves)
        return detail::formula_of<Fn, field<S, typename A::value_type, A::rank>...>{composed};
      else
        return composed;
    }
    (std::make_integer_sequence<int, sizeof...(A)>{});
  }

 private:
  Fn fn_;
};

}  // namespace teff::inline TEFF_MODE

// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <type_traits>

#include <teff/formula/footprint.hpp>
#include <teff/formula/residual.hpp>

/// Right-hand sides of du/dt = e, as euler, rk2, ssp_rk3 and rk4 (integrators.hpp) take them.
namespace teff::inline TEFF_MODE {

/// `d target / dt = rhs` as a value.
template <class Target, class E, class Conditions = no_boundary>
struct field_rate {
  Target target;
  E rhs;
  Conditions sides{};
};

namespace detail {

template <class X>
inline constexpr bool is_rate = false;
template <class Target, class E, class Conditions>
inline constexpr bool is_rate<field_rate<Target, E, Conditions>> = true;

template <class Field>
struct value_of_field;
template <int S, class T, int N>
struct value_of_field<field<S, T, N>> {
  using type = T;
};

/// A number or parameter in the type of the field; an expression as it is.
template <class V, class A>
auto beside_field(const A& e) {
  if constexpr (number_like<A> || is_parameter<A>)
    return beside<V>(as_node(e));
  else
    return as_node(e);
}

template <class Target, class A, class Conditions>
auto checked_rate(const Target& target, const A& e, const Conditions& conditions) {
  static_assert(target_of<Target>::is_target,
                "rate(target, e): the target must be one of the lambda's fields or its inner part, "
                "as inn(T); what the lambda captures is known, and has no rate.");
  if constexpr (target_of<Target>::is_target) {
    using value = typename target_of<Target>::type::field_type::value_type;
    static_assert(std::floating_point<value>,
                  "rate(target, e): a field that has a rate must be of f64 or f32.");
    const auto rhs = beside_field<value>(e);
    static_assert(common_rank<Target, std::remove_const_t<decltype(rhs)>>() >= 0,
                  "rate(target, e): both must have the same number of dims.");
    return field_rate<Target, std::remove_const_t<decltype(rhs)>, Conditions>{target, rhs,
                                                                              conditions};
  } else {
    return field_rate<Target, number<double>, Conditions>{target, number<double>(0), conditions};
  }
}

}  // namespace detail

/// The rate of change of `target` (a field, or the inner part of one): d target / dt = e. All other
/// cells of the field keep their values, or follow from the boundary conditions after each stage:
/// `rate(inn(T), D * (d2_xi(T) + d2_yi(T)), boundary{.x = periodic})`.
template <class Target, operand A>
[[nodiscard("the lambda returns its rate")]] auto rate(const Target& target, const A& e) {
  return detail::checked_rate(target, e, no_boundary{});
}
template <class Target, operand A>
[[nodiscard("the lambda returns its rate")]] auto rate(const Target& target, const A& e,
                                                       const boundary& conditions) {
  return detail::checked_rate(target, e, conditions);
}

/// The rates of several fields, and perhaps a residual.
template <class Residual, class... Rate>
struct rate_list {
  detail::tuple<Rate...> list;
  Residual residual;
};

namespace detail {

template <class... Rate>
constexpr bool are_of_different_fields() {
  constexpr int count = sizeof...(Rate);
  const int slots[count + 1] = {target_of<decltype(Rate::target)>::type::field_type::slot..., 0};
  for (int a = 0; a < count; ++a)
    for (int b = 0; b < a; ++b)
      if (slots[a] == slots[b]) return false;
  return true;
}

/// Takes the entries of rates(...) apart: rates, and the last one apart if it is a residual.
template <class... Done>
struct rates_so_far {
  tuple<Done...> done;

  auto with() const { return list(no_residual{}); }
  template <class First, class... Rest>
  auto with(const First& first, const Rest&... rest) const {
    if constexpr (sizeof...(Rest) == 0 && is_residual<First>)
      return list(first);
    else
      return rates_so_far<Done..., First>{joined(done, tuple<First>{first, {}})}.with(rest...);
  }

 private:
  template <class Residual>
  auto list(const Residual& residual) const {
    static_assert((is_rate<Done> && ...) && sizeof...(Done) > 0,
                  "rates(...) takes rates and, as its last entry, a residual: rates(rate(u, ...), "
                  "rate(v, ..., boundary{...}), residual(...)).");
    if constexpr ((is_rate<Done> && ...) && (target_of<decltype(Done::target)>::is_target && ...))
      static_assert(are_of_different_fields<Done...>(),
                    "rates(...): two rates of one field; write their sum as one rate.");
    return rate_list<Residual, Done...>{done, residual};
  }
};

}  // namespace detail

/// The rates of several fields; each sees the same values, those of the stage. The last entry may
/// be a residual, which is evaluated in the states after steps.
template <class... Rate>
[[nodiscard("the lambda returns its rates")]] auto rates(const Rate&... rate) {
  return detail::rates_so_far<>{}.with(rate...);
}

/// `return rate(u, a), rate(v, b);` would forget the first.
template <class Target, class E, class Conditions, class Next>
auto operator,(const field_rate<Target, E, Conditions>&, const Next& next) {
  static_assert(std::is_void_v<Next>, "Several rates are rates(rate(...), rate(...)).");
  return next;
}

namespace detail {

/// By how many cells an expression is smaller than a field, if that is known when it is compiled.
struct cells_fewer {
  bool is_known = false;
  bool is_first = false;  ///< seen from the first field; else from any array
  int by[3] = {0, 0, 0};

  constexpr cells_fewer or_else(const cells_fewer& other) const {
    return is_first || (is_known && !other.is_first) ? *this : other;
  }
};

template <class E>
struct fewer_than_field {
  static constexpr cells_fewer value{};
};
template <int S, class T, int N>
struct fewer_than_field<field<S, T, N>> {
  static constexpr cells_fewer value{true, S == 0, {0, 0, 0}};
};
template <class T, int N>
struct fewer_than_field<array_leaf<T, N>> {
  static constexpr cells_fewer value{true, false, {0, 0, 0}};
};
template <class Op, class L, class R>
struct fewer_than_field<binary<Op, L, R>> {
  static constexpr cells_fewer value =
      fewer_than_field<L>::value.or_else(fewer_than_field<R>::value);
};
template <class Fn, class... E>
struct fewer_than_field<call<Fn, E...>> {
  static constexpr cells_fewer value = [] {
    cells_fewer all;
    ((all = all.or_else(fewer_than_field<E>::value)), ...);
    return all;
  }();
};
template <class Fn, class Shrink, class E, class... At>
struct fewer_than_field<neighbours<Fn, Shrink, E, At...>> {
  static constexpr cells_fewer value = [] {
    cells_fewer all = fewer_than_field<E>::value;
    for (int d = 0; d < 3; ++d) all.by[d] += Shrink::by[d];
    return all;
  }();
};

/// The first field has a part of as many cells as X (what a lambda returned, if an expression), as
/// many left out at both sides.
template <class X>
constexpr bool has_part_that_fits() {
  if constexpr (operand<X>) {
    constexpr cells_fewer fewer = fewer_than_field<node_of<X>>::value;
    return fewer.by[0] % 2 == 0 && fewer.by[1] % 2 == 0 && fewer.by[2] % 2 == 0;
  } else {
    return true;
  }
}
template <class E, int S, class T, int N>
auto part_that_fits(const field<S, T, N>& first) {
  constexpr cells_fewer fewer = fewer_than_field<E>::value;
  constexpr int x = fewer.by[0], y = fewer.by[1], z = fewer.by[2];
  if constexpr (x == 0 && y == 0 && z == 0)
    return first;
  else
    return moved<shrink<x, y, z>, field<S, T, N>, offset<x / 2, y / 2, z / 2>>(first);
}

}  // namespace detail
}  // namespace teff::inline TEFF_MODE

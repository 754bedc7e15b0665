// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <type_traits>
#include <utility>

#include <teff/expr/fd.hpp>
#ifdef __CUDACC_RTC__
#include <teff/formula/boundary_in_kernels.hpp>
#else
#include <teff/formula/boundary.hpp>
#endif

/// Placeholders of a formula: they stand for the fields that iterate() is given, each with a type
/// of its own, so that which operand is which is known when the formula is compiled.
namespace teff::inline TEFF_MODE {

/// Field number S of a formula, of N dims of T.
template <int S, class T, int N>
struct field : node<field<S, T, N>> {
  using value_type = T;
  static constexpr int slot = S, rank = N, flops = 0, widest = sizeof(T), loads = 1;
  static constexpr bool is_pointwise = true, is_collapsible = false;

  template <class B>
  shape3 shape(const B& fields) const {
    return fields.template shape<S>();
  }
  template <int X, int Y, int Z, class F>
  void visit(const window& w, F& f) const {
    f.template reads_field<S, X, Y, Z>(w);
  }
  field lower(const lowering&) const { return *this; }
  template <int X, int Y, int Z, class C>
  TEFF_INLINE auto eval(const C& c) const {
    return c.template load_field<S, X, Y, Z>();
  }
  [[gnu::cold, gnu::noinline]] std::string text() const { return "field " + std::to_string(S); }
};

/// The part of a field that a step writes: all but so many cells at each side.
template <class Field, int LowX, int LowY, int LowZ, int HighX, int HighY, int HighZ>
struct written_part {
  using field_type = Field;
  static constexpr int low[3] = {LowX, LowY, LowZ}, high[3] = {HighX, HighY, HighZ};
};

namespace detail {

template <class E>
struct target_of {
  static constexpr bool is_target = false;
};
template <int S, class T, int N>
struct target_of<field<S, T, N>> {
  static constexpr bool is_target = true;
  using type = written_part<field<S, T, N>, 0, 0, 0, 0, 0, 0>;
};
template <class Shrink, int S, class T, int N, int X, int Y, int Z>
struct target_of<moved<Shrink, field<S, T, N>, offset<X, Y, Z>>> {
  static constexpr bool is_target = true;
  using type = written_part<field<S, T, N>, X, Y, Z, Shrink::by[0] - X, Shrink::by[1] - Y,
                            Shrink::by[2] - Z>;
};

}  // namespace detail

/// `target = rhs` as a value: a stage of a time step, or something to explain.
/// Conditions is boundary, or no_boundary, so that formulas without any pay for none.
template <class Target, class E, class Conditions = no_boundary>
struct update_stage {
  Target target;
  E rhs;
  Conditions sides{};
};

namespace detail {
template <class Target, class A, class Conditions>
auto update_of_field(const Target& target, const A& rhs, const Conditions& conditions) {
  static_assert(common_rank<Target, node_of<A>>() >= 0,
                "update(target, rhs): both must have the same number of dims.");
  using value = typename target_of<Target>::type::field_type::value_type;
  if constexpr (std::integral<value>)
    static_assert(!std::floating_point<typename node_of<A>::value_type>,
                  "update(target, rhs): the field holds integers and rhs is real, so every step "
                  "would cut off the "
                  "fraction. Make the field f64 or f32, or write what is meant, as "
                  "convert<i32>(floor(rhs)).");
  if constexpr (number_like<A> && std::integral<value>) {
    return update_of_field(target, number<value>(number_meeting<value>(rhs)), conditions);
  } else if constexpr (is_parameter<A> && std::integral<value> &&
                       !std::same_as<typename node_of<A>::value_type, value>) {
    return update_of_field(target, rhs.template as<value>(), conditions);
  } else {
    return update_stage<Target, node_of<A>, Conditions>{target, as_node(rhs), conditions};
  }
}
template <class Target, class A, class Conditions>
auto checked_update(const Target& target, const A& rhs, const Conditions& conditions) {
  static_assert(target_of<Target>::is_target,
                "update(target, rhs): the target must be a field or its inner part, as inn(T) or "
                "around<2>(T)().");
  if constexpr (target_of<Target>::is_target)
    return update_of_field(target, rhs, conditions);
  else
    return update_stage<Target, node_of<A>, Conditions>{target, as_node(rhs), conditions};
}
}  // namespace detail

/// A stage of a time step: the cells of `target` (a field, or the inner part of one) become `rhs`.
/// All other cells of the field keep their values, or follow from the boundary conditions:
/// `update(inn(T), rhs, boundary{.x = periodic, .y = {fixed, gradient(0.0)}})`.
template <expression Target, operand A>
[[nodiscard("a time step's lambda returns its update")]] auto update(const Target& target,
                                                                     const A& rhs) {
  return detail::checked_update(target, rhs, no_boundary{});
}
template <expression Target, operand A>
[[nodiscard("a time step's lambda returns its update")]] auto update(const Target& target,
                                                                     const A& rhs,
                                                                     const boundary& conditions) {
  return detail::checked_update(target, rhs, conditions);
}

template <class E, bool IsNorm2>
struct residual_stage;  // residual.hpp

namespace detail {
struct no_residual {};
template <class X>
inline constexpr bool is_residual = false;
template <class E, bool IsNorm2>
inline constexpr bool is_residual<residual_stage<E, IsNorm2>> = true;
}  // namespace detail

/// Several updates, and perhaps a residual. Sees: for each update, how many before it it sees.
template <class Residual, class Sees, class... Stage>
struct stage_list {
  detail::tuple<Stage...> list;
  Residual residual;
};

/// Updates of one stage.
template <class... Stage>
struct simultaneous {
  detail::tuple<Stage...> list;
};

namespace detail {

template <class X>
inline constexpr bool is_update = false;
template <class Target, class E, class Conditions>
inline constexpr bool is_update<update_stage<Target, E, Conditions>> = true;
template <class X>
inline constexpr bool is_simultaneous = false;
template <class... Stage>
inline constexpr bool is_simultaneous<simultaneous<Stage...>> = true;

/// Takes the entries of stages(...) apart, one by one: updates in a row, each with how many it
/// sees, and the last entry apart if it is a residual.
template <class Sees, class... Done>
struct stages_so_far;
template <int... Sees, class... Done>
struct stages_so_far<std::integer_sequence<int, Sees...>, Done...> {
  tuple<Done...> done;

  template <class Residual>
  auto list(const Residual& residual) const {
    return stage_list<Residual, std::integer_sequence<int, Sees...>, Done...>{done, residual};
  }
  auto with() const { return list(no_residual{}); }
  template <class First, class... Rest>
  auto with(const First& first, const Rest&... rest) const {
    if constexpr (sizeof...(Rest) == 0 && is_residual<First>) {
      return list(first);
    } else {
      static_assert(!is_residual<First>, "stages(...): a residual is the last entry.");
      return and_one(first).with(rest...);
    }
  }

 private:
  static constexpr int count = sizeof...(Done);

  template <class Stage>
  auto and_one(const Stage& stage) const {
    return and_all(tuple<Stage>{stage, {}});
  }
  template <class... Stage>
  auto and_one(const simultaneous<Stage...>& stage) const {
    return and_all(stage.list);
  }
  /// Of one stage: they all see the same.
  template <class... Stage>
  auto and_all(const tuple<Stage...>& stage) const {
    return stages_so_far<
        std::integer_sequence<int, Sees..., (static_cast<void>(sizeof(Stage)), count)...>, Done...,
        Stage...>{joined(done, stage)};
  }
};

/// Every update of one stage writes a field of its own.
template <class... Stage>
constexpr bool write_different_fields() {
  constexpr int count = sizeof...(Stage);
  const int slots[count + 1] = {target_of<decltype(Stage::target)>::type::field_type::slot..., 0};
  for (int a = 0; a < count; ++a)
    for (int b = 0; b < a; ++b)
      if (slots[a] == slots[b]) return false;
  return true;
}

}  // namespace detail

/// Several updates as one stage: all of their right-hand sides see the values from before it, also
/// at the cell itself. `together(update(inn(u), f(u, v)), update(inn(v), g(u, v)))` is a time step,
/// or an entry of stages(...). Each writes a field of its own; its conditions hold after the stage.
/// @traffic each field is read and written once, also in single steps, unless an update writes over
/// what another one reads (is_in_place); update(v, u) moves nothing there, where u can be stored
/// over v (step_table's rings)
template <class... Stage>
[[nodiscard("a time step's lambda returns its stages")]] auto together(const Stage&... stage) {
  static_assert((detail::is_update<Stage> && ...) && sizeof...(Stage) > 0,
                "together(...) takes updates and nothing else: together(update(u, ...), "
                "update(v, ..., boundary{...})); stages and a residual stand beside it, in "
                "stages(together(...), update(...), residual(...)).");
  if constexpr ((detail::is_update<Stage> && ...) && sizeof...(Stage) > 0)
    static_assert(detail::write_different_fields<Stage...>(),
                  "together(...): two updates write one field; which value would it have? Write "
                  "them as stages(update(...), update(...)), one after the other.");
  return simultaneous<Stage...>{detail::tuple_of(stage...)};
}

/// A time step of several stages: each sees the new values of the stages before it. A stage that
/// reads neighbours of the cells that it writes reads their values from before the stage, whatever
/// the order in which cells are computed. Updates that are to see each other's old values are one
/// stage: `stages(together(update(u, ...), update(v, ...)), update(w, ...))`. The last entry may be
/// a residual.
template <class... Stage>
[[nodiscard("a time step's lambda returns its stages")]] auto stages(const Stage&... stage) {
  return detail::stages_so_far<std::integer_sequence<int>>{}.with(stage...);
}

namespace detail {
template <class X>
inline constexpr bool is_part_of_step = is_update<X> || is_simultaneous<X>;
template <class Residual, class Sees, class... Stage>
inline constexpr bool is_part_of_step<stage_list<Residual, Sees, Stage...>> = true;
}  // namespace detail

/// `return update(A, a), update(B, b);` would forget the first.
template <class Part, class Next>
requires detail::is_part_of_step<Part>
auto operator,(const Part&, const Next& next) {
  static_assert(std::is_void_v<Next>, "Several updates are stages(update(...), update(...)).");
  return next;
}

/// The same over arrays, for explain().
template <class T, int N, operand A>
auto update(const array_ref<T, N>& target, const A& rhs) {
  return update_stage<array_ref<T, N>, node_of<A>>{target, as_node(rhs)};
}

}  // namespace teff::inline TEFF_MODE

// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <tuple>
#include <type_traits>
#include <utility>

#include <teff/expr/stage_time.hpp>
#include <teff/formula/own_fields.hpp>
#include <teff/formula/rate.hpp>
#include <teff/formula/timestep.hpp>

/// Time integrators: time steps made of a right-hand side. Each stage is an ordinary update of
/// every unknown (of several: a together) over fields that are the library's own, and the last one
/// of the fields that were given.
namespace teff::inline TEFF_MODE {

namespace detail {

/// dt * e, and half of it: of a number that is one factor.
template <class Dt, class E>
auto times_dt(const Dt& dt, const E& e) {
  return dt * e;
}
template <class Dt, class E>
auto times_half_dt(const Dt& dt, const E& e) {
  if constexpr (number_like<Dt>)
    return 0.5 * dt * e;
  else
    return dt * (0.5 * e);
}

// What a method makes of the values at the begin of a step and after the stages before, and of the
// rate in the last of them. Sums begin with u, so that a cell whose rates are 0 keeps its bits. At
// `times[k]` (times dt) stage k takes its rate.

struct euler_method {
  static constexpr int stages = 1;
  static constexpr double times[] = {0, 1};
  template <class Dt, class E, class U>
  static auto next(const Dt& dt, const E& e, const U& u) {
    return u + times_dt(dt, e);
  }
};

struct rk2_method {
  static constexpr int stages = 2;
  static constexpr double times[] = {0, 0.5, 1};
  template <class Dt, class E, class U>
  static auto next(const Dt& dt, const E& e, const U& u) {
    return u + times_half_dt(dt, e);
  }
  template <class Dt, class E, class U>
  static auto next(const Dt& dt, const E& e, const U& u, const auto&) {
    return u + times_dt(dt, e);
  }
};

struct ssp_rk3_method {
  static constexpr int stages = 3;
  static constexpr double times[] = {0, 1, 0.5, 1};
  template <class Dt, class E, class U>
  static auto next(const Dt& dt, const E& e, const U& u) {
    return u + times_dt(dt, e);
  }
  template <class Dt, class E, class U, class S1>
  static auto next(const Dt& dt, const E& e, const U& u, const S1& s1) {
    return u + 0.25 * ((s1 - u) + times_dt(dt, e));
  }
  template <class Dt, class E, class U, class S1, class S2>
  static auto next(const Dt& dt, const E& e, const U& u, const S1&, const S2& s2) {
    return u + (2.0 / 3) * ((s2 - u) + times_dt(dt, e));
  }
};

struct rk4_method {
  static constexpr int stages = 4;
  static constexpr double times[] = {0, 0.5, 0.5, 1, 1};
  template <class Dt, class E, class U>
  static auto next(const Dt& dt, const E& e, const U& u) {
    return u + times_half_dt(dt, e);
  }
  template <class Dt, class E, class U, class S1>
  static auto next(const Dt& dt, const E& e, const U& u, const S1&) {
    return u + times_half_dt(dt, e);
  }
  template <class Dt, class E, class U, class S1, class S2>
  static auto next(const Dt& dt, const E& e, const U& u, const S1&, const S2&) {
    return u + times_dt(dt, e);
  }
  template <class Dt, class E, class U, class S1, class S2, class S3>
  static auto next(const Dt& dt, const E& e, const U& u, const S1& s1, const S2& s2, const S3& s3) {
    return u + (1.0 / 3) * (((s1 - u) + 2.0 * (s2 - u)) + (s3 - u) + times_half_dt(dt, e));
  }
};

/// A field of the library's own by number, of the type of another.
template <int Slot, class Field>
struct renumbered;
template <int Slot, int S, class T, int N>
struct renumbered<Slot, field<S, T, N>> {
  using type = field<Slot, T, N>;
};

/// The same part of another field.
template <class Field, class Target>
struct part_of {
  static Field of() { return {}; }
};
template <class Field, class Shrink, class Other, class At>
struct part_of<Field, moved<Shrink, Other, At>> {
  static auto of() { return moved<Shrink, Field, At>(Field{}); }
};

/// Named in an instantiation's note: how many fields were given, and how many more a method keeps.
template <int Given, int Own>
struct fields_with_stages {
  static_assert(Given + Own <= most_fields,
                "A time step takes at most 32 fields, and a time integrator's own are among them: "
                "for each unknown rk4 keeps three, ssp_rk3 two, rk2 one.");
  static constexpr bool are_few_enough = Given + Own <= most_fields;
};

template <class X>
inline constexpr bool is_rate_list = false;
template <class Residual, class... Rate>
inline constexpr bool is_rate_list<rate_list<Residual, Rate...>> = true;

/// Whatever a lambda returned, as a list of rates.
template <class First, class X>
auto as_rates(const First& first, const X& returned) {
  if constexpr (is_rate_list<X>)
    return returned;
  else if constexpr (is_rate<X>)
    return rates(returned);
  else
    return rates(rate(part_that_fits<node_of<X>>(first), returned));
}

/// What a lambda returned can be stepped; of what can not be, it was told why.
template <class X>
struct checked_rates {
  static constexpr bool are_right = operand<X> && has_part_that_fits<X>();
};
template <class Target, class E, class Conditions>
struct checked_rates<field_rate<Target, E, Conditions>> {
  static constexpr bool are_right = [] {
    if constexpr (target_of<Target>::is_target)
      return std::floating_point<typename target_of<Target>::type::field_type::value_type> &&
             common_rank<Target, E>() >= 0;
    else
      return false;
  }();
};
template <class Residual, class... Rate>
struct checked_rates<rate_list<Residual, Rate...>> {
  static constexpr bool are_right = [] {
    if constexpr (sizeof...(Rate) > 0 && (is_rate<Rate> && ...)) {
      if constexpr ((checked_rates<Rate>::are_right && ...))
        return are_of_different_fields<Rate...>();
      else
        return false;
    } else {
      return false;
    }
  }();
};

/// The unknowns of a step over so many fields, in the order of their rates.
template <int Given, class Rates>
struct unknowns_of;
template <int Given, class Residual, class... Rate>
struct unknowns_of<Given, rate_list<Residual, Rate...>> {
  static constexpr int count = sizeof...(Rate);
  template <int I>
  using target = std::tuple_element_t<I, std::tuple<decltype(Rate::target)...>>;
  template <int I>
  using field_type = typename target_of<target<I>>::type::field_type;

  /// The unknown that a field is; -1: it is known.
  static constexpr int number_of(int slot) {
    constexpr int slots[] = {target_of<decltype(Rate::target)>::type::field_type::slot...};
    for (int i = 0; i < count; ++i)
      if (slots[i] == slot) return i;
    return -1;
  }
  /// Where the values of a field are after so many stages of a step; 0: at its begin.
  static constexpr int slot_after(int stages, int slot) {
    const int number = number_of(slot);
    return number < 0 || stages == 0 ? slot : Given + (stages - 1) * count + number;
  }
  template <int Stages, class Field>
  using after = typename renumbered<slot_after(Stages, Field::slot), Field>::type;
};

/// Makes a step of rates: a lambda of timestep, called for once with placeholders. It calls the
/// user's once for each stage, with that stage's.
template <class Method, class Fn, class Dt>
class integrator {
 public:
  integrator(Fn fn, const Dt& dt) : fn_(std::move(fn)), dt_(dt) {}

  template <class First, class... Field>
  auto operator()(const First& first, const Field&...) const {
    constexpr int given = 1 + sizeof...(Field);
    using step = returned<Fn, First, Field...>;
    // What nvcc makes of a mistake in the lambda is no type, not even its own: it was told already.
    constexpr bool is_type = std::is_same_v<step, step>;
    constexpr bool is_wrong = std::is_same_v<step, wrong_fields>;
    static_assert(!is_wrong,
                  "A right-hand side's lambda is not mutable, and takes as many fields as "
                  "iterate() is given arrays, each as a parameter `auto T`.");
    static_assert(!is_part_of_step<step>,
                  "euler, rk2, ssp_rk3 and rk4 make the updates themselves: their lambda returns "
                  "the time derivative, as rate(target, e) or rates(rate(...), ...).");
    static_assert(!is_type || is_wrong || is_part_of_step<step> || is_rate<step> ||
                      is_rate_list<step> || operand<step>,
                  "The lambda of a time integrator must return rate(target, e), rates(rate(...), "
                  "...), or an expression, the rate of the first field.");
    static_assert(!is_type || has_part_that_fits<step>(),
                  "A rate without a target is that of the first field's inner part, as many cells "
                  "off at both sides; this one has an odd number fewer: name the target, as in "
                  "rate(inn_x(T), e).");
    if constexpr (!is_type || !checked_rates<step>::are_right) {
      return update(first, first);
    } else {
      using unknowns = unknowns_of<given, decltype(as_rates(first, std::declval<const step&>()))>;
      if constexpr (!fields_with_stages<given,
                                        (Method::stages - 1) * unknowns::count>::are_few_enough)
        return update(first, first);
      else
        return composed<unknowns, First, Field...>(
            std::make_integer_sequence<int, Method::stages>{},
            std::make_integer_sequence<int, (Method::stages - 1) * unknowns::count>{});
    }
  }

 private:
  template <class Unknowns, class... Field, int... Stage, int... Own>
  auto composed(std::integer_sequence<int, Stage...>, std::integer_sequence<int, Own...>) const {
    const auto residual = rates_after<Unknowns, 0, Field...>().residual;
    const auto list = with_residual(
        residual,
        stage<Unknowns, Stage, Field...>(std::make_integer_sequence<int, Unknowns::count>{})...);
    return step_with_own_fields<std::remove_const_t<decltype(list)>,
                                Unknowns::template field_type<Own % Unknowns::count>::slot...>{
        list};
  }
  template <class Residual, class... Stage>
  auto with_residual(const Residual& residual, const Stage&... stage) const {
    if constexpr (is_residual<Residual>)
      return stages(stage..., in_time(residual));
    else
      return stages(stage...);
  }
  template <class E, bool IsNorm2>
  auto in_time(const residual_stage<E, IsNorm2>& residual) const {
    const auto e = timed(residual.reduction.e, stage_clock(dt_, 0));
    using timed_type = std::remove_const_t<decltype(e)>;
    return residual_stage<timed_type, IsNorm2>{field_reduction<timed_type, IsNorm2>{e}};
  }

  /// What the lambda makes of the values after so many stages.
  template <class Unknowns, int Stages, class... Field>
  auto rates_after() const {
    return as_rates(first_of(typename Unknowns::template after<Stages, Field>{}...),
                    fn_(static_cast<const typename Unknowns::template after<Stages, Field>&>(
                        typename Unknowns::template after<Stages, Field>{})...));
  }
  template <class First, class... Rest>
  static First first_of(const First& first, const Rest&...) {
    return first;
  }

  template <class Unknowns, int Stage, class... Field, int... I>
  auto stage(std::integer_sequence<int, I...>) const {
    const auto rates = rates_after<Unknowns, Stage, Field...>();
    if constexpr (sizeof...(I) == 1)
      return stage_of<Unknowns, Stage, 0>(rates.list.first,
                                          std::make_integer_sequence<int, Stage + 1>{});
    else
      return together(stage_of<Unknowns, Stage, I>(
          entry<I>(rates.list), std::make_integer_sequence<int, Stage + 1>{})...);
  }
  /// The update of unknown number I.
  template <class Unknowns, int Stage, int I, class Rate, int... Before>
  auto stage_of(const Rate& rate, std::integer_sequence<int, Before...>) const {
    using target = typename Unknowns::template target<I>;
    using given = typename Unknowns::template field_type<I>;
    constexpr int after = Stage + 1 == Method::stages ? 0 : Stage + 1;
    const auto e =
        Method::next(dt_, timed(rate.rhs, stage_clock(dt_, Method::times[Stage])),
                     part_of<typename Unknowns::template after<Before, given>, target>::of()...);
    const auto written = part_of<typename Unknowns::template after<after, given>, target>::of();
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(rate.sides)>, boundary>)
      return update(written, e,
                    rate.sides.in_stage_of(stage_clock(dt_, Method::times[Stage + 1] - 1)));
    else
      return update(written, e);
  }
  template <class E>
  static auto timed(const E& e, const stage_clock& clock) {
    if constexpr (footprints_at<E, 0, 0, 0>.all.uses_stage_time)
      return in_stage<E>(e, clock);
    else
      return e;
  }

  Fn fn_;
  Dt dt_;
};

template <class Method, class Fn, class Dt>
auto integrated(Fn fn, const Dt& dt) {
  static_assert(number_like<Dt> || is_parameter<Dt>,
                "A time integrator's dt is a number or a param.");
  if constexpr (!number_like<Dt> && !is_parameter<Dt>)
    return timestep(integrator<Method, Fn, double>(std::move(fn), 0));
  else
    return timestep(integrator<Method, Fn, Dt>(std::move(fn), dt));
}

}  // namespace detail

/// u <- u + dt f(u): of first order.
///
/// All four make a time step of f, a lambda over fields that returns `rate(target, e)` or
/// `rates(rate(...), ...)`, the time derivatives of its unknowns; all rates of a stage see the same
/// values. An expression alone is the rate of the first field: of all its cells, or of the inner
/// part that has as many as the expression. dt is a number or a param. f is called with
/// placeholders, once for each stage. Conditions hold after each stage; `stage_time` is the time of
/// a stage. A cell whose rates are 0 keeps its bits. What stages make is in fields of the library's
/// own, for which iterate() makes arrays where it goes stage by stage.
/// @traffic A_eff counts what iterate() is given, as of any step; passes move no own field
template <class Fn, class Dt>
auto euler(Fn f, const Dt& dt) {
  return detail::integrated<detail::euler_method>(std::move(f), dt);
}

/// The midpoint rule, of second order, with an own field for each unknown:
/// s = u + dt/2 f(u); u <- u + dt f(s).
template <class Fn, class Dt>
auto rk2(Fn f, const Dt& dt) {
  return detail::integrated<detail::rk2_method>(std::move(f), dt);
}

/// Of third order, and a mean of Euler steps, so what those keep (a bound, a sign, the total
/// variation) it keeps as well; two own fields for each unknown:
/// s1 = u + dt f(u); s2 = u + ((s1 - u) + dt f(s1)) / 4; u <- u + 2/3 ((s2 - u) + dt f(s2)).
/// @source Shu and Osher, Journal of Computational Physics 77 (1988)
template <class Fn, class Dt>
auto ssp_rk3(Fn f, const Dt& dt) {
  return detail::integrated<detail::ssp_rk3_method>(std::move(f), dt);
}

/// The classical one, of fourth order, with three own fields for each unknown:
/// s1 = u + dt/2 f(u); s2 = u + dt/2 f(s1); s3 = u + dt f(s2);
/// u <- u + 1/3 ((s1 - u) + 2 (s2 - u) + (s3 - u) + dt/2 f(s3)).
template <class Fn, class Dt>
auto rk4(Fn f, const Dt& dt) {
  return detail::integrated<detail::rk4_method>(std::move(f), dt);
}

}  // namespace teff::inline TEFF_MODE

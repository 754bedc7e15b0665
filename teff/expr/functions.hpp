// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <limits>
#include <string>
#include <tuple>

#include <teff/expr/arithmetic.hpp>
#include <teff/expr/tuple.hpp>

/// Functions of expressions: the usual ones, choice, and any function object of the user's.
namespace teff::inline TEFF_MODE {

// ---- one function of any number of operands

namespace detail {

template <class F>
constexpr int flops_of() {
  if constexpr (requires { F::flops; })
    return F::flops;
  else
    return 1;
}
template <class F>
constexpr const char* name_of() {
  if constexpr (requires { F::name; })
    return F::name;
  else
    return "map";
}

}  // namespace detail

/// f(e...), cell by cell; f is a function object, or a lambda marked TEFF_FN.
template <class Fn, class... E>
struct call : node<call<Fn, E...>> {
  using value_type = std::remove_cvref_t<decltype(std::declval<const Fn&>()(
      std::declval<typename E::value_type>()...))>;
  static constexpr int rank = common_rank<E...>();
  static constexpr int flops = detail::flops_of<Fn>() + (0 + ... + E::flops);
  static constexpr int widest = [] {
    int w = 0;
    ((w = greater_of(w, E::widest)), ...);
    return w;
  }();
  static constexpr int loads = detail::counted_loads((0 + ... + E::loads));
  static constexpr bool is_pointwise = (true && ... && E::is_pointwise);
  static constexpr bool is_collapsible = (true && ... && E::is_collapsible);

  Fn fn;
  detail::tuple<E...> operands;

  constexpr call(const Fn& f, detail::tuple<E...>&& e)
      : fn(f), operands(static_cast<detail::tuple<E...>&&>(e)) {}

  template <class B>
  shape3 shape(const B& fields) const {
    return with_operands([&](const auto&... e) { return shape_of(fields, e...); });
  }
  template <int X, int Y, int Z, class F>
  void visit(const window& w, F& f) const {
    with_operands([&](const auto&... e) { (e.template visit<X, Y, Z>(w, f), ...); });
  }
  auto lower(const lowering& how) const {
    return with_operands([&](const auto&... e) {
      return call<Fn, decltype(e.lower(how))...>(fn, detail::tuple_of(e.lower(how)...));
    });
  }
  [[gnu::cold]] std::string text() const {
    return with_operands([](const auto&... e) {
      const runtime::text_source sources[] = {detail::source_of_text(e)...};
      return runtime::call_text(detail::name_of<Fn>(), sources, sizeof...(E));
    });
  }

  template <int X, int Y, int Z, class C>
  TEFF_INLINE auto eval(const C& c) const {
    return eval_list<X, Y, Z>(c, operands);
  }

 private:
  template <class B, class First, class... Rest>
  static shape3 shape_of(const B& fields, const First& first, const Rest&... rest) {
    const shape3 mine = first.shape(fields);
    if constexpr (sizeof...(Rest) == 0)
      return mine;
    else
      return combined(mine, first, shape_of(fields, rest...), std::get<0>(std::tie(rest...)));
  }
  template <class G, class... Done>
  auto with_operands(const G& g) const {
    return unpack(g, operands);
  }
  template <class G, class... Done>
  static auto unpack(const G& g, const detail::tuple<>&, const Done&... done) {
    return g(done...);
  }
  template <class G, class First, class... Rest, class... Done>
  static auto unpack(const G& g, const detail::tuple<First, Rest...>& list, const Done&... done) {
    return unpack(g, list.rest, done..., list.first);
  }
  template <int X, int Y, int Z, class C, class... Done>
  TEFF_INLINE auto eval_list(const C&, const detail::tuple<>&, const Done&... done) const {
    return detail::for_lanes(fn, done...);
  }
  template <int X, int Y, int Z, class C, class First, class... Rest, class... Done>
  TEFF_INLINE auto eval_list(const C& c, const detail::tuple<First, Rest...>& list,
                             const Done&... done) const {
    return eval_list<X, Y, Z>(c, list.rest, done..., list.first.template eval<X, Y, Z>(c));
  }
};

/// f applied to the values of the operands, cell by cell.
/// @throws on the CPU, where it is evaluated, what f throws: from statements and time steps as an
/// error
///     that names the cell and has it nested, from algorithms as it is
template <class F, operand... A>
auto map(const F& f, const A&... a) {
  static_assert(common_rank<node_of<A>...>() >= 0,
                "The operands of an expression must have the same number of dims.");
  return call<F, node_of<A>...>(f, detail::tuple_of(as_node(a)...));
}

// ---- the usual functions

namespace ops {

/// A number, or a narrow integer, as the type its function is computed in.
template <class T>
using real_of = std::conditional_t<std::is_floating_point_v<T>, T, double>;

struct negate {
  static constexpr const char* name = "-";
  static constexpr int flops = 1;
  template <class T>
  TEFF_INLINE auto operator()(T a) const {
    if constexpr (std::integral<T>)
      return wrapping::negate(static_cast<meet<T, T>>(a));
    else
      return -a;
  }
};
struct logical_not {
  static constexpr const char* name = "!";
  static constexpr int flops = 0;
  template <class T>
  TEFF_INLINE bool operator()(T a) const {
    return !a;
  }
};
struct square_root {
  static constexpr const char* name = "sqrt";
  template <class T>
  TEFF_INLINE auto operator()(T a) const {
    return rounded::square_root(static_cast<real_of<T>>(a));
  }
};
struct square {
  static constexpr const char* name = "sq";
  template <class T>
  TEFF_INLINE auto operator()(T a) const {
    const meet<T, T> value = a;
    return ops::times{}(value, value);
  }
};
struct magnitude {
  static constexpr const char* name = "abs";
  template <class T>
  TEFF_INLINE T operator()(T a) const {
    if constexpr (std::is_unsigned_v<T>)
      return a;
    else if constexpr (std::integral<T>)
      return a < T{} ? wrapping::negate(a) : a;
    else
      return a < T{} ? -a : (a == T{} ? T{} : a);
  }
};
struct exponential {
  static constexpr const char* name = "exp";
  template <class T>
  TEFF_INLINE auto operator()(T a) const {
    return ::exp(static_cast<real_of<T>>(a));
  }
  TEFF_INLINE float operator()(float a) const { return ::expf(a); }
};
struct logarithm {
  static constexpr const char* name = "log";
  template <class T>
  TEFF_INLINE auto operator()(T a) const {
    return ::log(static_cast<real_of<T>>(a));
  }
  TEFF_INLINE float operator()(float a) const { return ::logf(a); }
};
struct sine {
  static constexpr const char* name = "sin";
  template <class T>
  TEFF_INLINE auto operator()(T a) const {
    return ::sin(static_cast<real_of<T>>(a));
  }
  TEFF_INLINE float operator()(float a) const { return ::sinf(a); }
};
struct cosine {
  static constexpr const char* name = "cos";
  template <class T>
  TEFF_INLINE auto operator()(T a) const {
    return ::cos(static_cast<real_of<T>>(a));
  }
  TEFF_INLINE float operator()(float a) const { return ::cosf(a); }
};
struct hyperbolic_tangent {
  static constexpr const char* name = "tanh";
  template <class T>
  TEFF_INLINE auto operator()(T a) const {
    return ::tanh(static_cast<real_of<T>>(a));
  }
  TEFF_INLINE float operator()(float a) const { return ::tanhf(a); }
};
struct floored {
  static constexpr const char* name = "floor";
  template <class T>
  TEFF_INLINE auto operator()(T a) const {
    return ::floor(static_cast<real_of<T>>(a));
  }
  TEFF_INLINE float operator()(float a) const { return ::floorf(a); }
};
struct power {
  static constexpr const char* name = "pow";
  template <class A, class B>
  TEFF_INLINE auto operator()(A a, B b) const {
    using T = real_of<meet<A, B>>;
    if constexpr (std::same_as<T, float>)
      return ::powf(a, b);
    else
      return ::pow(static_cast<T>(a), static_cast<T>(b));
  }
};
struct finite {
  static constexpr const char* name = "isfinite";
  static constexpr int flops = 0;
  template <class T>
  TEFF_INLINE bool operator()(T a) const {
    return ops::minus{}(a, a) == T{};
  }
};
/// Its type holds the magnitude of the lowest integer, but of i64: there it is the highest.
struct full_magnitude {
  static constexpr const char* name = "abs";
  template <class T>
  TEFF_INLINE auto operator()(T a) const {
    if constexpr (std::integral<T> && std::is_signed_v<T>) {
      constexpr i64 highest = std::numeric_limits<i64>::max();
      const i64 size = magnitude{}(static_cast<i64>(a));
      return size < 0 ? highest : size;
    } else {
      return magnitude{}(a);
    }
  }
};
/// The smaller one; not a number if either is.
struct smaller {
  static constexpr const char* name = "minimum";
  template <class A, class B>
  TEFF_INLINE auto operator()(A x, B y) const {
    const meet<A, B> a = x, b = y;
    return a < b || a != a ? a : b;
  }
};
/// The larger one; not a number if either is.
struct larger {
  static constexpr const char* name = "maximum";
  template <class A, class B>
  TEFF_INLINE auto operator()(A x, B y) const {
    const meet<A, B> a = x, b = y;
    return a > b || a != a ? a : b;
  }
};
/// The value as a T.
template <class T>
struct converted {
  static constexpr const char* name = type_name<T>();
  static constexpr int flops = 0;
  template <class V>
  TEFF_INLINE T operator()(V value) const {
    return convert<T>(value);
  }
};
struct choice {
  static constexpr const char* name = "where";
  static constexpr int flops = 0;
  template <class A, class B>
  TEFF_INLINE auto operator()(bool condition, A a, B b) const {
    using T = std::conditional_t<std::same_as<A, B>, A, meet<A, B>>;
    return condition ? static_cast<T>(a) : static_cast<T>(b);
  }
};

}  // namespace ops

template <lazy_operand A>
auto operator-(const A& a) {
  return map(ops::negate{}, a);
}
template <lazy_operand A>
auto operator!(const A& a) {
  return map(ops::logical_not{}, a);
}
template <lazy_operand A>
auto sqrt(const A& a) {
  return map(ops::square_root{}, a);
}
template <lazy_operand A>
auto sq(const A& a) {
  return map(ops::square{}, a);
}
template <lazy_operand A>
auto abs(const A& a) {
  return map(ops::magnitude{}, a);
}
template <lazy_operand A>
auto exp(const A& a) {
  return map(ops::exponential{}, a);
}
template <lazy_operand A>
auto log(const A& a) {
  return map(ops::logarithm{}, a);
}
template <lazy_operand A>
auto sin(const A& a) {
  return map(ops::sine{}, a);
}
template <lazy_operand A>
auto cos(const A& a) {
  return map(ops::cosine{}, a);
}
template <lazy_operand A>
auto tanh(const A& a) {
  return map(ops::hyperbolic_tangent{}, a);
}
template <lazy_operand A>
auto floor(const A& a) {
  return map(ops::floored{}, a);
}
template <lazy_operand A>
auto isfinite(const A& a) {
  return map(ops::finite{}, a);
}

/// The values as T, by the rule of convert() in conversion.hpp: convert<i32>(floor(A)).
template <element T, lazy_operand A>
auto convert(const A& a) {
  return map(ops::converted<T>{}, a);
}

namespace detail {
/// f(a, b) where a plain number takes the other operand's type.
template <class F, class A, class B>
auto map_pair(const F& f, const A& a, const B& b) {
  return map(f, beside<typename node_of<B>::value_type>(as_node(a)),
             beside<typename node_of<A>::value_type>(as_node(b)));
}
}  // namespace detail

template <class A, class B>
requires lazy_pair<A, B>
auto pow(const A& a, const B& b) {
  return detail::map_pair(ops::power{}, a, b);
}
/// Elementwise; not a number where either operand is.
template <class A, class B>
requires lazy_pair<A, B>
auto minimum(const A& a, const B& b) {
  return detail::map_pair(ops::smaller{}, a, b);
}
template <class A, class B>
requires lazy_pair<A, B>
auto maximum(const A& a, const B& b) {
  return detail::map_pair(ops::larger{}, a, b);
}

/// a where the condition holds, else b. Both are evaluated.
template <lazy_operand M, operand A, operand B>
auto where(const M& condition, const A& a, const B& b) {
  using value_a = typename node_of<A>::value_type;
  using value_b = typename node_of<B>::value_type;
  return map(ops::choice{}, condition, beside<value_b>(as_node(a)), beside<value_a>(as_node(b)));
}

}  // namespace teff::inline TEFF_MODE

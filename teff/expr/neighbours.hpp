// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <teff/expr/functions_of_numbers.hpp>

/// Expressions that read neighbours: one operand at several compile-time offsets. The
/// finite-difference operators of fd.hpp and around<R> are made of this one node.
namespace teff::inline TEFF_MODE {

/// Where a neighbour is, seen from the expression's own cell; never negative.
template <int X, int Y = 0, int Z = 0>
struct offset {
  static constexpr int x = X, y = Y, z = Z;
};

/// By how many cells an expression is smaller than its operand.
template <int X, int Y = 0, int Z = 0>
struct shrink {
  static constexpr int by[3] = {X, Y, Z};
};

/// fn(e at each offset...). The operand is stored once and every neighbour's value is rounded
/// before fn sees it, so an engine may compute a value that two cells share only once.
template <class Fn, class Shrink, class E, class... At>
struct neighbours : node<neighbours<Fn, Shrink, E, At...>> {
  using value_type =
      std::remove_cvref_t<decltype(Fn{}((static_cast<void>(At{}), typename E::value_type{})...))>;
  static constexpr int rank = E::rank;
  static constexpr int flops = detail::flops_of<Fn>() + E::flops;
  static constexpr int widest = E::widest;
  static constexpr int loads = detail::counted_loads(std::int64_t{sizeof...(At)} * E::loads);
  static constexpr bool is_pointwise = false, is_collapsible = false;

  E operand;

  explicit TEFF_INLINE constexpr neighbours(const E& e) : operand(e) {}
  explicit constexpr neighbours(E&& e) : operand(static_cast<E&&>(e)) {}

  template <class B>
  shape3 shape(const B& fields) const {
    shape3 result = operand.shape(fields);
    runtime::lose_cells(result.n, Shrink::by, detail::source_of_text(operand));
    return result;
  }
  template <int X, int Y, int Z, class F>
  void visit(const window& w, F& f) const {
    (operand.template visit<X + At::x, Y + At::y, Z + At::z>(w, f), ...);
  }
  auto lower(const lowering& how) const {
    auto lowered = operand.lower(how.of_operand(Shrink::by));
    return neighbours<Fn, Shrink, decltype(lowered), At...>(lowered);
  }
  [[gnu::cold]] std::string text() const {
    const char* inner = nullptr;
    if constexpr (sizeof...(At) == 1) inner = inner_name<At...>();
    const runtime::text_source of = detail::source_of_text(operand);
    return inner != nullptr ? runtime::call_text(inner, &of, 1)
                            : runtime::text_around("neighbours of ", of, "");
  }

  template <int X, int Y, int Z, class C>
  TEFF_INLINE auto eval(const C& c) const {
    return detail::for_lanes(Fn{}, operand.template eval<X + At::x, Y + At::y, Z + At::z>(c)...);
  }

 private:
  /// What the field calls the part without the first and last cells along some dims; or null.
  template <class One>
  static constexpr const char* inner_name() {
    constexpr int at[3] = {One::x, One::y, One::z};
    int dims = 0;
    for (int d = 0; d < 3; ++d) {
      if (at[d] > 1 || Shrink::by[d] != 2 * at[d]) return nullptr;
      dims += at[d] << d;
    }
    if (dims == (1 << rank) - 1) return "inn";
    constexpr const char* names[] = {nullptr, "inn_x",  "inn_y",  "inn_xy",
                                     "inn_z", "inn_xz", "inn_yz", "inn"};
    return names[dims];
  }
};

namespace ops {
struct itself {
  static constexpr int flops = 0;
  template <class T>
  TEFF_INLINE T operator()(T a) const {
    return a;
  }
};
}  // namespace ops

/// One neighbour and nothing else: the inner part of an expression, or the inner part moved.
template <class Shrink, class E, class At>
using moved = neighbours<ops::itself, Shrink, E, At>;

// ---- around<R>

/// What around<R>(e) gives: u() is the inner part of e, R cells off every side; at<1, 0>(u) is its
/// neighbour in +x, of the same extents.
template <int R, expression E>
class surroundings {
 public:
  explicit surroundings(const E& e) : e_(e) {}
  auto operator()() const { return at_offset<0, 0, 0>(); }

  template <int X, int Y, int Z>
  auto at_offset() const {
    constexpr int n = E::rank;
    static_assert(n > 0,
                  "around<R>(e): e must have extents of its own (an array or a field in it).");
    static_assert(X >= -R && X <= R && Y >= -R && Y <= R && Z >= -R && Z <= R,
                  "at<...>(u): the neighbour lies outside the radius R of around<R>.");
    static_assert((n > 1 || Y == 0) && (n > 2 || Z == 0),
                  "at<...>(u): the expression has fewer dims than the offset.");
    constexpr int ry = n > 1 ? R : 0, rz = n > 2 ? R : 0;
    return moved<shrink<2 * R, 2 * ry, 2 * rz>, E, offset<R + X, ry + Y, rz + Z>>(e_);
  }

 private:
  E e_;
};

template <int R, lazy_operand A>
auto around(const A& a) {
  return surroundings<R, node_of<A>>(as_node(a));
}

template <int X, int Y = 0, int Z = 0, int R, class E>
auto at(const surroundings<R, E>& u) {
  return u.template at_offset<X, Y, Z>();
}

}  // namespace teff::inline TEFF_MODE

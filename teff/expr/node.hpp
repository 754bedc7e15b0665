// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <type_traits>

#include <teff/array/print.hpp>
#include <teff/base/conversion.hpp>
#include <teff/expr/lanes.hpp>
#include <teff/expr/mismatch.hpp>

/// The nodes of lazy expressions. An expression is a small tree, composed on the host by the
/// operators of arithmetic.hpp, functions.hpp and fd.hpp. Nothing is computed until a statement
/// evaluates it.
///
/// Every node has
///   value_type, rank        the type of its values; its dims, 0 if it adapts (numbers, ix)
///   flops                   operations per cell
///   widest                  bytes of its widest element, 0 without arrays
///   loads                   how many elements one evaluation loads, repeated ones counted again;
///   no
///                           more than many_loads are counted
///   is_pointwise            cell c reads cell c of every array, wherever those lie
///   is_collapsible          pointwise, and it does not matter which dim a cell is in
///   shape(fields)           extents; throws on a mismatch. `fields` tells those of placeholders
///   visit<X, Y, Z>(w, f)    calls f for each array read at offset (X, Y, Z) in the window w
///   lower(how)              the same tree, trivially copyable, for the device
///   eval<X, Y, Z>(context)  the value at offset (X, Y, Z) from the context's cell
///   text()                  for messages
namespace teff::inline TEFF_MODE {

namespace detail {
/// Neighbours of neighbours of values that are used again are soon more than an int.
inline constexpr int many_loads = 1 << 20;
constexpr int counted_loads(std::int64_t loads) {
  return loads < many_loads ? static_cast<int>(loads) : many_loads;
}

/// In an exception specification it comes before the mistakes that follow from the first one.
template <class Bool>
constexpr bool is_one_yes_or_no() {
  static_assert(
      !std::same_as<Bool, bool>,
      "An expression is not one yes or no, it has a value in each cell: instead of if, ?: "
      "and std::max write where(condition, a, b), maximum(a, b), minimum(a, b).");
  return false;
}
}  // namespace detail

/// The base of every node. Each node has a base type of its own: with one common type, a node and
/// its first operand could not share an address, and every level of a tree would cost 8 bytes of
/// kernel arguments.
template <class Self>
struct node {
  using expression_type = Self;

  /// A part of the expression, as of an array: (B * C)(range(1, n), whole).
  template <slice_argument... S>
  auto operator()(S... slices) const {
    return sliced(static_cast<const Self&>(*this), slices...);
  }

  /// There is none: this is for the message of `if`, `?:` and std::max.
  template <std::same_as<bool> Bool>
  explicit operator Bool() const noexcept(detail::is_one_yes_or_no<Bool>());
};

template <class E>
concept expression = requires {
  typename std::remove_cvref_t<E>::expression_type;
};

/// An array prints its cells (array/print.hpp); an expression has none.
template <expression E>
std::ostream& operator<<(std::ostream& out, const E&) {
  static_assert(
      !expression<E>,
      "An expression or a field has no values before a statement: array<double, 2> "
      "A(device, {nx, ny}); A = expression; std::cout << A; its text is expression.text().");
  return out;
}

namespace detail {
template <class T, int N>
void take_array(const array_ref<T, N>&);
}

/// An array or an array_ref.
template <class A>
concept array_like = requires(const A& a) {
  detail::take_array(a);
};

template <class X>
concept number_like = std::is_arithmetic_v<std::remove_cvref_t<X>>;

/// Extents of an expression; `any` where a dim adapts to the others.
struct shape3 {
  static constexpr index_t any = -1;
  index_t n[3] = {any, any, any};
};

/// The cells that a statement evaluates, seen from an array: cell m of dim d is start + m * step.
struct window {
  index_t start[3] = {0, 0, 0};
  index_t step[3] = {1, 1, 1};
  index_t count[3] = {1, 1, 1};
};

/// How a tree is made ready for the device: its arrays addressed as they are, or all as one row;
/// the number of the time step; where ix, iy, iz count.
struct lowering {
  bool as_one_row = false;
  index_t step = 0;
  bool has_time = false;               ///< in a stage of a time integrator
  double time = 0;                     ///< there: stage_time
  bool counts_in_field = false;        ///< in a time step: ix is an index of the written field
  index_t fewer_cells[3] = {0, 0, 0};  ///< of the expression than of that field
  index_t origin[3] = {0, 0, 0};       ///< what ix, iy, iz are at the first cell of all

  /// Of an operand that is larger than the expression by so many cells.
  lowering of_operand(const int (&by)[3]) const {
    lowering how = *this;
    for (int d = 0; d < 3; ++d) how.fewer_cells[d] -= by[d];
    return how;
  }
  /// What ix (iy, iz) is at the expression's first cell.
  index_t first_index(int d) const {
    return origin[d] + (counts_in_field ? fewer_cells[d] / 2 : 0);
  }
};

/// An expression without placeholders needs to know of no fields.
struct no_fields {
  template <int S>
  shape3 shape() const {
    static_assert(
        S < 0,
        "The fields of a time step have no extents before it runs: a formula can not slice "
        "or reduce them. Shift them by at<>(), or take parts by inn() and its like.");
    return {};
  }
};

namespace detail {
/// A node's text, for a message.
template <class E>
[[gnu::cold]] std::string text_of_node(const void* e) {
  return static_cast<const E*>(e)->text();
}
template <class E>
runtime::text_source source_of_text(const E& e) {
  return {&e, text_of_node<E>};
}

/// e, made ready for the device as `setting.set(how)` says: in one step, or in one stage.
template <class E, class Setting>
struct lowered_with : node<lowered_with<E, Setting>> {
  using value_type = typename E::value_type;
  static constexpr int rank = E::rank, flops = E::flops, widest = E::widest, loads = E::loads;
  static constexpr bool is_pointwise = E::is_pointwise, is_collapsible = E::is_collapsible;

  E e;
  Setting setting;

  lowered_with(const E& expression, const Setting& given) : e(expression), setting(given) {}

  template <class B>
  shape3 shape(const B& fields) const {
    return e.shape(fields);
  }
  template <int X, int Y, int Z, class F>
  void visit(const window& w, F& f) const {
    e.template visit<X, Y, Z>(w, f);
  }
  auto lower(const lowering& how) const { return e.lower(setting.set(how)); }
  [[gnu::cold]] std::string text() const { return e.text(); }
};

}  // namespace detail

/// Both have the same extents or adapt; else throws with both texts.
template <class L, class R>
shape3 combined(const shape3& a, const L& left, const shape3& b, const R& right) {
  shape3 result = a;
  runtime::combine_extents(result.n, detail::source_of_text(left), b.n,
                           detail::source_of_text(right));
  return result;
}

/// The one rank of several operands.
template <class... E>
constexpr int common_rank() {
  int rank = 0;
  bool same = true;
  ((same = same && (E::rank == 0 || rank == 0 || E::rank == rank),
    rank = E::rank == 0 ? rank : E::rank),
   ...);
  return same ? rank : -1;
}

// ---- numbers

namespace detail {
/// A plain number in the type that it has in an expression. @throws error if that can not hold it
template <class As, class T>
As number_meeting(T value) {
  constexpr bool may_not_fit =
      sizeof(As) < sizeof(T) || (sizeof(As) == sizeof(T) && std::is_unsigned_v<T>);
  if constexpr (std::integral<As> && std::integral<T> && !std::same_as<As, T> && may_not_fit)
    return fitted<As>(
        value, [&] { return "a number among integers can not be " + runtime::number_text(value); });
  else
    return converted_number<As>(value);
}
}  // namespace detail

/// A number in an expression, known when the expression is composed.
template <class T>
struct number : node<number<T>> {
  using value_type = T;
  static constexpr int rank = 0, flops = 0, widest = 0, loads = 0;
  static constexpr bool is_pointwise = true, is_collapsible = true;

  T value;

  explicit TEFF_INLINE constexpr number(T v) : value(v) {}

  template <class B>
  shape3 shape(const B&) const {
    return {};
  }
  template <int X, int Y, int Z, class F>
  void visit(const window&, F&) const {}
  number lower(const lowering&) const { return *this; }
  template <int X, int Y, int Z, class C>
  TEFF_INLINE T eval(const C&) const {
    return value;
  }
  [[gnu::cold]] std::string text() const {
    using wide = std::conditional_t<std::is_floating_point_v<T>, double,
                                    std::conditional_t<std::is_signed_v<T>, i64, std::uint64_t>>;
    return runtime::digits_of(static_cast<wide>(value));
  }
};

}  // namespace teff::inline TEFF_MODE

// SPDX-License-Identifier: MIT
#pragma once

#include <teff/algo/reduce/ops.hpp>
#include <teff/base/rounding.hpp>
#include <teff/expr/leaf.hpp>
#include <teff/expr/survey.hpp>

/// Reductions of all cells that most programs have, on the CPU, as data: so programs that nvcc
/// compiles have them from the library, too. (What C++ programs have of it is in compiled.hpp.)
namespace teff::runtime {

enum class combining { sum, smaller, larger };
/// Of the cells of an array a, or of two, a and b.
enum class combined_values { cells, magnitudes, magnitudes_of_differences };

/// An array's cells, as a kernel reads them.
template <class T>
struct array_cells {
  const T* data = nullptr;
  index_t stride[3] = {};
};

/// The values of such cells of type f64 or f32, combined in type A: that of the cells, or f64 for
/// sums. Magnitudes: the largest alone.
template <class A, class T>
A reduced_on_cpu(combining how, combined_values of, const array_cells<T>& a,
                 const array_cells<T>& b, const statement_shape& where, A neutral);

}  // namespace teff::runtime

namespace teff::inline TEFF_MODE::detail {

template <class T>
runtime::array_cells<T> cells_of_leaf(const device_leaf<T>& leaf) {
  return {leaf.data, {leaf.stride[0], leaf.stride[1], leaf.stride[2]}};
}

/// A lowered expression that reduced_on_cpu() knows, and how it is told of.
template <class E>
struct known_values {
  static constexpr bool are_known = false;
};
template <rounded::real T>
struct known_values<device_leaf<T>> {
  static constexpr bool are_known = true;
  using type = T;
  static constexpr auto what = runtime::combined_values::cells;
  static runtime::array_cells<T> a(const device_leaf<T>& e) { return cells_of_leaf(e); }
  static runtime::array_cells<T> b(const device_leaf<T>&) { return {}; }
};
template <rounded::real T>
struct known_values<call<ops::full_magnitude, device_leaf<T>>> {
  using node_type = call<ops::full_magnitude, device_leaf<T>>;
  static constexpr bool are_known = true;
  using type = T;
  static constexpr auto what = runtime::combined_values::magnitudes;
  static runtime::array_cells<T> a(const node_type& e) {
    return cells_of_leaf(entry<0>(e.operands));
  }
  static runtime::array_cells<T> b(const node_type&) { return {}; }
};
template <rounded::real T>
struct known_values<call<ops::full_magnitude, binary<ops::minus, device_leaf<T>, device_leaf<T>>>> {
  using node_type = call<ops::full_magnitude, binary<ops::minus, device_leaf<T>, device_leaf<T>>>;
  static constexpr bool are_known = true;
  using type = T;
  static constexpr auto what = runtime::combined_values::magnitudes_of_differences;
  static runtime::array_cells<T> a(const node_type& e) {
    return cells_of_leaf(entry<0>(e.operands).l);
  }
  static runtime::array_cells<T> b(const node_type& e) {
    return cells_of_leaf(entry<0>(e.operands).r);
  }
};

template <class Op>
inline constexpr int known_combining = -1;
template <>
inline constexpr int known_combining<ops::sum> = static_cast<int>(runtime::combining::sum);
template <>
inline constexpr int known_combining<ops::smaller> = static_cast<int>(runtime::combining::smaller);
template <>
inline constexpr int known_combining<ops::larger> = static_cast<int>(runtime::combining::larger);

/// reduced_on_cpu() combines the values of E by Op in type A.
template <class Op, class A, class E>
constexpr bool is_known_reduction() {
  using values = known_values<E>;
  if constexpr (known_combining<Op> < 0 || !values::are_known) {
    return false;
  } else {
    using in = std::conditional_t<std::is_same_v<Op, ops::sum>, f64, typename values::type>;
    return std::is_same_v<A, in> &&
           (values::what == runtime::combined_values::cells || std::is_same_v<Op, ops::larger>);
  }
}
template <class Op, class A, class E>
A known_reduction(const E& e, const runtime::statement_shape& where, A neutral) {
  using values = known_values<E>;
  return runtime::reduced_on_cpu(static_cast<runtime::combining>(known_combining<Op>), values::what,
                                 values::a(e), values::b(e), where, neutral);
}

}  // namespace teff::inline TEFF_MODE::detail

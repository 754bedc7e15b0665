// SPDX-License-Identifier: MIT
#pragma once

#include <limits>
#include <type_traits>

#include <teff/expr/functions.hpp>

/// What reductions combine values by, in which types, and what they make of the total.
namespace teff::inline TEFF_MODE {

namespace ops {
struct sum {
  static constexpr const char* name = "sum";
  template <class T>
  TEFF_INLINE T operator()(T a, T b) const {
    return plus{}(a, b);
  }
};
}  // namespace ops

namespace detail {

/// Wide enough for the sum of many: f32 adds in f64, integers in i64.
template <class T>
using sum_accumulator = std::conditional_t<std::is_floating_point_v<T>, double, i64>;
/// What the sum of T is given as: f32 for f32, i64 for integers.
template <class T>
using sum_result = std::conditional_t<std::is_floating_point_v<T>, T, i64>;

/// The largest of all T, infinite where there is such a thing; the smallest.
template <class T>
constexpr T highest() {
  using limits = std::numeric_limits<T>;
  return limits::has_infinity ? limits::infinity() : limits::max();
}
template <class T>
constexpr T lowest() {
  return std::numeric_limits<T>::has_infinity ? -highest<T>() : std::numeric_limits<T>::lowest();
}

/// Op gives one of its operands, the lesser or the greater.
template <class Op>
concept takes_extremes = std::is_same_v<Op, ops::smaller> || std::is_same_v<Op, ops::larger>;

/// e with values of type T.
template <class T, class E>
auto with_values_of(const E& e) {
  if constexpr (std::is_same_v<typename E::value_type, T>)
    return e;
  else
    return map(ops::converted<T>{}, e);
}

// ---- what is made of a total, as it is stored

struct as_it_is {
  template <class A>
  TEFF_INLINE const A& operator()(const A& total) const {
    return total;
  }
};
struct divided_by_count {
  double count;
  template <class A>
  TEFF_INLINE double operator()(A total) const {
    return rounded::divide(static_cast<double>(total), count);
  }
};
struct root {
  TEFF_INLINE double operator()(double total) const { return rounded::square_root(total); }
};

/// Where the totals of a reduction go, on its device: finished, or as they are where they are
/// combined further. (Both in one type, so that kernels are compiled once for both.)
template <class A, class R, class Finish>
struct result_cells {
  R* data;
  Finish finish{};
  A* partial = nullptr;  ///< if not null: here, unfinished

  TEFF_INLINE void store(index_t cell, const A& total) const {
    if (partial != nullptr)
      partial[cell] = total;
    else
      data[cell] = convert<R>(finish(total));
  }
  result_cells unfinished_in(A* cells) const { return {data, finish, cells}; }
};

}  // namespace detail
}  // namespace teff::inline TEFF_MODE

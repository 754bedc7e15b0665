// SPDX-License-Identifier: MIT
#pragma once

#include <limits>
#include <type_traits>

#include <teff/algo/along_dim/cells.hpp>
#include <teff/algo/reduce/ops.hpp>
#include <teff/base/thrown.hpp>
#include <teff/expr/context.hpp>
#include <teff/kernel/streaming_store.hpp>

/// The first extreme of many cells on the CPU. Its order is free, so it needs no tree: a loop finds
/// the extreme value, which chunks take, too (chunk_cpu.hpp), another one its cell.
namespace teff::inline TEFF_MODE::detail {

/// first_extreme<true>, first_extreme<false>
template <class Op>
concept finds_extreme = requires {
  Op::is_least;
};

/// As wide as T, for SIMD: 0, or -1 if a or b is not a number.
template <class T>
using wide_truth = std::conditional_t<sizeof(T) == 8, i64, i32>;
template <class T>
[[gnu::always_inline]] inline wide_truth<T> is_unordered(T a, T b) {
  if constexpr (std::is_floating_point_v<T>)
    return __builtin_isunordered(a, b) ? wide_truth<T>{-1} : wide_truth<T>{0};
  else
    return 0;
}

/// The value of an expression at the cell `at` steps from `first`.
template <bool UnitStride, class E>
TEFF_INLINE auto value_after(const E& e, const cell_index& first, const index_t (&step)[3],
                             index_t at) {
  const cell_index cell =
      UnitStride ? cell_index{first.i + at, first.j, first.k} : cell_after(first, step, at);
  return e.template eval<0, 0, 0>(cell_context<1, UnitStride>{cell.i, cell.j, cell.k});
}

/// The extreme value of `count` cells, at least one, each `step` on; what is not a number comes
/// first. (Lines of extremes stay in registers. What takes in something that is not a number is
/// none itself, until it takes in the next.)
template <class Op, bool UnitStride, class E, class T = typename E::value_type>
T extreme_value(const E e, const cell_index first, const index_t (&step)[3], index_t count) {
  constexpr int in_line = cpu_line / sizeof(T), lines = 4, block = 2 * lines * in_line;
  const index_t along[3] = {step[0], step[1], step[2]};
  const auto extreme = [](T a, T b) { return Op::is_before(a, b) ? a : b; };
  T found[lines][in_line];
  wide_truth<T> has_nan[in_line];
  for (int v = 0; v < in_line; ++v) {
    has_nan[v] = 0;
    for (int l = 0; l < lines; ++l) found[l][v] = Op::is_least ? highest<T>() : lowest<T>();
  }
  runtime::thrown_in_loop thrown;
  index_t at = 0;
  for (; at + block <= count; at += block) {
    for (int l = 0; l < 2 * lines; l += 2) {
      TEFF_SIMD
      for (int v = 0; v < in_line; ++v) {
        try {
          const T one = extreme(found[l / 2][v],
                                value_after<UnitStride>(e, first, along, at + l * in_line + v));
          const T both =
              extreme(one, value_after<UnitStride>(e, first, along, at + (l + 1) * in_line + v));
          has_nan[v] |= is_unordered(one, both);
          found[l / 2][v] = both;
        } catch (...) {
          thrown.keep(at);
        }
      }
    }
  }
  for (; at + in_line <= count; at += in_line) {
    TEFF_SIMD
    for (int v = 0; v < in_line; ++v) {
      try {
        found[0][v] = extreme(found[0][v], value_after<UnitStride>(e, first, along, at + v));
        has_nan[v] |= is_unordered(found[0][v], found[0][v]);
      } catch (...) {
        thrown.keep(at);
      }
    }
  }
  thrown.pass_on();
  for (int l = 1; l < lines; ++l)
    for (int v = 0; v < in_line; ++v) found[0][v] = extreme(found[l][v], found[0][v]);
  T result = found[0][0];
  wide_truth<T> any_nan = 0;
  for (int v = 0; v < in_line; ++v) {
    any_nan |= has_nan[v];
    result = extreme(found[0][v], result);
  }
  for (; at < count; ++at) {
    result = extreme(result, value_after<UnitStride>(e, first, along, at));
    any_nan |= is_unordered(result, result);
  }
  if constexpr (std::is_floating_point_v<T>)
    if (any_nan != 0) return std::numeric_limits<T>::quiet_NaN();
  return result;
}

/// The same with the number of the first cell. @param e numbered
template <class Op, bool UnitStride, class E>
typename E::value_type extreme_of_cells(const E& e, const cell_index& first,
                                        const index_t (&step)[3], index_t count) {
  const auto value = extreme_value<Op, UnitStride>(e.operand, first, step, count);
  return {value, value_after<UnitStride>(e, first, step, 0).cell};
}

/// The first of `count` cells, at least one, each `step` on, that holds the value of `extreme`.
/// @param e numbered
template <bool UnitStride, class E, class A = typename E::value_type>
A first_cell_of(const E e, const A& extreme, const cell_index& first, const index_t (&step)[3],
                index_t count) {
  using T = decltype(extreme.value);
  constexpr index_t block = 64;
  const auto has_it = [&](index_t at) {
    const T value = value_after<UnitStride>(e.operand, first, step, at);
    return extreme.value != extreme.value ? value != value : value == extreme.value;
  };
  index_t at = 0;
  for (; at + block <= count; at += block) {
    wide_truth<T> is_here = 0;
    for (index_t v = at; v < at + block; ++v) is_here |= has_it(v) ? -1 : 0;
    if (is_here != 0) break;
  }
  while (at + 1 < count && !has_it(at)) ++at;
  return value_after<UnitStride>(e, first, step, at);
}

}  // namespace teff::inline TEFF_MODE::detail

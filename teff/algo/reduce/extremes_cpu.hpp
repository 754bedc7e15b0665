// SPDX-License-Identifier: MIT
#pragma once

#include <type_traits>

#include <teff/algo/along_dim/cells.hpp>
#include <teff/algo/reduce/ops.hpp>
#include <teff/base/thrown.hpp>
#include <teff/expr/context.hpp>

/// The first extreme of many cells on the CPU. Its order is free, so it needs no tree: loops find
/// the extreme value, and its cell is looked for once.
namespace teff::inline TEFF_MODE::detail {

/// first_extreme<true>, first_extreme<false>
template <class Op>
concept finds_extreme = requires {
  Op::is_least;
};

template <class T>
struct extreme_of_many {
  T value;       ///< of the numbers
  bool has_nan;  ///< not all are numbers
};

/// The extreme value at `count` cells, each `step` on. (Four cells a turn, as each turn waits for
/// the one before.)
template <class Op, bool UnitStride, class E, class T = typename E::value_type>
extreme_of_many<T> extreme_value(const E e, const cell_index first, const index_t (&step)[3],
                                 index_t count) {
  const index_t along[3] = {step[0], step[1], step[2]}, quarter = count / 4;
  const auto value = [&](index_t v) -> T {
    const cell_index at =
        UnitStride ? cell_index{first.i + v, first.j, first.k} : cell_after(first, along, v);
    return e.template eval<0, 0, 0>(cell_context<1, UnitStride>{at.i, at.j, at.k});
  };
  const auto extreme = [](T a, T b) { return Op::is_before(a, b) ? a : b; };
  T least = highest<T>(), most = lowest<T>();
  wide_truth<T> has_nan = 0;
  runtime::thrown_in_loop thrown;
#ifndef __clang__  // which takes no `try` there
#pragma omp simd reduction(min : least) reduction(max : most) reduction(| : has_nan)
#endif
  for (index_t v = 0; v < quarter; ++v) {
    try {
      const T a = value(v), b = value(v + quarter), c = value(v + 2 * quarter),
              d = value(v + 3 * quarter);
      const T found = extreme(extreme(a, b), extreme(c, d));
      if constexpr (Op::is_least)
        least = found < least ? found : least;
      else
        most = most < found ? found : most;
      has_nan |= is_unordered(a, b) | is_unordered(c, d);
    } catch (...) {
      thrown.keep(v);
    }
  }
  thrown.pass_on();
  T found = Op::is_least ? least : most;
  for (index_t v = 4 * quarter; v < count; ++v) {
    const T x = value(v);
    found = extreme(x, found);
    has_nan |= is_unordered(x, x);
  }
  return {found, has_nan != 0};
}

/// Of `count` cells, at least one, each `step` on. @param e numbered
template <class Op, bool UnitStride, class E>
typename E::value_type first_extreme_of(const E& e, const cell_index& first,
                                        const index_t (&step)[3], index_t count) {
  constexpr index_t block = 512;
  auto best = extreme_value<Op, UnitStride>(e.operand, first, step, lesser_of(block, count));
  index_t v = 0;  // where the block of the best begins
  for (index_t b = block; b < count && !best.has_nan; b += block) {
    const auto here = extreme_value<Op, UnitStride>(e.operand, cell_after(first, step, b), step,
                                                    lesser_of(block, count - b));
    if (!here.has_nan && !Op::is_before(here.value, best.value)) continue;
    best = here;
    v = b;
  }
  for (;; ++v) {
    const cell_index at = cell_after(first, step, v);
    const auto cell = e.template eval<0, 0, 0>(cell_context<1, UnitStride>{at.i, at.j, at.k});
    const bool is_it = best.has_nan ? cell.value != cell.value : cell.value == best.value;
    if (is_it || v + 1 == count) return cell;
  }
}

}  // namespace teff::inline TEFF_MODE::detail

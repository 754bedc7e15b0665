// SPDX-License-Identifier: MIT
#pragma once

#include <teff/algo/reduce/ops.hpp>
#include <teff/algo/reduce/tree.hpp>
#include <teff/base/thrown.hpp>
#include <teff/kernel/streaming_store.hpp>

/// The lanes of a chunk on the CPU: combined, and, where all its cells lie side by side in memory,
/// blocks of them whose totals stay in registers.
namespace teff::inline TEFF_MODE::detail {

/// Lanes that all have a value, combined.
template <int Lanes, class Op, class A>
A combine_all_lanes(Op op, A* lane) {
  constexpr int half = Lanes / 2;
  if constexpr (half == 0) {
    return lane[0];
  } else {
    runtime::thrown_in_loop thrown;
    TEFF_SIMD
    for (int l = 0; l < half; ++l) {
      try {
        lane[l] = op(lane[l], lane[l + half]);
      } catch (...) {
        thrown.keep(l);
      }
    }
    thrown.pass_on();
    return combine_all_lanes<half>(op, lane);
  }
}

/// Lanes whose totals stay in registers: lines of memory, which each row of the chunk reads in one
/// go. (Where rows are is known when this is compiled: an instruction reads what lies behind what
/// it read before, which hardware fetches ahead.)
template <class Op, class A, class T>
class chunk_block {
  static constexpr int in_line = static_cast<int>(cpu_line / sizeof(A)), lines = 4;
  static constexpr int rows = reduce_tree::cells_per_lane;

 public:
  static constexpr index_t lanes = lines * in_line;

  /// @param first what the first of the lanes takes in first
  [[gnu::always_inline]] chunk_block(const A& neutral, const T* first) : first_(first) {
    for (int l = 0; l < lines; ++l)
      for (int v = 0; v < in_line; ++v) total_[l][v] = neutral;
  }
  [[gnu::always_inline]] void store(A* lane) const {
    for (int l = 0; l < lines; ++l)
      for (int v = 0; v < in_line; ++v) lane[l * in_line + v] = total_[l][v];
  }

  template <int Row = 0>
  [[gnu::always_inline]] void take_in() {
    if constexpr (Row < rows) {
      runtime::thrown_in_loop thrown;
      for (int l = 0; l < lines; ++l) {
        TEFF_SIMD
        for (int v = 0; v < in_line; ++v) {
          try {
            total_[l][v] = Op{}(total_[l][v], value(l * in_line + v, Row));
          } catch (...) {
            thrown.keep(v);
          }
        }
      }
      thrown.pass_on();
      take_in<Row + 1>();
    }
  }
  /// The same among numbers. What takes in something that is not a number is none itself, until it
  /// takes in the next: pairs are asked. @returns false if something is not
  template <int Row = 0>
  [[gnu::always_inline]] bool take_in_numbers(wide_truth<A> (&has_nan)[in_line]) {
    constexpr among_numbers<Op> op;
    if constexpr (Row < rows) {
      for (int l = 0; l < lines; ++l) {
#ifndef __clang__  // which warns that it unrolls the loop instead
#pragma omp simd
#endif
        for (int v = 0; v < in_line; ++v) {
          const A one = op(total_[l][v], value(l * in_line + v, Row)),
                  both = op(one, value(l * in_line + v, Row + 1));
          has_nan[v] |= is_unordered(one, both);
          total_[l][v] = both;
        }
      }
      return take_in_numbers<Row + 2>(has_nan);
    } else {
      wide_truth<A> any = 0;
      for (const wide_truth<A> here : has_nan) any |= here;
      return any == 0;
    }
  }
  [[gnu::always_inline]] bool take_in_numbers() {
    wide_truth<A> has_nan[in_line] = {};
    return take_in_numbers(has_nan);
  }

 private:
  TEFF_INLINE A value(int lane, int row) const {
    return convert<A>(first_[lane + row * reduce_tree::lanes]);
  }

  A total_[lines][in_line];
  const T* const first_;
};

/// A block where something is not a number. (Apart: else what was read would be kept for it.)
template <class Op, class A, class T>
[[gnu::cold, gnu::noinline]] void take_in_any(A* lane, const A& neutral, const T* first) {
  chunk_block<Op, A, T> block(neutral, first);
  block.take_in();
  block.store(lane);
}

/// A chunk of cells that lie side by side in memory.
template <class Op, class A, class T>
A total_of_chunk(const T* first, const A& neutral) {
  using block_of_lanes = chunk_block<Op, A, T>;
  alignas(cpu_line) A lane[reduce_tree::lanes];
  for (index_t l = 0; l < reduce_tree::lanes; l += block_of_lanes::lanes) {
    block_of_lanes block(neutral, first + l);
    bool are_numbers = true;
    if constexpr (asks_for_numbers<Op, A>)
      are_numbers = block.take_in_numbers();
    else
      block.take_in();
    if (are_numbers)
      block.store(lane + l);
    else
      take_in_any<Op>(lane + l, neutral, first + l);
  }
  return combine_all_lanes<reduce_tree::lanes>(Op{}, lane);
}

}  // namespace teff::inline TEFF_MODE::detail

// SPDX-License-Identifier: MIT
#pragma once

#include <type_traits>

#include <teff/algo/reduce/extremes_cpu.hpp>
#include <teff/algo/reduce/numbered.hpp>
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

 private:
  TEFF_INLINE A value(int lane, int row) const {
    return convert<A>(first_[lane + row * reduce_tree::lanes]);
  }

  A total_[lines][in_line];
  const T* const first_;
};

/// The zero that a chunk's order ends with, if it is in one of its last lanes, as it is where there
/// are many: among equal values that of the later row is kept, and of lanes the last in the order
/// of their reversed bits.
template <class T>
const T* zero_in_last_lanes(const T* first) {
  constexpr int lanes = reduce_tree::lanes, rows = reduce_tree::cells_per_lane;
  for (int reversed = lanes; reversed-- > lanes - 16;) {
    int lane = 0;
    for (int bit = 1; bit < lanes; bit *= 2) lane = 2 * lane + ((reversed & bit) != 0);
    for (int row = rows; row-- > 0;)
      if (first[lane + row * lanes] == 0) return first + lane + row * lanes;
  }
  return nullptr;
}

/// A chunk of cells that lie side by side in memory. (Extremes are found in any order,
/// so cells are read as memory has them; but signs of zeros, what is not a number, and all where
/// the neutral value is none, are the tree's.)
template <class Op, class A, class T>
A total_of_chunk(const T* first, const A& neutral) {
  if constexpr (takes_extremes<Op>) {
    using order = first_extreme<std::is_same_v<Op, ops::smaller>>;
    if (neutral == (order::is_least ? highest<A>() : lowest<A>())) {
      constexpr index_t along_x[3] = {1, 0, 0};
      const device_leaf<T> cells{{}, first, {1, 0, 0}};
      const A found =
          extreme_value<order, true>(cells, {0, 0, 0}, along_x, index_t{reduce_tree::chunk});
      const bool has_one_form = !std::is_floating_point_v<A> || (found == found && found != 0);
      if (has_one_form) return found;
      if (found == 0)
        if (const T* zero = zero_in_last_lanes(first)) return *zero;
    }
  }
  using block_of_lanes = chunk_block<Op, A, T>;
  alignas(cpu_line) A lane[reduce_tree::lanes];
  for (index_t l = 0; l < reduce_tree::lanes; l += block_of_lanes::lanes) {
    block_of_lanes block(neutral, first + l);
    block.take_in();
    block.store(lane + l);
  }
  return combine_all_lanes<reduce_tree::lanes>(Op{}, lane);
}

}  // namespace teff::inline TEFF_MODE::detail

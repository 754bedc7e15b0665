// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include <teff/algo/segmented/plan.hpp>
#include <teff/array/array.hpp>
#include <teff/base/for_tasks.hpp>
#include <teff/base/thrown.hpp>
#include <teff/expr/statement_cpu.hpp>

/// Sums of bags of columns on the CPU: pieces are shared out to the threads, the rows are the lanes
/// of SIMD loops. Twin: segmented/warps.hpp.
namespace teff::inline TEFF_MODE::detail {

/// Rows that are combined at a time: their accumulators stay in the L1 cache.
inline constexpr index_t segmented_rows = 256;

/// What all parts of a call need.
template <class R, class T, class A, class Op>
struct segmented_call {
  view<R, 2> O;
  view<const T, 2> X;
  const R* empty;  ///< the column of an empty bag, or null
  index_t empty_stride;
  A neutral;
  Op op;

  /// What row d of an empty bag is.
  TEFF_INLINE R empty_value(index_t d) const {
    return empty == nullptr ? convert<R>(neutral) : empty[d * empty_stride];
  }
  TEFF_INLINE A combined(A a, A b) const { return convert<A>(op(a, b)); }
};

/// The values of a piece, rows [d0, d0 + rows): the columns one after the other.
template <class Call, class A>
void combine_columns(A* values, const Call& call, const segment_task& piece, index_t d0,
                     index_t rows) {
  const Call local = call;
  const index_t step = local.X.stride(0);
  for (index_t d = 0; d < rows; ++d) values[d] = local.neutral;
  runtime::thrown_in_loop thrown;
  for (index_t c = piece.first; c < piece.first + piece.count; ++c) {
    const auto* column = local.X.data + d0 * step + c * local.X.stride(1);
    if (step == 1) {
      TEFF_SIMD
      for (index_t d = 0; d < rows; ++d) {
        try {
          values[d] = local.combined(values[d], convert<A>(column[d]));
        } catch (...) {
          thrown.keep(d);
        }
      }
    } else {
      TEFF_SIMD
      for (index_t d = 0; d < rows; ++d) {
        try {
          values[d] = local.combined(values[d], convert<A>(column[d * step]));
        } catch (...) {
          thrown.keep(d);
        }
      }
    }
    thrown.pass_on();
  }
}

template <class R, class T, class A, class Op>
void segmented_cpu(const segmented_call<R, T, A, Op>& call, const segmented_plan& plan) {
  const index_t D = call.O.extent(0);
  std::vector<A> waiting(static_cast<std::size_t>(plan.slots * D));
  const auto finish = [&](const segment_task& task, const A* values, index_t d0, index_t rows) {
    if (task.slot >= 0) {
      A* to = waiting.data() + task.slot * D + d0;
      for (index_t d = 0; d < rows; ++d) to[d] = values[d];
    } else {
      R* to = call.O.data + d0 * call.O.stride(0) + task.bag * call.O.stride(1);
      for (index_t d = 0; d < rows; ++d) to[d * call.O.stride(0)] = convert<R>(values[d]);
    }
  };
  const index_t tiles = ceil_div(D, segmented_rows);
  const auto combine_all = [&](const segment_task* tasks, index_t count, const auto& combine) {
    const auto combine_one = [&](index_t t) {
      const segment_task task = tasks[t / tiles];
      const index_t d0 = t % tiles * segmented_rows;
      const index_t rows = D - d0 < segmented_rows ? D - d0 : segmented_rows;
      alignas(64) A values[segmented_rows];
      combine(values, task, d0, rows);
      finish(task, values, d0, rows);
    };
    for_tasks(count * tiles, plan.columns * D >= parallel_cells, combine_one, 16);
  };
  combine_all(plan.pieces.data(), static_cast<index_t>(plan.pieces.size()),
              [&](A* values, const segment_task& piece, index_t d0, index_t rows) {
                combine_columns(values, call, piece, d0, rows);
              });
  index_t begin = 0;
  for (const index_t end : plan.level_end) {
    combine_all(plan.nodes.data() + begin, end - begin,
                [&](A* values, const segment_task& node, index_t d0, index_t rows) {
                  const A* parts = waiting.data() + node.first * D + d0;
                  for (index_t d = 0; d < rows; ++d) values[d] = parts[d];
                  for (int part = 1; part < node.count; ++part) {
                    parts += D;
                    for (index_t d = 0; d < rows; ++d)
                      values[d] = call.combined(values[d], parts[d]);
                  }
                });
    begin = end;
  }
  for (const index_t bag : plan.empty_bags)
    for (index_t d = 0; d < D; ++d)
      call.O.data[d * call.O.stride(0) + bag * call.O.stride(1)] = call.empty_value(d);
}

}  // namespace teff::inline TEFF_MODE::detail

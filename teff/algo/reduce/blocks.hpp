// SPDX-License-Identifier: MIT
#pragma once

#include <teff/algo/along_dim/kernel.hpp>
#include <teff/algo/reduce/ops.hpp>
#include <teff/algo/reduce/tree.hpp>
#include <teff/expr/operands.hpp>
#include <teff/expr/survey.hpp>
#include <teff/kernel/block.hpp>

/// Reductions of all cells by block kernels: natively on a GPU; on the CPU in the emulator, for
/// tests. Twin: reduce/cpu.hpp.
namespace teff::inline TEFF_MODE::detail {

/// Where blocks leave their results for the one that comes last, and count their arrivals.
template <class A>
struct chunk_results {
  A* parts;           ///< of each chunk, then of each chunk of these, and so on
  unsigned* arrived;  ///< as many as there are chunks of parts; 0 before and after
};

/// Operations of a lowered expression, roughly: kernels of long ones need more registers. What is
/// not named here counts as none; a function of the mathematical library as eight.
template <class E>
inline constexpr int operations = 0;
template <class Op, class L, class R>
inline constexpr int operations<binary<Op, L, R>> = 1 + operations<L> + operations<R>;
template <class Fn, class... E>
inline constexpr int operations<call<Fn, E...>> = (requires { Fn::flops; } ? 1 : 8) +
                                                  (0 + ... + operations<E>);
template <class Fn, class Shrink, class E, class... At>
inline constexpr int operations<neighbours<Fn, Shrink, E, At...>> =
    static_cast<int>(sizeof...(At)) * (1 + operations<E>);

/// A lowered expression whose values are also stored (reduce/storing.hpp).
template <class E>
inline constexpr bool stores_values = requires {
  requires E::stores;
};

/// A block combines a chunk, one thread a lane; the last of the blocks whose results make up a
/// chunk combines these, in the order of reduce_tree, and so on: one launch. Of many chunks, a
/// first launch leaves the results and a second one goes on from there, as counting arrivals would
/// keep each block for a fifth longer. Bytes in flight per multiprocessor, f64: 16 loads x 8 B x
/// 1280 threads = 160 KB.
template <bool UnitStride, class Op, class A, class To, class E>
struct chunks_reduce {
  static constexpr int threads = reduce_tree::lanes, chunk = reduce_tree::chunk;
  // No spills.
  static constexpr int least_blocks = sizeof(A) > 8 || stores_values<E> ? 2
                                      : UnitStride&& operations<E> <= 8 ? 5
                                                                        : 3;
  static constexpr bool has_cpu_twin = true;
  static constexpr index_t shared_bytes = threads * index_t{sizeof(A)} + 16;

  To to;
  E e;
  index_t n[3];
  index_t cells;
  chunk_results<A> work;
  A neutral;
  bool only_chunks = false;  ///< the first of two launches
  index_t chunks = 0;        ///< that the first launch left, if this is the second; else 0

  TEFF_INLINE void operator()(block& blk) const {
    auto lanes = blk.shared<A>(threads);
    auto is_last = blk.shared<int>(1);
    const int t = blk.thread();
    index_t mine = blk.index(), count = blk.blocks();
    A* parts = work.parts;
    unsigned* arrived = work.arrived;
    A total;
    if (chunks == 0) {
      total = combined(blk, lanes, lane_of_cells(mine * chunk, t));
      if (only_chunks) {
        if (t == 0) parts[mine] = total;
        return;
      }
    } else {
      const auto others = static_cast<int>(lesser_of(chunk, chunks - mine * chunk));
      total = combined(blk, lanes, lane_of_parts(parts + mine * chunk, others, t));
      parts += chunks;
      arrived += count;
    }
    while (count > 1) {
      const index_t group = mine / chunk, others = lesser_of(chunk, count - group * chunk);
      if (t == 0) {
        parts[mine] = total;
        blk.fence();  // the result before the arrival
        const auto last = static_cast<unsigned>(others - 1);
        is_last[0] = blk.atomic_increment_wrap(arrived[group], last) == last ? 1 : 0;
        blk.fence();  // the arrival before the others' results
      }
      blk.sync();
      const int goes_on = is_last[0];
      if (goes_on == 0) return;
      total =
          combined(blk, lanes, lane_of_parts(parts + group * chunk, static_cast<int>(others), t));
      parts += count;
      count = ceil_div(count, chunk);
      arrived += count;
      mine = group;
    }
    if (t == 0) to.store(0, total);
  }

 private:
  /// What a lane combines of the chunk that begins at a cell; of the parts of a chunk.
  TEFF_INLINE A lane_of_cells(index_t begin, int lane) const {
    if constexpr (stores_values<E>)
      return lane_of_stored_cells(begin, lane);
    else
      return lane_of_read_cells(begin, lane);
  }
  TEFF_INLINE A lane_of_read_cells(index_t begin, int lane) const {
    A mine = neutral;
    const index_t first = begin + lane;
    const bool is_one_row = n[0] == cells;
    if (is_one_row && begin + chunk <= cells) {
      A values[reduce_tree::cells_per_lane];
      TEFF_UNROLL
      for (int r = 0; r < reduce_tree::cells_per_lane; ++r)
        values[r] = convert<A>(e.template eval<0, 0, 0>(
            cell_context<1, UnitStride>{first + r * reduce_tree::lanes, 0, 0}));
      TEFF_UNROLL
      for (int r = 0; r < reduce_tree::cells_per_lane; ++r) mine = Op{}(mine, values[r]);
      return mine;
    }
    for (int r = 0; r < reduce_tree::cells_per_lane; ++r) {
      const index_t cell = first + r * reduce_tree::lanes;
      if (cell >= cells) break;
      const index_t row = cell / n[0], plane = row / n[1];
      const cell_context<1, UnitStride> at{cell - row * n[0], row - plane * n[1], plane};
      mine = Op{}(mine, convert<A>(e.template eval<0, 0, 0>(at)));
    }
    return mine;
  }
  /// The same of an expression that stores its values: several cells are evaluated before one of
  /// them is stored, and a cell's place follows from that of the one before.
  TEFF_INLINE A lane_of_stored_cells(index_t begin, int lane) const {
    constexpr int at_once = 4;
    A mine = neutral;
    const index_t first = begin + lane;
    if (first >= cells) return mine;
    const fetched<E> fetched_here(e);
    const E& here = fetched_here.of(e);
    const index_t row = first / n[0];
    index_t i = first - row * n[0], k = row / n[1], j = row - k * n[1];
    const index_t rows = reduce_tree::lanes / n[0], planes = rows / n[1];
    const index_t step[3] = {reduce_tree::lanes - rows * n[0], rows - planes * n[1], planes};
    const auto next = [&] {
      const cell_context<1, UnitStride> at{i, j, k};
      i += step[0], j += step[1], k += step[2];
      if (i >= n[0]) i -= n[0], ++j;
      if (j >= n[1]) j -= n[1], ++k;
      return at;
    };
    if (begin + chunk > cells) {
      for (index_t cell = first; cell < cells; cell += reduce_tree::lanes) {
        const cell_context<1, UnitStride> at = next();
        const auto values = here.template eval<0, 0, 0>(at);
        here.store(at, values);
        mine = Op{}(mine, convert<A>(here.term(values)));
      }
      return mine;
    }
    for (int r = 0; r < reduce_tree::cells_per_lane; r += at_once) {
      cell_context<1, UnitStride> at[at_once];
      typename E::value_type values[at_once];
      TEFF_UNROLL
      for (int c = 0; c < at_once; ++c) at[c] = next();
      TEFF_UNROLL
      for (int c = 0; c < at_once; ++c) values[c] = here.template eval<0, 0, 0>(at[c]);
      TEFF_UNROLL
      for (int c = 0; c < at_once; ++c) here.store(at[c], values[c]);
      TEFF_UNROLL
      for (int c = 0; c < at_once; ++c) mine = Op{}(mine, convert<A>(here.term(values[c])));
    }
    return mine;
  }
  TEFF_INLINE A lane_of_parts(const A* parts, int count, int lane) const {
    A values[reduce_tree::cells_per_lane];
    TEFF_UNROLL
    for (int r = 0; r < reduce_tree::cells_per_lane; ++r) {
      const int at = lane + r * reduce_tree::lanes;
      values[r] = at < count ? parts[at] : neutral;
    }
    A mine = neutral;
    TEFF_UNROLL
    for (int r = 0; r < reduce_tree::cells_per_lane; ++r)
      if (lane + r * reduce_tree::lanes < count) mine = Op{}(mine, values[r]);
    return mine;
  }

  /// All lanes of the block; thread 0 has the result.
  TEFF_INLINE A combined(const block& blk, const shared_array<A>& lanes, A mine) const {
    const int t = blk.thread();
    const warp w = blk.warp();
    lanes[t] = mine;
    blk.sync();
    for (int half = threads / 2; half >= warp::lanes; half /= 2) {
      if (t < half) {
        const A other = lanes[t + half];
        mine = Op{}(mine, other);
        lanes[t] = mine;
      }
      blk.sync();
    }
    TEFF_UNROLL
    for (int half = warp::lanes / 2; half > 0; half /= 2) {
      const A other = w.shuffle_down(mine, half);
      if (w.lane() < half) mine = Op{}(mine, other);
    }
    return mine;
  }
};

/// @param room of chunk_counts::room_bytes, aligned to 16, until the result is there
/// @param many_chunks from which on there are two launches
template <class Op, class A, class To, class E>
void reduce_by_blocks(const stream& on, const To& to, const E& e, const statement_shape& where,
                      A neutral, void* room, index_t many_chunks = 2048) {
  const index_t cells = where.n[0] * where.n[1] * where.n[2];
  const chunk_counts counts(cells);
  A* const parts = reinterpret_cast<A*>(static_cast<char*>(room) + counts.counter_bytes());
  unsigned* arrived = counts.counters <= stream::arrival_count ? on.arrival_counters() : nullptr;
  if (arrived == nullptr) {
    arrived = static_cast<unsigned*>(room);
    zero_bytes(on, arrived, static_cast<std::size_t>(counts.counter_bytes()));
  }
  const auto launch = [&](auto kernel) {
    kernel.only_chunks = counts.chunks >= many_chunks;
    for (index_t blocks = counts.chunks;;) {
      launch_blocks(
          on,
          {.blocks = {blocks}, .threads = {kernel.threads}, .shared_bytes = kernel.shared_bytes},
          kernel);
      if (!kernel.only_chunks) return;
      kernel.only_chunks = false;
      kernel.chunks = counts.chunks;
      blocks = ceil_div(counts.chunks, reduce_tree::chunk);
    }
  };
  const auto reduce_chunks = [&]<bool UnitStride>(std::bool_constant<UnitStride>) {
    launch(chunks_reduce<UnitStride, Op, A, To, E>{.to = to,
                                                   .e = e,
                                                   .n = {where.n[0], where.n[1], where.n[2]},
                                                   .cells = cells,
                                                   .work = {.parts = parts, .arrived = arrived},
                                                   .neutral = neutral});
  };
  if (where.has_unit_stride)
    reduce_chunks(std::true_type{});
  else
    reduce_chunks(std::false_type{});
}

}  // namespace teff::inline TEFF_MODE::detail

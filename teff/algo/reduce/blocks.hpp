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

/// A thread's cells, `every` cells from one to the next in the order x first, without a division
/// for each of them.
template <class Index>
class cell_walk {
 public:
  TEFF_INLINE cell_walk(const index_t (&n)[3], index_t first, int every)
      : nx_(static_cast<Index>(n[0])), ny_(static_cast<Index>(n[1])) {
    const index_t row = first / n[0], plane = row / n[1];
    i_ = static_cast<Index>(first - row * n[0]);
    j_ = static_cast<Index>(row - plane * n[1]);
    k_ = static_cast<Index>(plane);
    const Index rows = every / nx_;
    planes_ = rows / ny_;
    rows_ = rows - planes_ * ny_;
    cells_ = every - rows * nx_;
  }
  template <class Context>
  TEFF_INLINE Context next() {
    const Context at{i_, j_, k_};
    i_ += cells_, j_ += rows_, k_ += planes_;
    if (i_ >= nx_) i_ -= nx_, ++j_;
    if (j_ >= ny_) j_ -= ny_, ++k_;
    return at;
  }

 private:
  Index nx_, ny_, i_, j_, k_, cells_, rows_, planes_;
};

/// The first reduce_tree::lanes threads of a block, combined; thread 0 has the result.
/// @tparam ThreadsALane (known when it is compiled where each thread has one)
template <class Op, int ThreadsALane, class A>
TEFF_INLINE A combined_lanes(const block& blk, const shared_array<A>& totals, A mine) {
  constexpr int lanes = reduce_tree::lanes;
  const int t = blk.thread();
  const warp w = blk.warp();
  if (ThreadsALane == 1 || t < lanes) totals[t] = mine;
  blk.sync();
  for (int half = lanes / 2; half >= warp::lanes; half /= 2) {
    if (t < half) {
      const A other = totals[t + half];
      mine = Op{}(mine, other);
      totals[t] = mine;
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

/// A block combines a chunk, one thread a lane; the last of the blocks whose results make up a
/// chunk combines these, in the order of reduce_tree, and so on: one launch. Of many chunks, a
/// first launch leaves the results and a second one goes on from there, as counting arrivals would
/// keep each block for a fifth longer. Bytes in flight per multiprocessor, f64: 16 loads x 8 B x
/// 1280 threads = 160 KB.
/// Where values are also stored, 1024 threads a multiprocessor find them, with 48 KB in flight of
/// three arrays, and the terms meet in shared memory: of few chunks, two threads a lane; of many,
/// one, as the blocks beside go on while one adds up.
/// @tparam Index of cells that are stored, as of cell_context
/// @tparam ThreadsALane where values are stored
template <bool UnitStride, class Op, class A, class To, class E, class Index = index_t,
          int ThreadsALane = 1>
struct chunks_reduce {
  static constexpr int lanes = reduce_tree::lanes, chunk = reduce_tree::chunk;
  static constexpr int threads = lanes * ThreadsALane;
  // No spills.
  static constexpr int least_blocks = stores_values<E>
                                          ? (sizeof(Index) < sizeof(index_t) ? 4 : 2) / ThreadsALane
                                      : sizeof(A) > 8                    ? 2
                                      : operations<E> > 8 && !UnitStride ? 2
                                      : operations<E> > 8 || !UnitStride ? 3
                                                                         : 5;
  static constexpr bool has_cpu_twin = true;
  static constexpr index_t shared_bytes =
      (lanes + (stores_values<E> ? chunk : 0)) * index_t{sizeof(A)} + 16;

  To to;
  E e;
  index_t n[3];
  index_t cells;
  chunk_results<A> work;
  A neutral;
  bool only_chunks = false;  ///< the first of two launches
  index_t chunks = 0;        ///< that the first launch left, if this is the second; else 0

  TEFF_INLINE void operator()(block& blk) const {
    auto totals = blk.shared<A>(lanes);
    auto is_last = blk.shared<int>(1);
    const int t = blk.thread();
    index_t mine = blk.index(), count = blk.blocks();
    A* parts = work.parts;
    unsigned* arrived = work.arrived;
    A total;
    if (chunks == 0) {
      total = combined_lanes<Op, ThreadsALane>(blk, totals, lane_of_cells(blk, mine * chunk, t));
      if (only_chunks) {
        if (t == 0) parts[mine] = total;
        return;
      }
    } else {
      const auto others = static_cast<int>(lesser_of(chunk, chunks - mine * chunk));
      total = combined_lanes<Op, ThreadsALane>(blk, totals,
                                               lane_of_parts(parts + mine * chunk, others, t));
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
      total = combined_lanes<Op, ThreadsALane>(
          blk, totals, lane_of_parts(parts + group * chunk, static_cast<int>(others), t));
      parts += count;
      count = ceil_div(count, chunk);
      arrived += count;
      mine = group;
    }
    if (t == 0) to.store(0, total);
  }

 private:
  /// (Known when it is compiled where each thread has one.)
  static TEFF_INLINE bool has_lane(int thread) { return ThreadsALane == 1 || thread < lanes; }
  /// What a lane combines of the chunk that begins at a cell; of the parts of a chunk.
  TEFF_INLINE A lane_of_cells([[maybe_unused]] block& blk, index_t begin, int lane) const {
    if constexpr (stores_values<E>)
      return lane_of_stored_cells(blk, begin, lane);
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
    using context = cell_context<1, UnitStride>;
    if (first >= cells) return mine;
    cell_walk<index_t> walk(n, first, reduce_tree::lanes);
    if (begin + chunk > cells) {
      for (index_t cell = first; cell < cells; cell += reduce_tree::lanes)
        mine = Op{}(mine, convert<A>(e.template eval<0, 0, 0>(walk.template next<context>())));
      return mine;
    }
    constexpr int at_once = 4;
    for (int r = 0; r < reduce_tree::cells_per_lane; r += at_once) {
      A values[at_once];
      TEFF_UNROLL
      for (int c = 0; c < at_once; ++c)
        values[c] = convert<A>(e.template eval<0, 0, 0>(walk.template next<context>()));
      TEFF_UNROLL
      for (int c = 0; c < at_once; ++c) mine = Op{}(mine, values[c]);
    }
    return mine;
  }
  /// The same of an expression that stores its values: several cells are evaluated before one of
  /// them is stored, and a cell's place follows from that of the one before.
  TEFF_INLINE A lane_of_stored_cells(block& blk, index_t begin, int thread) const {
    const auto terms = blk.shared<A>(chunk);
    store_cells(terms, begin, thread);
    blk.sync();
    A mine = neutral;
    if (!has_lane(thread)) return mine;
    for (int r = 0; r < reduce_tree::cells_per_lane; ++r) {
      const int at = thread + r * lanes;
      if (begin + at >= cells) break;
      const A term = terms[at];
      mine = Op{}(mine, term);
    }
    return mine;
  }
  TEFF_INLINE void store_cells(const shared_array<A>& terms, index_t begin, int thread) const {
    using context = cell_context<1, UnitStride, lane_loads::single, Index>;
    constexpr int at_once = sizeof(typename E::value_type) > 8 || sizeof(Index) > 4 ? 2 : 4;
    if (begin + thread >= cells) return;
    const fetched<E> fetched_here(e);
    const E& here = fetched_here.of(e);
    cell_walk<Index> walk(n, begin + thread, threads);
    if (begin + chunk > cells) {
      for (int c = thread; begin + c < cells; c += threads) {
        const context at = walk.template next<context>();
        const auto values = here.template eval<0, 0, 0>(at);
        here.store(at, values);
        terms[c] = convert<A>(here.term(values));
      }
      return;
    }
    for (int r = 0; r < chunk / threads; r += at_once) {
      context at[at_once];
      typename E::value_type values[at_once];
      TEFF_UNROLL
      for (int c = 0; c < at_once; ++c) at[c] = walk.template next<context>();
      TEFF_UNROLL
      for (int c = 0; c < at_once; ++c) values[c] = here.template eval<0, 0, 0>(at[c]);
      TEFF_UNROLL
      for (int c = 0; c < at_once; ++c) here.store(at[c], values[c]);
      TEFF_UNROLL
      for (int c = 0; c < at_once; ++c)
        terms[thread + (r + c) * threads] = convert<A>(here.term(values[c]));
    }
  }
  TEFF_INLINE A lane_of_parts(const A* parts, int count, int lane) const {
    A values[reduce_tree::cells_per_lane];
    TEFF_UNROLL
    for (int r = 0; r < reduce_tree::cells_per_lane; ++r) {
      const int at = lane + r * reduce_tree::lanes;
      values[r] = has_lane(lane) && at < count ? parts[at] : neutral;
    }
    A mine = neutral;
    TEFF_UNROLL
    for (int r = 0; r < reduce_tree::cells_per_lane; ++r)
      if (lane + r * reduce_tree::lanes < count) mine = Op{}(mine, values[r]);
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
  const auto reduce_chunks = [&]<bool UnitStride, class Index, int ThreadsALane>(
                                 std::bool_constant<UnitStride>, Index,
                                 std::integral_constant<int, ThreadsALane>) {
    launch(chunks_reduce<UnitStride, Op, A, To, E, Index, ThreadsALane>{
        .to = to,
        .e = e,
        .n = {where.n[0], where.n[1], where.n[2]},
        .cells = cells,
        .work = {.parts = parts, .arrived = arrived},
        .neutral = neutral});
  };
  constexpr std::integral_constant<int, 1> one{};
  if constexpr (stores_values<E>)
    if (where.has_unit_stride && where.has_short_offsets) {
      if (counts.chunks >= many_chunks) return reduce_chunks(std::true_type{}, 0, one);
      return reduce_chunks(std::true_type{}, 0, std::integral_constant<int, 2>{});
    }
  if (where.has_unit_stride)
    reduce_chunks(std::true_type{}, index_t{0}, one);
  else
    reduce_chunks(std::false_type{}, index_t{0}, one);
}

}  // namespace teff::inline TEFF_MODE::detail

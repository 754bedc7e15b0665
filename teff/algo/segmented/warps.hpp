// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include <teff/algo/segmented/bag_list.hpp>
#include <teff/algo/segmented/cpu.hpp>
#include <teff/expr/lanes.hpp>
#include <teff/kernel/block.hpp>

/// Sums of bags of columns on a GPU, and in the emulator: a warp takes a run of pieces, 128 rows at
/// a time (with fewer rows several pieces side by side). The columns of short pieces, one piece
/// behind the other, are loaded in batches, so that they keep about as much in flight as long ones,
/// which have a loop of their own where cells lie side by side.
/// A piece that is not all of a bag leaves its values in memory; the last of a node's parts to
/// arrive combines them all, in their order: no atomic operation on a value, one launch. Twin:
/// segmented/cpu.hpp.
///
/// Loads in flight: 4 KB a warp (8 columns of 4-byte cells, 4 of 8-byte ones, 128 rows each), 20
/// warps on a multiprocessor, 80 KB; 4-byte cells side by side 16 warps, of long pieces 8 KB each:
/// 64 to 128 KB.
namespace teff::inline TEFF_MODE::detail {

/// V: cells of one access, along the rows of X; a lane holds the values of 4 rows.
template <class R, class T, class A, class Op, int V>
struct segmented_kernel {
  static constexpr int warps = 4, threads = 32 * warps;
  static constexpr int rows_of_lane = 4, accesses = rows_of_lane / V;
  static constexpr int least_blocks = accesses == 1 ? 4 : 5;
  static constexpr int batch = sizeof(T) == 8 ? 4 : 8, long_batch = 16;
  static constexpr int shared_bytes =
      warps * segmented_plan::most_pieces * static_cast<int>(sizeof(segment_task));
  using access = pack<T, V>;

  segmented_call<R, T, A, Op> call;
  segmented_work work{};
  index_t slot_cells = 0;  ///< from one slot of work.waiting to the next: one for each part and
                           ///< each tile of rows
  index_t tiles = 0, first_tile = 0;
  int lanes = 1;              ///< that share a piece: a power of two
  bool packs_result = false;  ///< V cells of a column of O may be stored as one

  /// Where a lane is: its place among those that share a piece, and the rows that it holds.
  struct place {
    index_t tile;
    int lane;     // among those that share a piece
    index_t row;  // of its first access; the next is lanes * V further on
    bool has[accesses];
  };

  TEFF_INLINE void operator()(block& blk) const {
    const auto tasks = blk.shared<segment_task>(warps * segmented_plan::most_pieces);
    const warp w = blk.warp();
    const int mine = w.index() * segmented_plan::most_pieces;  // this warp's tasks
    const int group = w.lane() / lanes, groups = 32 / lanes;
    const index_t run = blk.index(0) * warps + w.index(), D = call.O.extent(0);
    place at;
    at.tile = first_tile + blk.index(1);
    at.lane = w.lane() % lanes;
    at.row = at.tile * lanes * rows_of_lane + at.lane * V;
    TEFF_UNROLL
    for (int a = 0; a < accesses; ++a) at.has[a] = at.row + a * lanes * V < D;

    int count = 0;
    if (run < work.run_count) {
      const index_t first = work.runs[run];
      count = static_cast<int>(work.runs[run + 1] - first);
      if (w.lane() < count) tasks[mine + w.lane()] = work.pieces[first + w.lane()];
    }
    w.sync();
    combine_pieces(tasks, mine, group, groups, count, at);

    for (int p = group; p - group < count; p += groups) {  // as often in every lane
      int node = -1;
      if (p < count) {
        const segment_task task = tasks[mine + p];
        node = task.node;
      }
      climb(blk, w, node, at);
    }

    const index_t all_warps = blk.blocks(0) * warps;
    for (index_t e = run; e < work.empty_count; e += all_warps)
      if (group == 0) fill_empty(work.empty_bags[e], at);
  }

 private:
  using tasks_of_block = shared_array<segment_task>;

  /// The pieces group, group + groups, ... of the run.
  TEFF_INLINE void combine_pieces(const tasks_of_block& tasks, int mine, int group, int groups,
                                  int count, const place& at) const {
    for (int p = group; p < count; p += groups) {
      const segment_task task = tasks[mine + p];
      if (is_long(task)) combine_long(task, at);
    }
    combine_others(tasks, mine, group, groups, count, at);
  }

  /// True for a piece that is worth a loop of its own.
  TEFF_INLINE static bool is_long(const segment_task& task) {
    return accesses == 1 && task.count >= long_batch;
  }
  TEFF_INLINE void combine_long(const segment_task& task, const place& at) const {
    const index_t column = call.X.stride(1);
    const T* from = call.X.data + at.row * call.X.stride(0) + task.first * column;
    A values[rows_of_lane];
    set_neutral(values);
    for (int left = at.has[0] ? task.count : 0; left > 0; left -= long_batch) {
      access loaded[long_batch];
      TEFF_UNROLL
      for (int b = 0; b < long_batch; ++b, from += column) {
        leave_undefined(loaded[b]);
        if (b < left) loaded[b] = load(from);
      }
      TEFF_UNROLL
      for (int b = 0; b < long_batch; ++b) {
        if (b >= left) break;
        TEFF_UNROLL
        for (int v = 0; v < V; ++v)
          values[v] = call.combined(values[v], convert<A>(loaded[b].lane[v]));
      }
    }
    finish(task, values, at);
  }

  /// The other pieces, their columns as one sequence.
  TEFF_INLINE void combine_others(const tasks_of_block& tasks, int mine, int group, int groups,
                                  int count, const place& at) const {
    int p = group, left = 0;
    const T* from = nullptr;
    const index_t column = call.X.stride(1), row = call.X.stride(0);
    const T* const first = call.X.data + at.row * row;
    const auto begin = [&] {
      for (; p < count; p += groups) {
        const segment_task task = tasks[mine + p];
        if (is_long(task)) continue;
        left = task.count;
        from = first + task.first * column;
        return;
      }
    };
    begin();
    A values[rows_of_lane];
    set_neutral(values);
    while (p < count) {
      access loaded[batch][accesses];
      int ends[batch];  // the piece whose last column this is, -1: of none, -2: no column
      TEFF_UNROLL
      for (int b = 0; b < batch; ++b) {
        ends[b] = -2;
        if (p >= count) continue;
        TEFF_UNROLL
        for (int a = 0; a < accesses; ++a)
          if (at.has[a]) loaded[b][a] = load(from + a * lanes * V * row);
        from += column;
        ends[b] = -1;
        if (--left == 0) {
          ends[b] = p;
          p += groups;
          begin();
        }
      }
      TEFF_UNROLL
      for (int b = 0; b < batch; ++b) {
        if (ends[b] == -2) continue;
        TEFF_UNROLL
        for (int a = 0; a < accesses; ++a) {
          if (!at.has[a]) continue;
          TEFF_UNROLL
          for (int v = 0; v < V; ++v)
            values[a * V + v] = call.combined(values[a * V + v], convert<A>(loaded[b][a].lane[v]));
        }
        if (ends[b] < 0) continue;
        const segment_task task = tasks[mine + ends[b]];
        finish(task, values, at);
        set_neutral(values);
      }
    }
  }

  TEFF_INLINE void set_neutral(A (&values)[rows_of_lane]) const {
    TEFF_UNROLL
    for (int v = 0; v < rows_of_lane; ++v) values[v] = call.neutral;
  }

  TEFF_INLINE static access load(const T* from) {
    if constexpr (V == 1) {
      return {*from};
    } else {
      return *reinterpret_cast<const access*>(from);
    }
  }

  /// Values that are all of a bag go to the result, others wait in their slot.
  TEFF_INLINE void finish(const segment_task& task, const A (&values)[rows_of_lane],
                          const place& at) const {
    if (task.slot >= 0) {
      A* const to = slot(task.slot, at);
      TEFF_UNROLL
      for (int v = 0; v < rows_of_lane; ++v) to[v * lanes] = values[v];
      return;
    }
    const index_t row = call.O.stride(0);
    R* const to = call.O.data + at.row * row + task.bag * call.O.stride(1);
    TEFF_UNROLL
    for (int a = 0; a < accesses; ++a) {
      if (!at.has[a]) continue;
      pack<R, V> results;
      TEFF_UNROLL
      for (int v = 0; v < V; ++v) results.lane[v] = convert<R>(values[a * V + v]);
      if (V > 1 && packs_result) {
        store_pack(to + a * lanes * V, results);
      } else {
        TEFF_UNROLL
        for (int v = 0; v < V; ++v) to[(a * lanes * V + v) * row] = results.lane[v];
      }
    }
  }

  TEFF_INLINE A* slot(index_t number, const place& at) const {
    return static_cast<A*>(work.waiting) + (number * tiles + at.tile) * slot_cells + at.lane;
  }

  /// Tells the nodes above a piece that it is done. Who comes last at a node combines its parts,
  /// and goes on to the next.
  TEFF_INLINE void climb(block& blk, const warp& w, int node, const place& at) const {
    while (w.any(node >= 0)) {
      blk.fence();  // the values before the arrival
      w.sync();
      unsigned arrived = 0;
      segment_task task{};
      if (node >= 0) {
        task = work.nodes[node];
        if (at.lane == 0)
          arrived = blk.atomic_increment_wrap(work.arrived[node * tiles + at.tile],
                                              static_cast<unsigned>(task.count - 1));
      }
      blk.fence();  // the arrival before the others' values
      arrived = w.shuffle(arrived, w.lane() - at.lane);
      w.sync();
      if (node < 0) continue;
      node = -1;
      if (arrived != static_cast<unsigned>(task.count - 1)) continue;
      combine_parts(task, at);
      node = task.node;
    }
  }

  TEFF_INLINE void combine_parts(const segment_task& task, const place& at) const {
    constexpr int ahead = 6;
    const index_t next = tiles * slot_cells;
    const A* parts = slot(task.first, at);
    A values[rows_of_lane];
    TEFF_UNROLL
    for (int v = 0; v < rows_of_lane; ++v) values[v] = parts[v * lanes];
    for (int part = 1; part < task.count; part += ahead) {
      A loaded[ahead][rows_of_lane] = {};  // (only so that compilers see it defined)
      TEFF_UNROLL
      for (int b = 0; b < ahead; ++b)
        if (part + b < task.count) {
          parts += next;
          TEFF_UNROLL
          for (int v = 0; v < rows_of_lane; ++v) loaded[b][v] = parts[v * lanes];
        }
      TEFF_UNROLL
      for (int b = 0; b < ahead; ++b)
        if (part + b < task.count) {
          TEFF_UNROLL
          for (int v = 0; v < rows_of_lane; ++v) values[v] = call.combined(values[v], loaded[b][v]);
        }
    }
    finish(task, values, at);
  }

  TEFF_INLINE void fill_empty(index_t bag, const place& at) const {
    R* const to = call.O.data + bag * call.O.stride(1);
    TEFF_UNROLL
    for (int a = 0; a < accesses; ++a) {
      if (!at.has[a]) continue;
      TEFF_UNROLL
      for (int v = 0; v < V; ++v) {
        const index_t d = at.row + a * lanes * V + v;
        to[d * call.O.stride(0)] = call.empty_value(d);
      }
    }
  }
};

template <int V, class R, class T, class A, class Op>
void launch_segmented(const stream& on, const segmented_call<R, T, A, Op>& call,
                      const bag_list& bags) {
  using kernel = segmented_kernel<R, T, A, Op, V>;
  const index_t D = call.O.extent(0);
  kernel k{.call = call};
  while (k.lanes < 32 && k.lanes * kernel::rows_of_lane < D) k.lanes *= 2;
  k.tiles = ceil_div(D, index_t{k.lanes} * kernel::rows_of_lane);
  // No two slots share a line of a cache: one may be read by a multiprocessor before the other is
  // written.
  constexpr index_t line = 128 / static_cast<index_t>(sizeof(A));
  k.slot_cells = ceil_div(index_t{k.lanes} * kernel::rows_of_lane, line) * line;
  const auto lent = bags.lend();
  k.work = bags.work(k.tiles, k.slot_cells * static_cast<index_t>(sizeof(A)));
  const auto address = reinterpret_cast<std::uintptr_t>(call.O.data);
  k.packs_result = call.O.stride(0) == 1 && address % sizeof(pack<R, V>) == 0 &&
                   (call.O.extent(1) == 1 || call.O.stride(1) % V == 0);
  const bool is_far = on != bags.on();
  if (is_far) on.wait_for(bags.on());
  index_t blocks = ceil_div(k.work.run_count, kernel::warps);
  if (blocks == 0) blocks = 1;  // of empty bags only
  constexpr index_t most_tiles = 65535;
  for (k.first_tile = 0; k.first_tile < k.tiles; k.first_tile += most_tiles) {
    const index_t left = k.tiles - k.first_tile;
    launch_blocks(on,
                  {.blocks = {blocks, left < most_tiles ? left : most_tiles},
                   .threads = {kernel::threads},
                   .shared_bytes = kernel::shared_bytes},
                  k);
  }
  if (is_far) bags.on().wait_for(on);
}

/// Combines with kernels. @sync asynchronous on a GPU
template <class R, class T, class A, class Op>
void segmented_warps(const stream& on, const segmented_call<R, T, A, Op>& call,
                     const bag_list& bags) {
  constexpr int V = 16 / sizeof(T);
  const auto address = reinterpret_cast<std::uintptr_t>(call.X.data);
  if (call.X.stride(0) == 1 && call.X.extent(0) % V == 0 && address % 16 == 0 &&
      (call.X.extent(1) == 1 || call.X.stride(1) % V == 0))
    launch_segmented<V>(on, call, bags);
  else
    launch_segmented<1>(on, call, bags);
}

}  // namespace teff::inline TEFF_MODE::detail

// SPDX-License-Identifier: MIT
#pragma once

#include <teff/algo/reduce/blocks.hpp>
#include <teff/solver/gradient_state.hpp>
#include <teff/solver/kept_values.hpp>
#include <teff/solver/march_sums.hpp>

/// The two kernels of an iteration of conjugate gradients by blocks that march through memory, each
/// of which finds a value of p once.
namespace teff::inline TEFF_MODE::detail {

/// A block goes through runs of chunks (march_plan); in a turn it has one. A thread has the cells
/// of half a lane; those of the second half of the threads keep their terms until the first half
/// has handed on its sums. The values of p that these cells read are in shared memory; each turn
/// adds those that the next one reads further on, and which were on their way since the turn
/// before. Sums are those of chunks_reduce, bit by bit.
/// @tparam Product A p, made ready for the device, of kept values
/// @tparam IsSolution false: p = r + beta p where that is not done yet, and p.Ap; true: r = r -
///         alpha A p, x = x + alpha p, and r.r
/// @tparam Then to which the total is given
template <class R, int N, class Product, class Then, bool IsSolution, bool IsRing>
struct marching_gradients {
  using state = gradient_state<R>;
  using place = place_in_march<N>;

  static constexpr int lanes = reduce_tree::lanes, chunk = reduce_tree::chunk, groups = 2;
  static constexpr int threads = groups * lanes, half = chunk / groups;
  static constexpr int cells_of_thread = half / lanes;
  static constexpr int vector = 16 / sizeof(R), piece = threads * vector;
  static constexpr int pieces = chunk / piece + 1;  ///< that are on their way
  /// (Of boxes two would spill.)
  static constexpr int least_blocks = sizeof(R) > 4 || N > 2 ? 1 : 2;
  /// A turn's sums are handed on in the next one and added up in the one after it, when nobody
  /// waits for them. (In f32 two blocks a multiprocessor fill each other's waits: it takes longer.)
  static constexpr int turns_later = sizeof(R) > 4 ? 2 : 0;
  static constexpr int sums_kept = turns_later > 0 ? 3 : 2;  ///< turns whose lanes' sums are kept
  /// From a run's last turn to its first: what the other kernel has used last is in the L2 cache.
  static constexpr bool goes_back = IsSolution && !IsRing;
  static constexpr bool has_cpu_twin = true;
  static constexpr index_t bytes_of_sums = (sums_kept * lanes + half) * index_t{sizeof(f64)};

  Product product;
  march_plan at;
  const R *p, *r;
  R *own_p, *own_r, *own_x;  ///< at the cell of b that reads p's first
  const R* factors;
  chunk_sums<Then> sums;

  TEFF_INLINE void operator()(block& blk) const {
    const shared_values shared{blk.shared<f64>(sums_kept * lanes), blk.shared<f64>(half),
                               blk.shared<R>(at.capacity)};
    if (IsSolution && factors[state::goes_on] == R(0)) return;
    march(blk, shared);
    sums.add_up(blk, shared.lane_sums, shared.terms);
  }

 private:
  /// `lane_sums`: of the first half of a chunk, then of all of it. `terms`: of the second half,
  /// until these sums are there.
  struct shared_values {
    shared_array<f64> lane_sums, terms;
    shared_array<R> kept;
  };
  /// Of a thread's cells in a turn.
  struct own_values {
    R r[cells_of_thread], x[cells_of_thread];
  };

  TEFF_INLINE void march(block& blk, const shared_values& shared) const {
    const fetched<Product> fetched_here(product);
    const Product& A = fetched_here.of(product);

    const int run = static_cast<int>(blk.index()), t = blk.thread(), group = t / lanes,
              lane = t % lanes;
    int number = run / at.stride * at.turns_of_run * at.stride + run % at.stride;  // of the chunk
    // (Not every column has a chunk in the last turn.)
    const int turns = lesser_of(at.turns_of_run, (at.chunks - number + at.stride - 1) / at.stride);
    if (turns <= 0) return;
    const int stride = goes_back ? -at.stride : at.stride;
    if constexpr (goes_back) number += (turns - 1) * at.stride;
    filling ahead(*this, shared.kept, number, t);
    march_levels levels{};
    place own(at, number * chunk + group * half + lane);
    own_values values{};
    int slot = ahead.slot_of(own);
    if constexpr (IsSolution) load(own, cells_after(number, t), values);
    ahead.begin(levels, turns > 1);
    blk.sync();
    const auto sums_of = [](int turn) { return turn % sums_kept * lanes; };
    const auto add_terms_of = [&](int turn, int chunk_of_turn) {
      if (group == 1) add_terms(shared, lane, sums_of(turn) + lane, cells_after(chunk_of_turn, t));
    };
    const auto add_lanes_of = [&](int turn, int chunk_of_turn) {
      if (t < warp::lanes) store_sum(blk, shared.lane_sums, sums_of(turn), chunk_of_turn);
    };
    for (int turn = 0; turn < turns + turns_later; ++turn, number += stride) {
      if constexpr (turns_later > 0) {
        if (turn > 1) add_lanes_of(turn - 2, number - 2 * stride);
        if (turn > 0 && turn <= turns) add_terms_of(turn - 1, number - stride);
      }
      if (turn < turns) {
        const R alpha = factors[state::alpha];  // (each time: kept, it would take a register more)
        f64 sum = 0;
        if (cells_after(number, 0) >= chunk)
          find_values<true>(A, own, chunk, shared, levels, slot, alpha, values, t, sum);
        else
          find_values<false>(A, own, cells_after(number, t), shared, levels, slot, alpha, values, t,
                             sum);
        if (group == 0) shared.lane_sums[sums_of(turn) + lane] = sum;
        const int before = own.kept;
        next_turn(own);
        if constexpr (IsRing) slot = in_ring(slot + own.kept - before, at.capacity);
        if constexpr (IsSolution)
          if (turn + 1 < turns) load(own, cells_after(number + stride, t), values);
        blk.sync();
        if constexpr (turns_later == 0) add_terms_of(turn, number);
        if (turn + 1 < turns) ahead.advance(levels, turn + 2 < turns);
      }
      blk.sync();
      if constexpr (turns_later == 0) add_lanes_of(turn, number);  // while others go on
    }
  }

  TEFF_INLINE void next_turn(place& cell) const {
    if constexpr (goes_back)
      cell.move_back(at, at.turn);
    else
      cell.move(at, at.turn);
  }
  /// Those of b, from a thread's first one in a chunk on.
  TEFF_INLINE int cells_after(int number, int t) const {
    return at.cells - (number * chunk + t / lanes * half + t % lanes);
  }

  /// @param left cells of b from the first one on @param sum of terms of the first half
  template <bool AreAll>
  TEFF_INLINE void find_values(const Product& A, place own, int left, const shared_values& shared,
                               const march_levels& levels, int slot, R alpha,
                               const own_values& values, int t, f64& sum) const {
    TEFF_UNROLL
    for (int c = 0; c < cells_of_thread; ++c) {
      if (AreAll || c * lanes < left) {
        const keeping_cell<R, N, IsRing> here{
            {own.i, own.j, own.k}, shared.kept, at, levels, IsRing ? slot : own.kept};
        const R of_p = here.own();
        const R of_Ap = convert<R>(A.template eval<0, 0, 0>(here));
        f64 term;
        if constexpr (IsSolution) {
          const R residual = rounded::fused_multiply_add(-alpha, of_Ap, values.r[c]);
          own_r[own.kept] = residual;
          own_x[own.kept] = rounded::fused_multiply_add(alpha, of_p, values.x[c]);
          term = square_of_first{}(residual, residual);
        } else {
          own_p[own.kept] = of_p;
          term = product_of_both{}(of_p, of_Ap);
        }
        if (t < lanes)
          sum = ops::sum{}(sum, term);
        else
          shared.terms[c * lanes + t - lanes] = term;
      }
      const int before = own.kept;
      own.move(at, at.lane);
      if constexpr (IsRing) slot = in_ring(slot + own.kept - before, at.capacity);
    }
  }
  TEFF_INLINE void add_terms(const shared_values& shared, int lane, int at_sum, int left) const {
    f64 sum = shared.lane_sums[at_sum];
    TEFF_UNROLL
    for (int c = 0; c < cells_of_thread; ++c)
      if (c * lanes < left) {
        const f64 term = shared.terms[c * lanes + lane];
        sum = ops::sum{}(sum, term);
      }
    shared.lane_sums[at_sum] = sum;
  }
  TEFF_INLINE void load(place own, int left, own_values& values) const {
    TEFF_UNROLL
    for (int c = 0; c < cells_of_thread; ++c) {
      if (c * lanes < left) {
        values.r[c] = own_r[own.kept];
        values.x[c] = own_x[own.kept];
      }
      own.move(at, at.lane);
    }
  }
  TEFF_INLINE void store_sum(const block& blk, const shared_array<f64>& lane_sums, int from,
                             int number) const {
    const f64 sum = sum_of_lanes(blk, lane_sums, from);
    if (blk.warp().lane() == 0) sums.sums[number] = sum;
  }

  /// Brings p into shared memory, part by part, a piece of all threads after the other.
  struct filling {
    const marching_gradients& of;
    shared_array<R> kept;

    TEFF_INLINE filling(const marching_gradients& all, const shared_array<R>& room, int number,
                        int t)
        : of(all),
          kept(room),
          edge_(of.at, (number + (goes_back ? 1 : -1) * of.at.around * of.at.stride) * chunk +
                           (IsRing ? chunk - 1 : 0)),
          next_{place(of.at, number * chunk).kept & -vector,
                place(of.at, number * chunk).kept & -vector, IsRing ? 0 : -of.at.width},
          thread_(t * vector),
          folds_(of.factors[state::folds]),
          beta_(of.factors[state::beta]),
          of_p_{},
          of_r_{} {
      find_part();
    }
    /// The slot of a ring.
    TEFF_INLINE int slot_of(const place& cell) const {
      return IsRing ? (cell.kept - next_.from) % of.at.capacity : 0;
    }

    /// What the first turn reads. @param has_next there is another one
    TEFF_INLINE void begin(march_levels& levels, bool has_next) {
      TEFF_UNROLL
      for (int m = 0; m < pieces; ++m)
        if (m * piece + thread_ < until(next_) - next_.from)
          load(next_, m * piece + thread_, of_p_[m], of_r_[m]);
      for (int turns = 2 * of.at.around; turns >= 0; --turns)
        advance(levels, turns > 0 || has_next);
    }
    /// What the next turn reads further on. @param has_next there is one after it
    TEFF_INLINE void advance(march_levels& levels, bool has_next) {
      const part now = next_;
      find_part();
      if (!has_next) next_.from = next_.until = of.at.kept_cells;
      if constexpr (!IsRing) levels.template add<goes_back>(of.at, now.slot - now.from);
      const int cells = until(now) - now.from, next_cells = until(next_) - next_.from;
      TEFF_UNROLL
      for (int m = 0; m < pieces; ++m) {
        const int place = m * piece + thread_;
        if (place < cells) put(now, place, of_p_[m], of_r_[m]);
        if (place < next_cells) load(next_, place, of_p_[m], of_r_[m]);
      }
      TEFF_NO_UNROLL
      for (int place = pieces * piece + thread_; place < cells; place += piece) {
        pack<R, vector> of_p{}, of_r{};
        load(now, place, of_p, of_r);
        put(now, place, of_p, of_r);
      }
      put_last(now);
    }

   private:
    /// Of what lies side by side in p, all that is loaded together. `until`: of a ring; others are
    /// of one width.
    struct part {
      int from, until, slot;
    };

    /// (Of what is loaded together.)
    TEFF_INLINE int before_last() const { return of.at.kept_cells & -vector; }
    TEFF_INLINE int until(const part& of_p) const {
      return IsRing ? of_p.until : lesser_of(of_p.from + of.at.width, before_last());
    }
    TEFF_INLINE void find_part() {
      const march_plan& at = of.at;
      if constexpr (IsRing) {
        next_.slot = in_ring(next_.slot + next_.until - next_.from, at.capacity);
        next_.from = next_.until;
        next_.until = lesser_of((edge_.kept + at.high + vector - 1) & -vector, before_last());
      } else {
        next_.slot += at.width;
        if (next_.slot == at.capacity) next_.slot = 0;
        next_.from = greater_of((edge_.kept + at.low) & -vector, 0);
      }
      of.next_turn(edge_);
    }
    TEFF_INLINE void load(const part& next, int place, pack<R, vector>& of_p,
                          pack<R, vector>& of_r) const {
      of_p = load_pack<R, vector>(of.p + next.from + place);
      if constexpr (!IsSolution) of_r = load_pack<R, vector>(of.r + next.from + place);
    }
    TEFF_INLINE void put(const part& now, int place, const pack<R, vector>& of_p,
                         const pack<R, vector>& of_r) const {
      pack<R, vector> values = of_p;
      if constexpr (!IsSolution)
        if (folds_ != R(0)) {
          TEFF_UNROLL
          for (int v = 0; v < vector; ++v)
            values.lane[v] = rounded::fused_multiply_add(beta_, of_p.lane[v], of_r.lane[v]);
        }
      const int slot = now.slot + place;
      kept.write_wide(IsRing ? in_ring(slot, of.at.capacity) : slot, values);
    }
    /// The last cells of all, which are less than are loaded together.
    TEFF_INLINE void put_last(const part& now) const {
      const int cell = before_last() + thread_ / vector, slot = now.slot + cell - now.from;
      if (cell >= of.at.kept_cells || until(now) != before_last() || now.from > cell) return;
      R value = of.p[cell];
      if constexpr (!IsSolution)
        if (folds_ != R(0)) value = rounded::fused_multiply_add(beta_, value, of.r[cell]);
      kept[IsRing ? in_ring(slot, of.at.capacity) : slot] = value;
    }

    place edge_;  ///< of the chunk whose part comes after the next one: its first cell, or a ring's
                  ///< last
    part next_;
    int thread_;
    R folds_, beta_;
    pack<R, vector> of_p_[pieces], of_r_[pieces];
  };
};

}  // namespace teff::inline TEFF_MODE::detail

// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <type_traits>

#include <teff/algo/reduce/blocks.hpp>
#include <teff/algo/reduce/storing.hpp>
#include <teff/expr/far_cells.hpp>
#include <teff/solver/gradient_state.hpp>
#include <teff/solver/kept_values.hpp>

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
template <class R, int N, class Product, bool IsSolution, bool IsRing>
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
  static constexpr bool has_cpu_twin = true;
  static constexpr index_t bytes_of_sums = (groups * lanes + half) * index_t{sizeof(f64)};

  Product product;
  march_plan at;
  const R *p, *r;
  R *own_p, *own_r, *own_x;  ///< at the cell of b that reads p's first
  const R* factors;
  f64* sums;  ///< of each chunk

  TEFF_INLINE void operator()(block& blk) const {
    const shared_values shared{blk.shared<f64>(groups * lanes), blk.shared<f64>(half),
                               blk.shared<R>(at.capacity)};
    if (IsSolution && factors[state::goes_on] == R(0)) return;
    const fetched<Product> fetched_here(product);
    const Product& A = fetched_here.of(product);

    const int run = static_cast<int>(blk.index()), t = blk.thread(), group = t / lanes,
              lane = t % lanes;
    int number = run / at.stride * at.turns_of_run * at.stride + run % at.stride;  // of the chunk
    // (Not every column has a chunk in the last turn.)
    int left = lesser_of(at.turns_of_run, (at.chunks - number + at.stride - 1) / at.stride);
    if (left <= 0) return;
    filling ahead(*this, shared.kept, number, t);
    march_levels levels{};
    place own(at, number * chunk + group * half + lane);
    own_values values{};
    int slot = ahead.slot_of(own);
    if constexpr (IsSolution) load(own, cells_after(number, t), values);
    ahead.begin(levels, left > 1);
    blk.sync();
    for (; left > 0; --left) {
      const R alpha = factors[state::alpha];  // (each time: kept, it would take a register more)
      f64 sum = 0;
      if (cells_after(number, 0) >= chunk)
        find_values<true>(A, own, chunk, shared, levels, slot, alpha, values, t, sum);
      else
        find_values<false>(A, own, cells_after(number, t), shared, levels, slot, alpha, values, t,
                           sum);
      if (group == 0) shared.lane_sums[lane] = sum;
      const int before = own.kept;
      own.move(at, at.turn);
      if constexpr (IsRing) slot = in_ring(slot + own.kept - before, at.capacity);
      if constexpr (IsSolution)
        if (left > 1) load(own, cells_after(number + at.stride, t), values);
      blk.sync();
      if (group == 1) add_terms(shared, lane, cells_after(number, t));
      if (left > 1) ahead.advance(levels, left > 2);
      blk.sync();
      if (t < warp::lanes) add_lanes(blk, shared.lane_sums, number);  // while others go on
      number += at.stride;
    }
  }

 private:
  /// `terms`: of the second half of a chunk, until the first half's sums are there.
  struct shared_values {
    shared_array<f64> lane_sums, terms;
    shared_array<R> kept;
  };
  /// Of a thread's cells in a turn.
  struct own_values {
    R r[cells_of_thread], x[cells_of_thread];
  };

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
  TEFF_INLINE void add_terms(const shared_values& shared, int lane, int left) const {
    f64 sum = shared.lane_sums[lane];
    TEFF_UNROLL
    for (int c = 0; c < cells_of_thread; ++c)
      if (c * lanes < left) {
        const f64 term = shared.terms[c * lanes + lane];
        sum = ops::sum{}(sum, term);
      }
    shared.lane_sums[lanes + lane] = sum;
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
  /// By one warp, the sums of a chunk's lanes.
  TEFF_INLINE void add_lanes(const block& blk, const shared_array<f64>& lane_sums,
                             int number) const {
    constexpr int of_thread = lanes / warp::lanes;
    const warp w = blk.warp();
    f64 mine[of_thread];
    TEFF_UNROLL
    for (int m = 0; m < of_thread; ++m) mine[m] = lane_sums[lanes + w.lane() + m * warp::lanes];
    TEFF_UNROLL
    for (int others = of_thread / 2; others > 0; others /= 2) TEFF_UNROLL
    for (int m = 0; m < others; ++m) mine[m] = ops::sum{}(mine[m], mine[m + others]);
    TEFF_UNROLL
    for (int others = warp::lanes / 2; others > 0; others /= 2) {
      const f64 other = w.shuffle_down(mine[0], others);
      if (w.lane() < others) mine[0] = ops::sum{}(mine[0], other);
    }
    if (w.lane() == 0) sums[number] = mine[0];
  }

  /// Brings p into shared memory, part by part, a piece of all threads after the other.
  struct filling {
    const marching_gradients& of;
    shared_array<R> kept;

    TEFF_INLINE filling(const marching_gradients& all, const shared_array<R>& room, int number,
                        int t)
        : of(all),
          kept(room),
          edge_(of.at, (number - of.at.around * of.at.stride) * chunk + (IsRing ? chunk - 1 : 0)),
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
      if constexpr (!IsRing) levels.add(of.at, now.slot - now.from);
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
      edge_.move(at, at.turn);
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

/// The launches of one solver.
template <class R, int N, class Backend>
class marching_iterations {
 public:
  marching_iterations(const array_ref<R, N>& x, const array_ref<R, N>& b) {
    if constexpr (Backend::can_march) {
      if (!Backend::fuses(x.dev())) return;
      index_t of_x[3] = {1, 1, 1}, of_b[3] = {1, 1, 1}, along = 1;
      for (int d = 0; d < N; ++d) {
        of_x[d] = x.extent(d), of_b[d] = b.extent(d);
        if (x.stride(d) != along) return;  // it has to lie as p and r do
        along *= of_x[d];
      }
      using shape = marching_gradients<R, N, device_leaf<R>, false, false>;
      at_ = runtime::planned_march(of_x, of_b, N,
                                   {.bytes = sizeof(R),
                                    .vector = shape::vector,
                                    .may_share = shape::least_blocks > 1,
                                    .shared_bytes = shape::bytes_of_sums},
                                   Backend::march_limits_of(x.dev()));
    }
  }
  bool marches() const { return at_.runs > 0; }

  /// @param stored what the kernel reads and writes @param Ap of kept values
  /// @param p, r, next_p of x's extents @param room of b's cells
  /// @returns false, and does nothing, where it can not march
  template <bool IsSolution, class Stored, class Product, class Then>
  bool run(const Stored& stored, const Product& Ap, const array_ref<R, N>& p,
           const array_ref<R, N>& r, const array_ref<R, N>& next_p, const array_ref<R, N>& x,
           const Then& then, void* room) const {
    const auto lowered = Ap.lower(lowering{});
    using product_type = std::remove_const_t<decltype(lowered)>;
    if constexpr (std::is_same_v<typename product_type::value_type, R> && !has_ends<product_type>) {
      reduction_source<Stored> source(stored);
      const statement_shape where = source.where();
      if (!where.has_unit_stride || !stored.has_unit_stride()) return false;
      if (N > 1 && !where.has_short_offsets) return false;
      auto* const sums = static_cast<f64*>(room);
      const index_t chunks = at_.chunks;
      void* const rest = sums + ceil_div(chunks, index_t{2}) * 2;
      const auto launch = [&]<bool IsRing>(std::bool_constant<IsRing>) {
        using kernel_type = marching_gradients<R, N, product_type, IsSolution, IsRing>;
        const index_t bytes = kernel_type::bytes_of_sums + at_.capacity * index_t{sizeof(R)};
        launch_blocks(
            source.on(),
            {.blocks = {at_.runs}, .threads = {kernel_type::threads}, .shared_bytes = bytes},
            kernel_type{.product = lowered,
                        .at = at_,
                        .p = p.data(),
                        .r = r.data(),
                        .own_p = next_p.data() + at_.centre,
                        .own_r = r.data() + at_.centre,
                        .own_x = x.data() + at_.centre,
                        .factors = then.factors,
                        .sums = sums});
      };
      source.run(
          "statement and dot", static_cast<index_t>(stored.stored_bytes()),
          [] { return std::string(); },
          [&] {
            if constexpr (N == 2)
              at_.is_ring ? launch(std::true_type{}) : launch(std::false_type{});
            else
              launch(std::false_type{});
            statement_shape parts;
            parts.n[0] = chunks;
            Backend{}.template run<f64>(source.on(), then, device_leaf<f64>{{}, sums, {1, 0, 0}},
                                        parts, rest);
          });
      return true;
    }
    return false;
  }

 private:
  march_plan at_{};
};

}  // namespace teff::inline TEFF_MODE::detail

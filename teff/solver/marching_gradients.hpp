// SPDX-License-Identifier: MIT
#pragma once

#include <limits>
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

/// A block goes through a run of chunks; in a step it has the second half of one, by the second
/// half of its threads, and the first half of the next. A thread has the cells of a lane, whose sum
/// the first half of the threads hands on to the second. The values of p that these cells read are
/// in shared memory, in a ring to which each step adds those that the next one reads further on,
/// and which were on their way since the step before: so p and r are read once, but for those
/// beyond both ends of a run. Sums are those of chunks_reduce, bit by bit.
/// @tparam Product A p, made ready for the device, of kept values
/// @tparam IsSolution false: p = r + beta p where that is not done yet, and p.Ap; true: r = r -
///         alpha A p, x = x + alpha p, and r.r
template <class R, class Product, bool IsSolution>
struct marching_gradients {
  using state = gradient_state<R>;

  static constexpr int lanes = reduce_tree::lanes, chunk = reduce_tree::chunk, groups = 2;
  static constexpr int threads = groups * lanes, half = chunk / groups;
  static constexpr int cells_of_thread = half / lanes;
  static constexpr int vector = 2, piece = threads * vector, pieces = chunk / piece;
  static constexpr int least_blocks = sizeof(R) > 4 ? 1 : 2;
  static constexpr bool has_cpu_twin = true;
  static constexpr index_t shared_bytes(int capacity) {
    return 2 * threads * index_t{sizeof(f64)} + capacity * index_t{sizeof(R)};
  }

  Product product;
  march_of_blocks at;
  const R *p, *r;
  R* next_p;                      ///< of the first kernel
  device_target<R> own_r, own_x;  ///< of the second one
  const R* factors;
  f64* sums;  ///< of each chunk

  TEFF_INLINE void operator()(block& blk) const {
    const auto lane_sums = blk.shared<f64>(2 * threads);
    const auto ring = blk.shared<R>(at.capacity);
    if (IsSolution && factors[state::goes_on] == R(0)) return;
    const fetched<Product> fetched_here(product);
    const Product& A = fetched_here.of(product);

    const int t = blk.thread(), group = t / lanes, lane = t % lanes;
    const run_of_chunks own(at, blk);
    filling ahead(*this, ring, own, t);
    ahead.begin(own.read_until(own.first));
    blk.sync();
    const R alpha = factors[state::alpha];
    R values_r[cells_of_thread] = {}, values_x[cells_of_thread] = {};
    if constexpr (IsSolution) load_own(own, own.first - group, group, lane, values_r, values_x);
    for (int step = own.first; step <= own.last + 1; ++step) {
      const int mine = step - group;
      if (mine >= own.first && mine < own.last) {
        f64 sum = group == 0 ? f64(0) : f64(lane_sums[(1 - step % 2) * threads + lane]);
        cells_of_lane cell(at, mine * chunk + group * half + lane, own.begin);
        const int left = at.cells - (mine * chunk + group * half + lane);
        TEFF_UNROLL
        for (int c = 0; c < cells_of_thread; ++c) {
          if (c * lanes < left) {
            const keeping_cell<R> here{{cell.i, cell.j, cell.k},
                                       ring,
                                       cell.slot,
                                       static_cast<unsigned>(at.capacity),
                                       static_cast<unsigned>(at.along_y),
                                       static_cast<unsigned>(at.along_z)};
            const R of_p = here.template kept<0, 0, 0>(static_cast<unsigned>(at.centre));
            const R of_Ap = convert<R>(A.template eval<0, 0, 0>(here));
            if constexpr (IsSolution) {
              const R residual = rounded::fused_multiply_add(-alpha, of_Ap, values_r[c]);
              *own_r.template at<true, int>(cell.i, cell.j, cell.k) = residual;
              *own_x.template at<true, int>(cell.i, cell.j, cell.k) =
                  rounded::fused_multiply_add(alpha, of_p, values_x[c]);
              sum = ops::sum{}(sum, square_of_first{}(residual, residual));
            } else {
              sum = ops::sum{}(sum, product_of_both{}(of_p, of_Ap));
            }
          }
          cell.next();
        }
        lane_sums[step % 2 * threads + t] = sum;
      }
      if constexpr (IsSolution) load_own(own, step + 1 - group, group, lane, values_r, values_x);
      if (t < warp::lanes && step - groups >= own.first)
        add_lanes(blk, lane_sums, (1 - step % 2) * threads + half_of_threads, step - groups);
      blk.sync();
      if (step < own.last) ahead.advance(own.read_until(step + 1), step + 1 < own.last);
      blk.sync();
    }
  }

 private:
  static constexpr int half_of_threads = threads / groups;

  struct run_of_chunks {
    const march_of_blocks& at;
    int first, last;  ///< chunks [first, last)
    int begin, end;   ///< of p: from the run's first cell to that of the next run

    TEFF_INLINE run_of_chunks(const march_of_blocks& at, const block& blk)
        : at(at),
          first(chunk_of(blk.index())),
          last(chunk_of(blk.index() + 1)),
          begin(begin_of(first)),
          end(begin_of(last)) {}
    /// Of p, for the cells of a step.
    TEFF_INLINE int read_until(int step) const {
      const int cells = lesser_of(at.cells, last * chunk);
      return place_in_march(at, lesser_of(step * chunk + half, cells) - 1).in_array(at) +
             at.beyond + 1;
    }

   private:
    TEFF_INLINE int chunk_of(index_t run) const {
      return static_cast<int>(index_t{at.chunks} * run / at.blocks);
    }
    TEFF_INLINE int begin_of(int chunk_number) const {
      if (chunk_number == at.chunks) return at.kept_cells;
      return place_in_march(at, chunk_number * chunk).in_array(at) / vector * vector;
    }
  };

  /// Brings p into the ring, a piece of all threads after the other; the first kernel also stores
  /// it.
  struct filling {
    const marching_gradients& of;
    shared_array<R> ring;
    int filled, slot, end, thread;
    R folds, beta;
    pack<R, vector> of_p[pieces], of_r[pieces];

    TEFF_INLINE filling(const marching_gradients& all, const shared_array<R>& kept,
                        const run_of_chunks& own, int t)
        : of(all),
          ring(kept),
          filled(own.begin),
          slot(t * vector),
          end(own.end),
          thread(t),
          folds(all.factors[state::folds]),
          beta(all.factors[state::beta]),
          of_p{},
          of_r{} {}

    TEFF_INLINE void begin(int until) {
      load();
      while (until - filled > (pieces - 1) * piece) {
        put();
        load();
      }
      put_until(until);
      load();
    }
    TEFF_INLINE void advance(int until, bool is_more) {
      put();
      put_until(until);
      if (is_more) load();
    }

   private:
    TEFF_INLINE void load_piece(int m) {
      const int from = filled + m * piece + thread * vector;
      if (from + vector <= of.at.kept_cells) {
        of_p[m] = load_pack<R, vector>(of.p + from);
        if constexpr (!IsSolution) of_r[m] = load_pack<R, vector>(of.r + from);
        return;
      }
      TEFF_UNROLL
      for (int v = 0; v < vector; ++v)
        if (from + v < of.at.kept_cells) {
          of_p[m].lane[v] = of.p[from + v];
          if constexpr (!IsSolution) of_r[m].lane[v] = of.r[from + v];
        }
    }
    TEFF_INLINE void put_piece(int m) {
      pack<R, vector> values = of_p[m];
      if constexpr (!IsSolution) {
        TEFF_UNROLL
        for (int v = 0; v < vector; ++v)
          if (folds != R(0))
            values.lane[v] = rounded::fused_multiply_add(beta, of_p[m].lane[v], of_r[m].lane[v]);
        const int to = filled + thread * vector;
        if (to + vector <= end) {
          store_pack(of.next_p + to, values);
        } else {
          TEFF_UNROLL
          for (int v = 0; v < vector; ++v)
            if (to + v < end) of.next_p[to + v] = values.lane[v];
        }
      }
      ring.write_wide(slot, values);
      filled += piece;
      slot += piece;
      if (slot >= of.at.capacity) slot -= of.at.capacity;
    }
    TEFF_INLINE void load() {
      TEFF_UNROLL
      for (int m = 0; m < pieces; ++m) load_piece(m);
    }
    TEFF_INLINE void put() {
      TEFF_UNROLL
      for (int m = 0; m < pieces; ++m) put_piece(m);
    }
    TEFF_INLINE void put_until(int until) {
      while (filled < until) {
        load_piece(0);
        put_piece(0);
      }
    }
  };

  TEFF_INLINE void load_own(const run_of_chunks& own, int mine, int group, int lane,
                            R (&values_r)[cells_of_thread], R (&values_x)[cells_of_thread]) const {
    if (mine < own.first || mine >= own.last) return;
    const int first = mine * chunk + group * half + lane;
    cells_of_lane cell(at, first, own.begin);
    TEFF_UNROLL
    for (int c = 0; c < cells_of_thread; ++c) {
      if (first + c * lanes < at.cells) {
        values_r[c] = *own_r.template at<true, int>(cell.i, cell.j, cell.k);
        values_x[c] = *own_x.template at<true, int>(cell.i, cell.j, cell.k);
      }
      cell.next();
    }
  }
  /// By one warp, the sums of a chunk's lanes.
  TEFF_INLINE void add_lanes(const block& blk, const shared_array<f64>& lane_sums, int from,
                             int of_chunk) const {
    constexpr int of_thread = lanes / warp::lanes;
    const warp w = blk.warp();
    f64 mine[of_thread];
    TEFF_UNROLL
    for (int m = 0; m < of_thread; ++m) mine[m] = lane_sums[from + w.lane() + m * warp::lanes];
    TEFF_UNROLL
    for (int others = of_thread / 2; others > 0; others /= 2) TEFF_UNROLL
    for (int m = 0; m < others; ++m) mine[m] = ops::sum{}(mine[m], mine[m + others]);
    TEFF_UNROLL
    for (int others = warp::lanes / 2; others > 0; others /= 2) {
      const f64 other = w.shuffle_down(mine[0], others);
      if (w.lane() < others) mine[0] = ops::sum{}(mine[0], other);
    }
    if (w.lane() == 0) sums[of_chunk] = mine[0];
  }
};

/// What blocks that march may take of a device.
struct march_limits {
  index_t processors, shared_bytes;
  index_t shared_bytes_of_two;  ///< up to which two blocks share a multiprocessor
  index_t chunks_a_block;       ///< from which on they gain
};

/// The launches of one solver.
template <class R, int N, class Backend>
class marching_iterations {
 public:
  marching_iterations(const array_ref<R, N>& x, const array_ref<R, N>& b) {
    if constexpr (Backend::can_march) {
      if (!Backend::fuses(x.dev())) return;
      const index_t most = std::numeric_limits<int>::max() - 2 * reduce_tree::chunk;
      if (x.size() > most || b.size() == 0) return;
      index_t of_x[3] = {1, 1, 1}, of_b[3] = {1, 1, 1};
      for (int d = 0; d < N; ++d) of_x[d] = x.extent(d), of_b[d] = b.extent(d);
      const index_t stride[3] = {1, of_x[0], of_x[0] * of_x[1]};
      index_t beyond = 0;
      for (int d = 0; d < 3; ++d) beyond += (of_x[d] - of_b[d]) * stride[d];
      // The cells of a step, what is between them where rows and planes end, what they read beyond,
      // and what comes before it is due.
      constexpr index_t step = reduce_tree::chunk, piece = shape_type::piece;
      const index_t rows = lesser_of(step / of_b[0] + 1, of_b[1] * of_b[2] - 1),
                    planes = lesser_of(step / (of_b[0] * of_b[1]) + 1, of_b[2] - 1);
      const index_t kept = step + rows * (of_x[0] - of_b[0]) +
                           planes * (of_x[1] - of_b[1]) * of_x[0] + beyond + 1 + piece;
      const index_t capacity = ceil_div(kept, index_t{shape_type::vector}) * shape_type::vector;
      const march_limits limits = Backend::march_limits_of(x.dev());
      if (capacity > limits.shared_bytes / index_t{sizeof(R)}) return;
      const index_t bytes = shape_type::shared_bytes(static_cast<int>(capacity));
      if (bytes > limits.shared_bytes) return;
      const index_t together =
          shape_type::least_blocks > 1 && bytes <= limits.shared_bytes_of_two ? 2 : 1;
      const index_t blocks = limits.processors * together;
      const index_t chunks = ceil_div(b.size(), index_t{reduce_tree::chunk});
      if (chunks < blocks * limits.chunks_a_block) return;
      const auto narrow = [](index_t value) { return static_cast<int>(value); };
      at_ = {{narrow(of_b[0]), narrow(of_b[1]), narrow(of_b[2])},
             narrow(stride[1]),
             narrow(stride[2]),
             narrow(b.size()),
             narrow(chunks),
             narrow(x.size()),
             narrow(beyond),
             narrow(beyond / 2),
             narrow(blocks),
             narrow(capacity)};
    }
  }
  bool marches() const { return at_.blocks > 0; }

  /// @param stored what the kernel reads and writes @param Ap of kept values
  /// @param p, r, next_p of x's extents @param room of b's cells
  /// @returns false, and does nothing, where it can not march
  template <bool IsSolution, class Stored, class Product, class Then>
  bool run(const Stored& stored, const Product& Ap, const array_ref<R, N>& p,
           const array_ref<R, N>& r, const array_ref<R, N>& next_p, const array_ref<R, N>& own_r,
           const array_ref<R, N>& x, const Then& then, void* room) const {
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
      using kernel_type = marching_gradients<R, product_type, IsSolution>;
      source.run(
          "statement and dot", static_cast<index_t>(stored.stored_bytes()),
          [] { return std::string(); },
          [&] {
            launch_blocks(source.on(),
                          {.blocks = {at_.blocks},
                           .threads = {kernel_type::threads},
                           .shared_bytes = kernel_type::shared_bytes(at_.capacity)},
                          kernel_type{.product = lowered,
                                      .at = at_,
                                      .p = p.data(),
                                      .r = r.data(),
                                      .next_p = next_p.data(),
                                      .own_r = stored_cells(own_r),
                                      .own_x = stored_cells(x),
                                      .factors = then.factors,
                                      .sums = sums});
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
  using shape_type = marching_gradients<R, device_leaf<R>, false>;

  march_of_blocks at_{};
};

}  // namespace teff::inline TEFF_MODE::detail

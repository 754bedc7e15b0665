// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <type_traits>

#include <teff/algo/reduce/blocks.hpp>
#include <teff/algo/reduce/storing.hpp>
#include <teff/base/memory.hpp>
#include <teff/solver/gradient_state.hpp>
#include <teff/solver/marching_gradients.hpp>
#include <teff/stencil/resident/message.hpp>

/// Iterations of conjugate gradients by blocks that stay on the chip, many in one launch.
namespace teff::inline TEFF_MODE::detail {

/// What the blocks tell each other, zeros at first: what their chunks come to, and that their part
/// of p is stored. Each knows the number of its iteration, from 1 on.
struct gradient_messages {
  message<f64>*pAp, *rr;
  std::uint64_t* stored;
};

/// A block has a chunk of cells, of which it keeps x and r in registers and p and A p in shared
/// memory; p goes through memory, too, for the neighbours. An iteration waits three times for all
/// blocks: for p, for p.Ap and for r.r, which each block adds up by itself, so that all have the
/// numbers that decide. Sums are those of chunks_reduce, bit by bit. A message that is seen is one
/// of this iteration: no block tells of the next before all have told of what comes after it.
/// @tparam Product A p, of values of type R, made ready for the device
/// @tparam Index of cells, as of cell_context
template <class R, class Product, class Index>
struct resident_gradients {
  using state = gradient_state<R>;
  using numbers_of = runtime::gradient_numbers;
  using context = cell_context<1, true, lane_loads::single, Index>;

  static constexpr int lanes = reduce_tree::lanes, chunk = reduce_tree::chunk;
  static constexpr int threads_a_lane = 2, threads = threads_a_lane * lanes;
  static constexpr int cells_of_thread = chunk / threads, at_once = 4;
  static constexpr int least_blocks = 2;
  static constexpr bool has_cpu_twin = true;
  static constexpr index_t shared_bytes = (2 * chunk + state::count) * index_t{sizeof(R)} +
                                          (lanes + numbers_of::count) * index_t{sizeof(f64)};

  Product product;
  device_target<R> p, r, x;
  index_t n[3];
  index_t cells;
  after_residual<R> after;
  gradient_messages messages;
  std::uint64_t made_before;  ///< iterations of these messages
  index_t count;

  TEFF_INLINE void operator()(block& blk) const {
    const auto own_p = blk.shared<R>(chunk), own_Ap = blk.shared<R>(chunk);
    const auto totals = blk.shared<f64>(lanes), numbers = blk.shared<f64>(numbers_of::count);
    const auto factors = blk.shared<R>(state::count);
    const after_product<R, shared_array<f64>, shared_array<R>> once_product{{numbers, factors}};
    const after_residual<R, shared_array<f64>, shared_array<R>> once_residual{
        {numbers, factors}, after.norm_of_zero, after.tolerance};
    const auto goes_on = [&] {
      const R on = factors[state::goes_on];
      return on != R(0);
    };
    if (blk.thread() == 0) copy_state(after, once_product);

    const chunk_cells own(*this, blk);
    const fetched<Product> fetched_here(product);
    const Product& A = fetched_here.of(product);
    R own_r[cells_of_thread], own_x[cells_of_thread];
    own.each([&](int k, int c, const context& at) {
      own_p[c] = *cell(p, at);
      own_r[k] = *cell(r, at);
      own_x[k] = *cell(x, at);
    });
    blk.sync();
    if (!goes_on()) return;

    auto iteration = made_before;
    for (index_t left = count; left > 0 && goes_on(); --left) {
      ++iteration;
      const R folds = factors[state::folds], beta = factors[state::beta];
      if (folds != R(0)) {
        own.each([&](int k, int c, const context& at) {
          const R before = own_p[c];
          const R value = rounded::fused_multiply_add(beta, before, own_r[k]);
          own_p[c] = value;
          *cell(p, at) = value;
        });
        wait_for_stores(blk, iteration);
      }
      multiply(A, own, own_Ap);
      blk.sync();
      f64 total = sum_of_chunk(blk, own, totals, [&](int c) {
        const R of_p = own_p[c], of_Ap = own_Ap[c];
        return product_of_both{}(of_p, of_Ap);
      });
      tell(blk, messages.pAp, iteration, total);
      add_told(blk, totals, messages.pAp, iteration, total, once_product);
      if (!goes_on()) break;

      const R alpha = factors[state::alpha];
      own.each([&](int k, int c, const context&) {
        const R of_Ap = own_Ap[c];
        own_r[k] = rounded::fused_multiply_add(-alpha, of_Ap, own_r[k]);
        own_Ap[c] = own_r[k];
      });
      blk.sync();
      total = sum_of_chunk(blk, own, totals, [&](int c) {
        const R of_r = own_Ap[c];
        return square_of_first{}(of_r, of_r);
      });
      tell(blk, messages.rr, iteration, total);
      own.each([&](int k, int c, const context&) {  // while messages are on their way
        const R of_p = own_p[c];
        own_x[k] = rounded::fused_multiply_add(alpha, of_p, own_x[k]);
      });
      add_told(blk, totals, messages.rr, iteration, total, once_residual);
    }

    own.each([&](int k, int, const context& at) {
      *cell(r, at) = own_r[k];
      *cell(x, at) = own_x[k];
    });
    if (blk.index() == 0 && blk.thread() == 0) copy_state(once_product, after);
  }

 private:
  /// The chunk of a block, and where a thread's cells are, `threads` cells from one to the next.
  struct chunk_cells {
    int thread, count;
    cell_walk<Index> first;

    TEFF_INLINE chunk_cells(const resident_gradients& of, const block& blk)
        : thread(blk.thread()),
          count(static_cast<int>(lesser_of(chunk, of.cells - blk.index() * chunk))),
          first(of.n, blk.index() * chunk + thread, threads) {}

    /// f(k, c, at) for the thread's k-th cell, which is cell c of the chunk.
    template <class F>
    TEFF_INLINE void each(const F& f) const {
      auto walk = first;
      TEFF_UNROLL
      for (int k = 0; k < cells_of_thread; ++k) {
        const int c = thread + k * threads;
        const context at = walk.template next<context>();
        if (c < count) f(k, c, at);
      }
    }
  };

  static TEFF_INLINE R* cell(const device_target<R>& a, const context& at) {
    return a.template at<true, Index>(at.i, at.j, at.k);
  }

  /// (Beyond the last cell it is that of the first one, so that loads of several cells are on their
  /// way together everywhere.)
  TEFF_INLINE void multiply(const Product& A, const chunk_cells& own,
                            const shared_array<R>& own_Ap) const {
    auto walk = own.first;
    for (int k = 0; k < cells_of_thread; k += at_once) {
      R values[at_once];
      TEFF_UNROLL
      for (int v = 0; v < at_once; ++v) {
        const context at = walk.template next<context>();
        const bool is_own = own.thread + (k + v) * threads < own.count;
        values[v] = A.template eval<0, 0, 0>(is_own ? at : context{0, 0, 0});
      }
      TEFF_UNROLL
      for (int v = 0; v < at_once; ++v) own_Ap[own.thread + (k + v) * threads] = values[v];
    }
  }

  /// Waits until all blocks have stored their part of p.
  TEFF_INLINE void wait_for_stores(const block& blk, std::uint64_t iteration) const {
    blk.sync();
    if (blk.thread() == 0) blk.publish(messages.stored[blk.index()], iteration);
    for (index_t b = blk.thread(); b < blk.blocks(); b += threads)
      blk.wait_until(messages.stored[b], [&](std::uint64_t stored) { return stored == iteration; });
    blk.sync();
  }

  /// Thread 0 has the total.
  template <class Term>
  TEFF_INLINE f64 sum_of_chunk(const block& blk, const chunk_cells& own,
                               const shared_array<f64>& totals, const Term& term) const {
    f64 mine = 0;
    if (own.thread < lanes) {
      TEFF_UNROLL
      for (int c = 0; c < chunk; c += lanes)
        if (own.thread + c < own.count) mine = ops::sum{}(mine, term(own.thread + c));
    }
    return combined_lanes<ops::sum, threads_a_lane>(blk, totals, mine);
  }
  /// What thread 0 has.
  TEFF_INLINE void tell(const block& blk, message<f64>* told, std::uint64_t iteration,
                        f64 total) const {
    if (blk.thread() == 0 && blk.blocks() > 1)
      blk.publish_relaxed(told[blk.index()], message<f64>{total, iteration});
  }
  /// The total of what all blocks tell goes to `then`. @param own of thread 0, where there is one
  /// block
  template <class Then>
  TEFF_INLINE void add_told(const block& blk, const shared_array<f64>& totals,
                            const message<f64>* told, std::uint64_t iteration, f64 own,
                            const Then& then) const {
    if (blk.blocks() > 1) {
      f64 mine = 0;
      if (blk.thread() < lanes)
        for (index_t b = blk.thread(); b < blk.blocks(); b += lanes) {
          const message<f64> seen = blk.wait_until_relaxed(
              told[b], [&](const message<f64>& m) { return m.round == iteration; });
          mine = ops::sum{}(mine, seen.value);
        }
      own = combined_lanes<ops::sum, threads_a_lane>(blk, totals, mine);
    }
    if (blk.thread() == 0) then.store(0, own);
    blk.sync();
  }
  template <class From, class To>
  static TEFF_INLINE void copy_state(const From& from, const To& to) {
    for (int f = 0; f < numbers_of::count; ++f) {
      const double number = from.numbers[f];
      to.numbers[f] = number;
    }
    for (int f = 0; f < state::count; ++f) {
      const R factor = from.factors[f];
      to.factors[f] = factor;
    }
  }
};

/// How iterations are made on a GPU.
struct gradients_on_device : storing_on_device {
  static constexpr bool can_stay = is_cuda_unit;  ///< else it need not be compiled
  static constexpr bool can_march = is_cuda_unit;

  /// Blocks that the device holds at a time.
  template <class Kernel>
  static index_t most_resident([[maybe_unused]] device dev) {
#ifdef __CUDACC__
    const kernel_facts facts =
        facts_of_block_kernel<Kernel>(dev, Kernel::threads, static_cast<int>(Kernel::shared_bytes));
    return index_t{facts.blocks_per_processor} * known_device(dev).processors;
#else
    return 0;
#endif
  }
  /// (196 KB of shared memory leave 60 KB for what is on its way: less is slower.)
  static march_limits march_limits_of(device dev) {
    const device_info& known = known_device(dev);
    return {.processors = known.processors,
            .shared_bytes = static_cast<index_t>(known.shared_bytes_per_block),
            .shared_bytes_of_two = index_t{97} * 1024,
            .chunks_a_block = 2};
  }
};

/// The launches of one solver.
template <class R, class Backend>
class resident_iterations {
 public:
  /// @param solution what an iteration reads and writes @param Ap of p, as an expression
  /// @param one () -> traffic of an iteration, for the profile
  /// @returns false, and makes none, where their chunks are more than the blocks that can stay
  template <class Solution, class Product, int N, class One>
  bool iterate(index_t count, const Solution& solution, const Product& Ap, const array_ref<R, N>& p,
               const array_ref<R, N>& r, const array_ref<R, N>& x, const after_residual<R>& then,
               const One& one) {
    const auto lowered = Ap.lower(lowering{});
    using product_type = std::remove_const_t<decltype(lowered)>;
    if constexpr (std::is_same_v<typename product_type::value_type, R>) {
      using kernel_type =
          resident_gradients<R, product_type, std::conditional_t<N == 1, index_t, int>>;
      reduction_source<Solution> source(solution);
      const statement_shape where = source.where();
      const stream& on = source.on();
      if (!where.has_unit_stride || !solution.has_unit_stride()) return false;
      if (N > 1 && !where.has_short_offsets) return false;
      if (most_blocks_ < 0) most_blocks_ = Backend::template most_resident<kernel_type>(on.dev());
      const index_t blocks = ceil_div(r.size(), reduce_tree::chunk);
      if (blocks > most_blocks_) return false;
      if (!messages_) {
        const auto bytes =
            static_cast<std::size_t>(blocks) * (2 * sizeof(message<f64>) + sizeof(std::uint64_t));
        messages_ = std::make_unique<memory_block>(on, on.dev(), bytes, "messages of iterations");
        zero_bytes(on, messages_->data(), bytes);
      }
      auto* const told = static_cast<message<f64>*>(messages_->data());
      kernel_type kernel{
          .product = lowered,
          .p = stored_cells(p),
          .r = stored_cells(r),
          .x = stored_cells(x),
          .n = {where.n[0], where.n[1], where.n[2]},
          .cells = r.size(),
          .after = then,
          .messages = {told, told + blocks, reinterpret_cast<std::uint64_t*>(told + 2 * blocks)},
          .made_before = made_,
          .count = 0};
      while (count > 0) {
        kernel.count = lesser_of(count, most_of_launch);
        source.run_moving(
            "iterations", [&] { return times(kernel.count, one()); }, [] { return std::string(); },
            [&] {
              launch_blocks(on,
                            {.blocks = {blocks},
                             .threads = {kernel.threads},
                             .shared_bytes = kernel.shared_bytes,
                             .all_resident = true},
                            kernel);
            });
        kernel.made_before = made_ += static_cast<std::uint64_t>(kernel.count);
        count -= kernel.count;
      }
      return true;
    }
    return false;
  }

 private:
  /// Others get a turn.
  static constexpr index_t most_of_launch = 4096;

  static traffic times(index_t count, traffic one) {
    const auto n = static_cast<double>(count);
    return {n * one.read_bytes, n * one.write_bytes, n * one.flop, n * one.cells};
  }

  index_t most_blocks_ = -1;  ///< not known yet
  std::uint64_t made_ = 0;
  std::unique_ptr<memory_block> messages_;
};

}  // namespace teff::inline TEFF_MODE::detail

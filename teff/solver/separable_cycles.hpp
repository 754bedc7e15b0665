// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <optional>
#include <type_traits>
#include <vector>

#include <teff/kernel/launch.hpp>
#include <teff/solver/separable_boxes.hpp>
#include <teff/solver/separable_levels.hpp>
#include <teff/solver/separable_tiles.hpp>
#include <teff/solver/smoothing.hpp>

/// Multigrid on a GPU where conductances are products of a number of each dim: no kernel reads
/// arrays of them.
namespace teff::inline TEFF_MODE::detail {

/// Cells of a block's tile, and its threads: it reads 1.3 times what it writes. On an H100, f64 (ms
/// a solution of 1023x1023 and 8191x8191 points): 64x32 by 512 threads 2.0 and 38, by 384 2.3 and
/// 43, 32x16 by 128 2.3 and 46, 32x32 by 512 2.0 and 52 (results/h100/rows/poisson_tiles.json).
struct tile_tuning {
  static constexpr int x = 64, y = 32, z = 1, threads = 512;
};

/// @tparam Way as of multigrid
template <rounded::real R, int N, class Way>
class separable_cycles : separable_levels<R, N, Way> {
  using made_of = separable_levels<R, N, Way>;
  using made_of::bytes_of, made_of::smooths_by_time_steps, made_of::on_, made_of::even_,
      made_of::is_even_, made_of::is_singular_, made_of::is_periodic_, made_of::levels_,
      made_of::u_, made_of::f_, made_of::first_coarse_, made_of::coarse_, made_of::coarse_values_;
  using typename made_of::level;

 public:
  /// @param even what all conductances of a dim are, or 0: formulas read factors
  separable_cycles(const stream& on, const runtime::conductance_factors& factors,
                   const R (&even)[N], bool is_singular)
      : separable_levels<R, N, Way>(on, factors, even, is_singular) {}
  separable_cycles(separable_cycles&&) = delete;
  separable_cycles& operator=(separable_cycles&&) = delete;

  /// With a cell beyond each side.
  const array_ref<R, N>& u() const { return *u_; }
  const array_ref<R, N>& f() const { return *f_; }
  index_t levels() const { return static_cast<index_t>(levels_.size()); }

  void cycle() { cycle(0); }

  /// The cycles from here on end by the rule, until end(): kernels look whether there is something
  /// left to do. (Those of boxes do not.)
  void begin(const runtime::cycle_rule& rule) {
    if (!made_) made_.emplace(on_, on_.dev(), sizeof(cycles_made), "cycles that were made");
    rule_ = rule;
    first_made_ = {1, 0, {}};
    copy_bytes(on_, made_->data(), &first_made_, sizeof first_made_);
    goes_on_ = &static_cast<const cycles_made*>(made_->data())->goes_on;
  }
  /// After a cycle. @param norm of its residual
  void look_at(const scalar<R>& norm) {
    launch(on_, extents<1>(1),
           note_cycle<R>{static_cast<cycles_made*>(made_->data()), norm.cell().data(), rule_});
  }
  /// @returns norms of residuals, one for each cycle that was made @sync waits
  std::vector<double> end() {
    cycles_made made;
    copy_bytes(on_, &made, made_->data(), sizeof made);
    on_.synchronize();
    goes_on_ = nullptr;
    return {made.residual, made.residual + made.count};
  }

  /// Down a level reads u (but the first one's is 0 beyond the first), f; writes u and the next f.
  /// Up it reads u, f and the next u, and writes u.
  traffic per_cycle() const {
    traffic all;
    const std::size_t last = first_coarse_;
    for (std::size_t l = 0; l <= last; ++l) {
      const double own = bytes_of(l);
      if (l == last) {
        all.read_bytes += own, all.write_bytes += own;
        break;
      }
      const double next = bytes_of(l + 1);
      const bool by_steps = smooths_by_time_steps(l);
      const double first = l == 0 ? 0 : 1;  // whose u is 0
      all.read_bytes += (by_steps ? 7 : N == 3 ? 11 - first : 4 - first) * own + next;
      all.write_bytes += (by_steps ? 3 : N == 3 ? 5 : 2) * own + next;
    }
    all.cells = bytes_of(0) / sizeof(R);
    return all;
  }

 private:
  using tuning = tile_tuning;
  using formulas = separable_formulas<R, N>;

  void cycle(std::size_t number) {
    if (number == first_coarse_) return cycle_in_one_block();
    const bool is_even = number == 0 && is_even_;
    if (smooths_by_time_steps(number)) {
      smooth_evenly(0);
      sum_up(number, formulas::even_residual(even_));
      cycle(number + 1);
      add(number);
      smooth_evenly(1);
    } else if constexpr (N == 3) {
      cycle_by_cells(number);
    } else if (is_even) {
      down(number, formulas::even_smoothing(even_), formulas::even_residual(even_));
      cycle(number + 1);
      up(number, formulas::even_smoothing(even_));
    } else {
      down(number, formulas::smoothing(), formulas::residual());
      cycle(number + 1);
      up(number, formulas::smoothing());
    }
  }
  /// @param reads, writes bytes
  template <class Kernel>
  void launch_tiles(const level& l, index_t reads, index_t writes, Kernel k) {
    const index_t rows = ceil_div(l.cells[1], index_t{tuning::y}),
                  along_y = std::min(rows, Way::most_blocks_along_y);
    launch_blocks(
        on_,
        {.blocks = {ceil_div(l.cells[0], index_t{tuning::x}), along_y, ceil_div(rows, along_y)},
         .threads = {tuning::threads},
         .shared_bytes = Kernel::shared_bytes,
         .reads = reads,
         .writes = writes},
        k);
  }
  template <class Smoothing, class Residual>
  void down(std::size_t number, const Smoothing& smoothing, const Residual& residual) {
    const level &l = levels_[number], &next = levels_[number + 1];
    using kernel = go_down_by_tiles<R, N, tuning::x, tuning::y, tuning::z, tuning::threads,
                                    Smoothing, Residual>;
    const R* const u = number == 0 ? l.u : nullptr;
    const auto own = static_cast<index_t>(bytes_of(number)),
               below = static_cast<index_t>(bytes_of(number + 1));
    launch_tiles(l, (u != nullptr ? 2 : 1) * own, own + below,
                 kernel{{l.numbers, goes_on_}, u, l.f, l.other, next.f, smoothing, residual});
  }
  template <class Smoothing>
  void up(std::size_t number, const Smoothing& smoothing) {
    const level &l = levels_[number], &next = levels_[number + 1];
    using kernel =
        go_up_by_tiles<R, N, tuning::x, tuning::y, tuning::z, tuning::threads, Smoothing>;
    const auto own = static_cast<index_t>(bytes_of(number)),
               below = static_cast<index_t>(bytes_of(number + 1));
    launch_tiles(l, 2 * own + below, own,
                 kernel{{l.numbers, goes_on_}, l.other, l.f, next.u, l.u, next.numbers, smoothing});
  }

  void cycle_by_cells(std::size_t number) {
    const bool is_even = number == 0 && is_even_;
    if (number == 0) repeat(*u_, is_periodic_);
    const auto smooth = [&](int step) {
      if (is_even)
        smooth_by_cells(number, step, formulas::even_smoothing(even_));
      else
        smooth_by_cells(number, step, formulas::smoothing());
    };
    smooth(0);
    smooth(1);
    if (is_even)
      sum_up(number, formulas::even_residual(even_));
    else
      sum_up(number, formulas::residual());
    cycle(number + 1);
    add(number);
    smooth(2);
    smooth(3);
  }
  template <class Smoothing>
  void smooth_by_cells(std::size_t number, int step, const Smoothing& formula) {
    const level& l = levels_[number];
    const bool is_zero = step == 0 && number > 0, is_back = step % 2 == 1;
    if constexpr (N == 3)
      launch(on_, l.cells,
             {.reads = static_cast<index_t>((is_zero ? 1 : 2) * bytes_of(number)),
              .writes = static_cast<index_t>(bytes_of(number))},
             smooth_cells<R, N, Smoothing>{l.numbers,
                                           is_zero   ? nullptr
                                           : is_back ? l.other
                                                     : l.u,
                                           l.f, is_back ? l.u : l.other, step, formula});
  }

  /// Of the first level. @param way 0: down, 1: up
  void smooth_evenly([[maybe_unused]] int way) {
    if constexpr (N == 3) {
      boundary sides;
      sides.x = is_periodic_[0] ? periodic : side{};
      sides.y = is_periodic_[1] ? periodic : side{};
      sides.z = is_periodic_[2] ? periodic : side{};
      repeat(*u_, is_periodic_);
      const double(&w)[4] = levels_[0].plan.weights.of;
      iterate(conduction::in3d::even_smoothing(static_cast<R>(w[way]), static_cast<R>(w[way + 2]),
                                               sides, even_[0], even_[1], even_[2]),
              2, *u_, *f_);
    }
  }
  template <class Residual>
  void sum_up(std::size_t number, const Residual& formula) {
    const level &l = levels_[number], &next = levels_[number + 1];
    if constexpr (N == 3) {
      if (smooths_by_time_steps(number)) repeat(*u_, is_periodic_);
      launch(on_, next.cells,
             {.reads = static_cast<index_t>(2 * bytes_of(number)),
              .writes = static_cast<index_t>(bytes_of(number + 1))},
             sum_up_residuals<R, N, Residual>{l.numbers, l.u, l.f, next.f, formula});
    }
  }
  void add(std::size_t number) {
    const level &l = levels_[number], &next = levels_[number + 1];
    if constexpr (N == 3)
      launch(on_, extents<3>(l.cells[0], next.cells[1], next.cells[2]),
             {.reads = static_cast<index_t>(bytes_of(number) + bytes_of(number + 1)),
              .writes = static_cast<index_t>(bytes_of(number))},
             add_interpolated<R>{l.numbers, next.numbers, next.u, l.u});
  }

  void cycle_in_one_block() {
    const auto s = formulas::smoothing();
    const auto r = formulas::residual();
    const auto exact = formulas::solution();
    const level& l = levels_[first_coarse_];
    launch_blocks(on_,
                  {.blocks = {1},
                   .threads = {512},
                   .shared_bytes = coarse_values_ * static_cast<index_t>(sizeof(R)),
                   .reads = static_cast<index_t>(bytes_of(first_coarse_)),
                   .writes = static_cast<index_t>(bytes_of(first_coarse_))},
                  coarse_separable_cycle<R, N, std::remove_const_t<decltype(s)>,
                                         std::remove_const_t<decltype(r)>,
                                         std::remove_const_t<decltype(exact)>>{
                      coarse_, coarse_values_, is_singular_, goes_on_, l.f, l.u, s, r, exact});
  }

  std::optional<memory_block> made_;
  runtime::cycle_rule rule_{};
  cycles_made first_made_{};
  const unsigned* goes_on_ = nullptr;
};

}  // namespace teff::inline TEFF_MODE::detail

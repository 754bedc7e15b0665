// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include <teff/kernel/launch.hpp>
#include <teff/solver/conductance_factors.hpp>
#include <teff/solver/multigrid_plan.hpp>
#include <teff/solver/separable_boxes.hpp>
#include <teff/solver/separable_coarse.hpp>
#include <teff/solver/separable_tiles.hpp>
#include <teff/solver/smoothing.hpp>

/// Multigrid on a GPU where conductances are products of a number of each dim: a host makes all
/// levels by vectors alone, in one allocation, and no kernel reads arrays of conductances.
namespace teff::inline TEFF_MODE::detail {

/// Cells of a block's tile, and its threads: it reads 1.3 times what it writes. On an H100, f64 (ms
/// a solution of 1023x1023 and 8191x8191 points): 64x32 by 512 threads 2.0 and 38, by 384 2.3 and
/// 43, 32x16 by 128 2.3 and 46, 32x32 by 512 2.0 and 52 (results/h100/rows/poisson_tiles.json).
struct tile_tuning {
  static constexpr int x = 64, y = 32, z = 1, threads = 512;
};

/// @tparam Way as of multigrid
template <rounded::real R, int N, class Way>
class separable_cycles {
 public:
  /// @param even what all conductances of a dim are, or 0: formulas read factors
  separable_cycles(const stream& on, const runtime::conductance_factors& factors,
                   const R (&even)[N], bool is_singular)
      : on_(on), is_even_(even[0] > 0), is_singular_(is_singular) {
    for (int d = 0; d < N; ++d) {
      even_[d] = even[d];
      is_periodic_[d] = factors.is_periodic[d];
    }
    plan(factors);
    place_numbers();
    place_cells();
    gather_coarse_levels();
  }
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
  struct level {
    extents<N> cells;
    runtime::pairing_plan plan;
    std::size_t factor[N][N], to_low[N], to_high[N];  ///< where they begin in numbers_
    separable_level<R, N> numbers;
    R *u = nullptr, *other = nullptr, *f = nullptr;
  };
  using tuning = tile_tuning;
  using formulas = separable_formulas<R, N>;

  // ---- levels

  void plan(runtime::conductance_factors factors) {
    std::vector<R>& all = host_numbers_;
    const auto placed = [&](const std::vector<double>& values) {
      const std::size_t at = all.size();
      for (const double v : values) all.push_back(static_cast<R>(v));
      return at;
    };
    for (bool has_next = true; has_next;) {
      level l;
      double strength[3] = {};
      for (int d = 0; d < N; ++d) {
        l.cells[d] = factors.cells(d);
        strength[d] = factors.mean(d);
        for (int e = 0; e < N; ++e) l.factor[d][e] = placed(factors.of[d][e]);
      }
      l.plan = runtime::planned_pairing(l.cells.n, strength, N);
      has_next = false;
      for (int d = N - 1; d >= 0; --d) {
        l.to_low[d] = l.to_high[d] = 0;
        if (!l.plan.pairs_up[d]) continue;
        const runtime::pair_weights w = runtime::pair_up(factors, d);
        l.to_low[d] = placed(w.to_low);
        l.to_high[d] = placed(w.to_high);
        has_next = true;
      }
      levels_.push_back(l);
    }
  }

  void place_numbers() {
    numbers_.emplace(on_, extents<1>(static_cast<index_t>(host_numbers_.size())),
                     "factors of conductances");
    copy_bytes(on_, numbers_->data(), host_numbers_.data(), host_numbers_.size() * sizeof(R));
    for (level& l : levels_) {
      separable_level<R, N>& k = l.numbers;
      for (int d = 0; d < N; ++d) {
        k.n[d] = static_cast<int>(l.cells[d]);
        k.is_periodic[d] = is_periodic_[d];
        k.is_paired[d] = l.plan.pairs_up[d];
        for (int e = 0; e < N; ++e) k.factor[d][e] = numbers_->data() + l.factor[d][e];
        k.to_low[d] = numbers_->data() + l.to_low[d];
        k.to_high[d] = numbers_->data() + l.to_high[d];
      }
      set_weights(l, &l == &levels_.front() && is_even_);
    }
  }
  /// As statements have them: where conductances are even, the diagonal is in them.
  void set_weights(level& l, bool is_even) {
    const double(&w)[4] = l.plan.weights.of;
    R sum = 0;
    for (const R c : even_) sum += c;
    for (const int way : {0, 1}) {
      const R a = static_cast<R>(w[way]), b = static_cast<R>(w[way + 2]);
      const R _diagonal = is_even ? 1 / (2 * sum) : R(1);
      const R start = is_even ? a * _diagonal : a, more = is_even ? (b - a) * _diagonal : b - a;
      l.numbers.weight[2 * way] = start;
      l.numbers.weight[2 * way + 1] = start + more;
    }
  }

  static index_t padded_size(const extents<N>& cells) {
    index_t all = 1;
    for (int d = 0; d < N; ++d) all *= cells[d] + 2;
    return all;
  }
  double bytes_of(std::size_t l) const {
    return static_cast<double>(levels_[l].cells.size()) * sizeof(R);
  }
  /// Large boxes, whose tiles would read more than twice what they write.
  bool smooths_by_time_steps(std::size_t l) const {
    return N == 3 && l == 0 && is_even_ && levels_.size() > 1 &&
           levels_[l].cells.size() >= Way::cells_of_time_steps;
  }

  /// All arrays in one piece. Only the first u has cells beyond its sides that are read.
  void place_cells() {
    find_coarse_levels();
    index_t all = 0;
    const auto place = [&](index_t count) {
      const index_t at = all;
      all += ceil_div(count, index_t{32}) * 32;
      return at;
    };
    std::vector<index_t> u, other, f;
    for (std::size_t l = 0; l <= first_coarse_; ++l) {
      const index_t padded = padded_size(levels_[l].cells);
      u.push_back(place(padded));
      other.push_back(l == first_coarse_ || smooths_by_time_steps(l) ? 0 : place(padded));
      f.push_back(place(levels_[l].cells.size()));
    }
    cells_.emplace(on_, extents<1>(all), "u and f of all levels");
    for (std::size_t l = 0; l <= first_coarse_; ++l) {
      levels_[l].u = cells_->data() + u[l];
      levels_[l].other = cells_->data() + other[l];
      levels_[l].f = cells_->data() + f[l];
    }
    extents<N> padded = levels_[0].cells;
    for (int d = 0; d < N; ++d) padded[d] += 2;
    u_.emplace(part_of_cells(levels_[0].u, padded));
    f_.emplace(part_of_cells(levels_[0].f, levels_[0].cells));
    // Cells beyond sides stay 0. (Tiles read those of the first u only.)
    if constexpr (N == 2)
      fill(*u_, 0);
    else
      fill(*cells_, 0);
  }
  array_ref<R, N> part_of_cells(R* data, const extents<N>& shape) const {
    view<R, N> cells{data, shape, {}};
    set_contiguous_strides(shape, cells.strides);
    return {cells_->handle(), cells};
  }

  /// (The first level may be even, which has other formulas.)
  void find_coarse_levels() {
    const std::size_t count = levels_.size();
    index_t values = 0;
    first_coarse_ = count;
    while (first_coarse_ > std::min<std::size_t>(1, count - 1)) {
      const extents<N>& cells = levels_[first_coarse_ - 1].cells;
      const index_t more = 2 * padded_size(cells) + cells.size();
      if (first_coarse_ < count &&
          (count - first_coarse_ == coarse_levels::most || cells.size() > Way::cells_of_one_block ||
           (values + more) * static_cast<index_t>(sizeof(R)) > most_shared_bytes()))
        break;
      values += more;
      --first_coarse_;
    }
  }
  void gather_coarse_levels() {
    int at = 0;
    for (std::size_t l = first_coarse_; l < levels_.size(); ++l) {
      const int padded = static_cast<int>(padded_size(levels_[l].cells)),
                own = static_cast<int>(levels_[l].cells.size());
      coarse_.of[coarse_.count++] = {levels_[l].numbers, at, at + padded, at + 2 * padded};
      at += 2 * padded + own;
    }
    coarse_values_ = at;
  }

  // ---- a cycle

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
  launch_shape tiles(const level& l) const {
    const index_t cells[3] = {l.cells[0], l.cells[1], N > 2 ? l.cells[N - 1] : 1};
    return {ceil_div(cells[0], index_t{tuning::x}), ceil_div(cells[1], index_t{tuning::y}),
            ceil_div(cells[2], index_t{tuning::z})};
  }
  template <class Smoothing, class Residual>
  void down(std::size_t number, const Smoothing& smoothing, const Residual& residual) {
    const level &l = levels_[number], &next = levels_[number + 1];
    using kernel = go_down_by_tiles<R, N, tuning::x, tuning::y, tuning::z, tuning::threads,
                                    Smoothing, Residual>;
    kernel k{{l.numbers, goes_on_},
             number == 0 ? l.u : nullptr,
             l.f,
             l.other,
             next.f,
             smoothing,
             residual};
    const index_t own = static_cast<index_t>(bytes_of(number)),
                  below = static_cast<index_t>(bytes_of(number + 1));
    launch_blocks(on_,
                  {.blocks = tiles(l),
                   .threads = {tuning::threads},
                   .shared_bytes = kernel::shared_bytes,
                   .reads = (number == 0 ? 2 : 1) * own,
                   .writes = own + below},
                  k);
  }
  template <class Smoothing>
  void up(std::size_t number, const Smoothing& smoothing) {
    const level &l = levels_[number], &next = levels_[number + 1];
    using kernel =
        go_up_by_tiles<R, N, tuning::x, tuning::y, tuning::z, tuning::threads, Smoothing>;
    kernel k{{l.numbers, goes_on_}, l.other, l.f, next.u, l.u, next.numbers, smoothing};
    const index_t own = static_cast<index_t>(bytes_of(number)),
                  below = static_cast<index_t>(bytes_of(number + 1));
    launch_blocks(on_,
                  {.blocks = tiles(l),
                   .threads = {tuning::threads},
                   .shared_bytes = kernel::shared_bytes,
                   .reads = 2 * own + below,
                   .writes = own},
                  k);
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

  using coarse_levels = coarse_separable_levels<R, N>;
  /// What a block may hold in shared memory: 220 KB, or what the device has.
  index_t most_shared_bytes() const {
    constexpr index_t most = 220 * 1024;
    if (on_.dev().is_cpu()) return most;  // the emulator's
    return std::min(most, static_cast<index_t>(known_device(on_.dev()).shared_bytes_per_block));
  }

  stream on_;
  R even_[N];
  bool is_even_, is_singular_;
  bool is_periodic_[N] = {};
  std::vector<level> levels_;
  std::vector<R> host_numbers_;
  std::optional<array<R, 1>> numbers_, cells_;
  std::optional<array_ref<R, N>> u_, f_;
  std::size_t first_coarse_ = 0;  ///< it, and those below it, are one launch
  int coarse_values_ = 0;
  coarse_levels coarse_{};
  std::optional<memory_block> made_;
  runtime::cycle_rule rule_{};
  cycles_made first_made_{};
  const unsigned* goes_on_ = nullptr;
};

}  // namespace teff::inline TEFF_MODE::detail

// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include <teff/algo/fill.hpp>
#include <teff/array/array.hpp>
#include <teff/base/device.hpp>
#include <teff/solver/conductance_factors.hpp>
#include <teff/solver/multigrid_plan.hpp>
#include <teff/solver/separable_coarse.hpp>

/// Levels of multigrid where conductances are products of a number of each dim: a host makes all of
/// them by vectors alone, in one allocation.
namespace teff::inline TEFF_MODE::detail {

/// @tparam Way as of multigrid
template <rounded::real R, int N, class Way>
class separable_levels {
 protected:
  /// @param even what all conductances of a dim are, or 0: formulas read factors
  separable_levels(const stream& on, const runtime::conductance_factors& factors,
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
  ~separable_levels() = default;

  struct level {
    extents<N> cells;
    runtime::pairing_plan plan;
    std::size_t factor[N][N], to_low[N], to_high[N];  ///< where they begin in numbers_
    separable_level<R, N> numbers;
    R *u = nullptr, *other = nullptr, *f = nullptr;
  };
  using coarse_levels = coarse_separable_levels<R, N>;

  double bytes_of(std::size_t l) const {
    return static_cast<double>(levels_[l].cells.size()) * sizeof(R);
  }
  /// Large boxes, whose tiles would read more than twice what they write.
  bool smooths_by_time_steps(std::size_t l) const {
    return N == 3 && l == 0 && is_even_ && levels_.size() > 1 &&
           levels_[l].cells.size() >= Way::cells_of_time_steps;
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

 private:
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

  /// What a block may hold in shared memory: 220 KB, or what the device has.
  index_t most_shared_bytes() const {
    constexpr index_t most = 220 * 1024;
    if (on_.dev().is_cpu()) return most;  // the emulator's
    return std::min(most, static_cast<index_t>(known_device(on_.dev()).shared_bytes_per_block));
  }
};

}  // namespace teff::inline TEFF_MODE::detail

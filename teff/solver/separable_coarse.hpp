// SPDX-License-Identifier: MIT
#pragma once

#include <teff/kernel/block.hpp>
#include <teff/solver/separable_level.hpp>

/// The coarse levels of a V-cycle: one launch together, by one block, in shared memory.
namespace teff::inline TEFF_MODE::detail {

/// One of them: its numbers, and where its arrays are in shared memory.
template <class R, int N>
struct coarse_separable_level {
  separable_level<R, N> level;
  int u, other, f;
};

/// All of them, as a part of the kernel's arguments: its threads read the same numbers.
template <class R, int N>
struct coarse_separable_levels {
  static constexpr int most = 16;
  coarse_separable_level<R, N> of[most];
  int count;
};

/// Levels from a coarse one down, and up again, by one block.
template <class R, int N, class Smoothing, class Residual, class Solution>
struct coarse_separable_cycle {
  static constexpr int threads = 512;
  static constexpr bool has_cpu_twin = true;  // statements
  using level_type = coarse_separable_level<R, N>;

  coarse_separable_levels<R, N> levels;
  int values;  ///< of all arrays together
  bool is_singular;
  const unsigned* goes_on;
  const R* f;  ///< of the first one
  R* u;
  Smoothing smoothing;
  Residual residual;
  Solution solution;

  TEFF_INLINE void operator()(block& blk) const {
    if (goes_on != nullptr && *goes_on == 0) return;
    const int count = levels.count;
    const shared_array<R> all = blk.template shared<R>(values);
    for (int c = blk.thread(); c < values; c += threads) all[c] = R(0);
    blk.sync();
    {
      const level_type& here = levels.of[0];
      each_cell(blk, here.level, [&](int i, int j, int k) {
        all[here.f + static_cast<int>(here.level.at_f(i, j, k))] = f[here.level.at_f(i, j, k)];
      });
    }
    for (int l = 0; l + 1 < count; ++l) {
      const level_type& here = levels.of[l];
      const int next_f = levels.of[l + 1].f;
      smooth(blk, all, here, here.u, here.other, 0);
      smooth(blk, all, here, here.other, here.u, 1);
      const int nx = here.level.next(0), ny = here.level.next(1),
                nz = N > 2 ? here.level.next(N - 1) : 1;
      each_of(blk, nx, ny, nz, [&](int i, int j, int k) {
        const auto value = [&](int a, int b, int c) {
          return convert<R>(residual.template eval<0, 0, 0>(cell(all, here, here.u, 0, a, b, c)));
        };
        all[next_f + i + nx * (j + ny * k)] =
            here.level.template sum_of_pair<N - 1>(value, i, j, k);
      });
    }
    {
      const level_type& last = levels.of[count - 1];
      each_cell(blk, last.level, [&](int i, int j, int k) {
        const R value =
            is_singular
                ? R(0)
                : convert<R>(solution.template eval<0, 0, 0>(cell(all, last, last.u, 0, i, j, k)));
        store(all, last, last.u, i, j, k, value);
      });
    }
    for (int l = count - 2; l >= 0; --l) {
      const level_type& here = levels.of[l];
      const level_type& next = levels.of[l + 1];
      each_cell(blk, here.level, [&](int i, int j, int k) {
        const auto coarse = [&](int a, int b, int c) {
          const R value = all[next.u + static_cast<int>(next.level.at_u(a, b, c))];
          return value;
        };
        const R before = all[here.u + static_cast<int>(here.level.at_u(i, j, k))];
        store(all, here, here.u, i, j, k,
              rounded::add(before, here.level.template interpolated<N - 1>(coarse, i, j, k)));
      });
      smooth(blk, all, here, here.u, here.other, 2);
      smooth(blk, all, here, here.other, here.u, 3);
    }
    const level_type& here = levels.of[0];
    each_cell(blk, here.level, [&](int i, int j, int k) {
      u[here.level.at_u(i, j, k)] = all[here.u + static_cast<int>(here.level.at_u(i, j, k))];
    });
  }

 private:
  TEFF_INLINE static separable_cell<R, N> cell(const shared_array<R>& all, const level_type& l,
                                               int from, int step, int i, int j, int k) {
    const R f = all[l.f + static_cast<int>(l.level.at_f(i, j, k))];
    return {l.level,
            all,
            from + static_cast<int>(l.level.at_u(i, j, k)),
            l.level.row_of_u(),
            l.level.plane_of_u(),
            f,
            l.level.weight[step],
            {i, j, k}};
  }
  /// Where a level's u begins.
  struct part_of_all {
    const shared_array<R>& all;
    int begin;
    TEFF_INLINE shared_element<R> operator[](index_t i) const {
      return all[begin + static_cast<int>(i)];
    }
  };
  TEFF_INLINE static void store(const shared_array<R>& all, const level_type& l, int to, int i,
                                int j, int k, R value) {
    l.level.store(part_of_all{all, to}, i, j, k, value);
  }
  TEFF_INLINE void smooth(const block& blk, const shared_array<R>& all, const level_type& l,
                          int from, int to, int step) const {
    each_cell(blk, l.level, [&](int i, int j, int k) {
      store(all, l, to, i, j, k,
            convert<R>(smoothing.template eval<0, 0, 0>(cell(all, l, from, step, i, j, k))));
    });
  }
  template <class F>
  TEFF_INLINE static void each_cell(const block& blk, const separable_level<R, N>& l, const F& f) {
    each_of(blk, l.n[0], l.n[1], l.n[2], f);
  }
  template <class F>
  TEFF_INLINE static void each_of(const block& blk, int nx, int ny, int nz, const F& f) {
    for (int c = blk.thread(); c < nx * ny * nz; c += threads) {
      const int row = c / nx, plane = row / ny;
      f(c - row * nx, row - plane * ny, plane);
    }
    blk.sync();
  }
};

}  // namespace teff::inline TEFF_MODE::detail

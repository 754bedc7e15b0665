// SPDX-License-Identifier: MIT
#pragma once

#include <teff/kernel/launch.hpp>
#include <teff/solver/multigrid_plan.hpp>
#include <teff/solver/separable_level.hpp>

/// A V-cycle by a thread a cell, where tiles would read several times what they write; and what
/// tells a GPU that cycles go on.
namespace teff::inline TEFF_MODE::detail {

/// An array of u from a cell on, or 0 everywhere.
template <class R>
struct cells_or_zero {
  const R* data;  ///< null: 0
  TEFF_INLINE R operator[](int i) const { return data == nullptr ? R(0) : data[i]; }
};

/// to = a step of smoothing of u, also beyond periodic sides.
template <class R, int N, class Smoothing>
struct smooth_cells {
  separable_level<R, N> level;
  const R* u;  ///< null: it is 0
  const R* f;
  R* to;
  int step;
  Smoothing smoothing;

  TEFF_FN void operator()(index_t x, index_t y, index_t z = 0) const {
    const int c[3] = {static_cast<int>(x), static_cast<int>(y), static_cast<int>(z)};
    const index_t at = level.at_u(c[0], c[1], c[2]);
    const separable_cell<R, N, cells_or_zero<R>> cell{level,
                                                      {u == nullptr ? nullptr : u + at},
                                                      0,
                                                      level.row_of_u(),
                                                      level.plane_of_u(),
                                                      f[level.at_f(c[0], c[1], c[2])],
                                                      level.weight[step],
                                                      {c[0], c[1], c[2]}};
    level.store(to, c[0], c[1], c[2], convert<R>(smoothing.template eval<0, 0, 0>(cell)));
  }
};

/// The next level's f = sums of residuals.
template <class R, int N, class Residual>
struct sum_up_residuals {
  separable_level<R, N> level;
  const R *u, *f;
  R* next_f;
  Residual residual;

  TEFF_FN void operator()(index_t i, index_t j, index_t k = 0) const {
    const auto value = [&](int a, int b, int c) {
      const separable_cell<R, N, const R*> at{level,
                                              u + level.at_u(a, b, c),
                                              0,
                                              level.row_of_u(),
                                              level.plane_of_u(),
                                              f[level.at_f(a, b, c)],
                                              R(0),
                                              {a, b, c}};
      return convert<R>(residual.template eval<0, 0, 0>(at));
    };
    const index_t row = N > 2 ? k * level.next(1) + j : j;
    next_f[row * level.next(0) + i] = level.template sum_of_pair<N - 1>(
        value, static_cast<int>(i), static_cast<int>(j), static_cast<int>(k));
  }
};
/// u += what the next level found, in the cells of a pair along y and z: lines along x between the
/// next level's cells serve four of them. The index space is a cell along x, pairs along y and z.
template <class R>
struct add_interpolated {
  separable_level<R, 3> level, next;
  const R* next_u;
  R* u;

  TEFF_FN void operator()(index_t i, index_t j, index_t k) const {
    const int x = static_cast<int>(i), pair[3] = {x, static_cast<int>(j), static_cast<int>(k)};
    const auto coarse = [&](int a, int b, int c) { return next_u[next.at_u(a, b, c)]; };
    if (!level.is_paired[1] || !level.is_paired[2]) {
      const int ys = level.is_paired[1] ? 2 : 1, zs = level.is_paired[2] ? 2 : 1;
      for (int z = zs * pair[2]; z < zs * (pair[2] + 1) && z < level.n[2]; ++z)
        for (int y = ys * pair[1]; y < ys * (pair[1] + 1) && y < level.n[1]; ++y)
          add(x, y, z, level.template interpolated<2>(coarse, x, y, z));
      return;
    }
    // By numbers: the next lower pair, this one, the next higher one.
    R lines[3][3], rows[2][3];
    TEFF_UNROLL
    for (int c = 0; c < 3; ++c) {
      TEFF_UNROLL
      for (int b = 0; b < 3; ++b) {
        const int y = beside(1, pair[1] + b - 1), z = beside(2, pair[2] + c - 1);
        lines[b][c] = y < 0 || z < 0 ? R(0) : level.template interpolated<0>(coarse, x, y, z);
      }
    }
    TEFF_UNROLL
    for (int c = 0; c < 3; ++c) {
      rows[0][c] = between(level.to_low[1][pair[1]], lines[0][c], lines[1][c]);
      rows[1][c] = between(level.to_high[1][pair[1]], lines[2][c], lines[1][c]);
    }
    TEFF_UNROLL
    for (int b = 0; b < 2; ++b) {
      const int y = 2 * pair[1] + b, z = 2 * pair[2];
      if (y >= level.n[1]) continue;
      add(x, y, z, between(level.to_low[2][pair[2]], rows[b][0], rows[b][1]));
      if (z + 1 < level.n[2])
        add(x, y, z + 1, between(level.to_high[2][pair[2]], rows[b][2], rows[b][1]));
    }
  }

 private:
  /// A pair of the next level; -1: beyond sides that do not repeat.
  TEFF_INLINE int beside(int d, int at) const {
    const int pairs = next.n[d];
    if (at >= 0 && at < pairs) return at;
    return !level.is_periodic[d] ? -1 : at < 0 ? pairs - 1 : 0;
  }
  TEFF_INLINE static R between(R weight, R next, R own) {
    return rounded::fused_multiply_add(weight, rounded::subtract(next, own), own);
  }
  TEFF_INLINE void add(int x, int y, int z, R value) const {
    level.store(u, x, y, z, rounded::add(u[level.at_u(x, y, z)], value));
  }
};

// ---- whether cycles go on

/// What cycles leave behind for the host. At most so many are made before it looks.
struct cycles_made {
  static constexpr int most = 16;
  unsigned goes_on, count;
  double residual[most];
};
/// After a cycle, whose residual's norm is known.
template <class R>
struct note_cycle {
  cycles_made* made;
  const R* norm;
  runtime::cycle_rule rule;

  TEFF_FN void operator()(index_t) const {
    if (made->goes_on == 0) return;
    const unsigned before = made->count++;
    const double left = static_cast<double>(*norm), relative = left / rule.norm_of_zero;
    const double last = before == 0 ? rule.before : made->residual[before - 1] / rule.norm_of_zero;
    made->residual[before] = left;
    const bool is_fast = relative <= rounded::multiply(rule.slow, last);
    if (!is_fast || relative <= rule.tolerance) made->goes_on = 0;
  }
};

}  // namespace teff::inline TEFF_MODE::detail

// SPDX-License-Identifier: MIT
#pragma once

#include <teff/kernel/block.hpp>
#include <teff/kernel/launch.hpp>
#include <teff/solver/conductances.hpp>

/// A V-cycle by kernels of its own, for GPUs: where the statements of multigrid.hpp would be a
/// launch each, these take in all that a cell needs. Coarse levels are one launch together. The
/// formulas are those of the statements, and so are the bits.
namespace teff::inline TEFF_MODE::detail {

/// A cell, numbered along each dim.
struct grid_cell {
  index_t i, j, k;

  template <int D>
  TEFF_INLINE index_t along() const {
    return D == 0 ? i : D == 1 ? j : k;
  }
  template <int D>
  TEFF_INLINE grid_cell with(index_t at) const {
    return {D == 0 ? at : i, D == 1 ? at : j, D == 2 ? at : k};
  }
};

/// An array's cells, for a kernel.
template <class R>
struct cells_in_kernels {
  R* data;
  index_t stride[3];

  template <int N>
  explicit cells_in_kernels(const array_ref<R, N>& a) : data(a.data()), stride{} {
    for (int d = 0; d < N; ++d) stride[d] = a.stride(d);
  }
  TEFF_INLINE R& at(const grid_cell& c) const {
    return data[c.i * stride[0] + c.j * stride[1] + c.k * stride[2]];
  }
};

/// A level's cells: how many, which sides repeat, and how the next level follows from them.
template <class R, int N>
struct level_in_kernels {
  index_t n[3] = {1, 1, 1};
  bool is_periodic[3] = {}, is_paired[3] = {};
  const R *to_low[3] = {}, *to_high[3] = {};  ///< by dim; contiguous
  index_t weight_stride[3][3] = {};

  level_in_kernels(const conductances<R, N>& faces, const std::vector<pairing<R, N>>& pairs) {
    for (int d = 0; d < N; ++d) {
      n[d] = faces.cells()[d];
      is_periodic[d] = faces.is_periodic[d];
    }
    for (const pairing<R, N>& p : pairs) {
      is_paired[p.dim] = true;
      to_low[p.dim] = p.to_low.data();
      to_high[p.dim] = p.to_high.data();
      for (int d = 0; d < N; ++d) weight_stride[p.dim][d] = p.to_low.stride(d);
    }
  }

  /// Sets a cell of u, and what it is beyond periodic sides.
  TEFF_FN void store(const cells_in_kernels<R>& u, const grid_cell& c, R value) const {
    u.at(c) = value;
    echo<0>(u, c, value);
    if constexpr (N > 1) echo<1>(u, c, value);
    if constexpr (N > 2) echo<2>(u, c, value);
  }

  /// The sum of e over the cells of pair c, which is paired along dims up to D.
  template <int D, class E>
  TEFF_FN R sum_of_pair(const E& e, const grid_cell& c) const {
    if constexpr (D < 0) {
      return convert<R>(e.template eval<0, 0, 0>(cell_context<1, true>{c.i, c.j, c.k}));
    } else {
      if (!is_paired[D]) return sum_of_pair<D - 1>(e, c);
      const index_t low = 2 * c.along<D>();
      const R lower = sum_of_pair<D - 1>(e, c.with<D>(low));
      if (low + 1 == n[D]) return lower;
      return rounded::add(lower, sum_of_pair<D - 1>(e, c.with<D>(low + 1)));
    }
  }

  /// The next level's u, interpolated along dims up to D, in cell c, which is one of a pair there.
  template <int D>
  TEFF_FN R interpolated(const cells_in_kernels<R>& u, const grid_cell& c) const {
    if constexpr (D < 0) {
      return u.at(c);
    } else {
      if (!is_paired[D]) return interpolated<D - 1>(u, c);
      const index_t at = c.along<D>(), pair = at / 2, pairs = ceil_div(n[D], 2);
      const bool is_upper = at % 2 == 1;
      index_t beside = is_upper ? pair + 1 : pair - 1;
      const grid_cell own = c.with<D>(pair);
      const R mine = interpolated<D - 1>(u, own);
      const bool is_inside = beside >= 0 && beside < pairs;
      if (!is_inside) beside = is_upper ? 0 : pairs - 1;
      const R next = is_inside || is_periodic[D] ? interpolated<D - 1>(u, c.with<D>(beside)) : R(0);
      const R weight =
          (is_upper ? to_high
                    : to_low)[D][own.i * weight_stride[D][0] + own.j * weight_stride[D][1] +
                                 own.k * weight_stride[D][2]];
      return rounded::fused_multiply_add(weight, rounded::subtract(next, mine), mine);
    }
  }

 private:
  template <int D>
  TEFF_INLINE void echo(const cells_in_kernels<R>& u, const grid_cell& c, R value) const {
    if (!is_periodic[D]) return;
    if (c.along<D>() == 0) u.at(c.with<D>(n[D])) = value;
    if (c.along<D>() == n[D] - 1) u.at(c.with<D>(-1)) = value;
  }
};

// ---- of large levels: a launch each

/// to = e in each cell, also beyond periodic sides.
template <class R, int N, class E>
struct store_cell {
  level_in_kernels<R, N> level;
  E e;
  cells_in_kernels<R> to;

  TEFF_FN void operator()(index_t i, index_t j, index_t k = 0) const {
    level.store(to, {i, j, k},
                convert<R>(e.template eval<0, 0, 0>(cell_context<1, true>{i, j, k})));
  }
};
/// The next level's f is the sum of residuals, and its u 0.
template <class R, int N, class E>
struct go_down {
  level_in_kernels<R, N> level, next;
  E residual;
  cells_in_kernels<R> f, u;

  TEFF_FN void operator()(index_t i, index_t j, index_t k = 0) const {
    f.at({i, j, k}) = level.template sum_of_pair<N - 1>(residual, {i, j, k});
    next.store(u, {i, j, k}, 0);
  }
};
/// The level's u, with what the next one found.
template <class R, int N>
struct go_up {
  level_in_kernels<R, N> level;
  cells_in_kernels<R> from, u;

  TEFF_FN void operator()(index_t i, index_t j, index_t k = 0) const {
    const grid_cell c{i, j, k};
    level.store(u, c, rounded::add(u.at(c), level.template interpolated<N - 1>(from, c)));
  }
};

// ---- of coarse levels: one launch together

/// One of them. @tparam Smoothing, Residual, Solution lowered formulas of its cells
template <class R, int N, class Smoothing, class Residual, class Solution>
struct coarse_level {
  level_in_kernels<R, N> cells;
  cells_in_kernels<R> u, other, f;
  Smoothing smoothing[4];  ///< u to the other, back, and the same on the way up
  Residual residual;
  Solution solution;  ///< where the level is one cell
};

/// Levels from a coarse one down, and up again, by one block.
template <class R, int N, class Level>
struct coarse_cycle {
  static constexpr int threads = 384;         // (of more, registers spill)
  static constexpr bool has_cpu_twin = true;  // statements

  const Level* levels;
  int count;
  bool is_singular;

  TEFF_INLINE void operator()(block& blk) const {
    for (int l = 0; l + 1 < count; ++l) {
      const Level &here = levels[l], &next = levels[l + 1];
      smooth(blk, here, 0);
      const go_down<R, N, decltype(here.residual)> down{here.cells, next.cells, here.residual,
                                                        next.f, next.u};
      each_cell(blk, next.cells, down);
    }
    const Level& last = levels[count - 1];
    const auto solve = [&](index_t i, index_t j, index_t k) {
      const cell_context<1, true> at{i, j, k};
      last.cells.store(last.u, {i, j, k},
                       is_singular ? R(0) : convert<R>(last.solution.template eval<0, 0, 0>(at)));
    };
    each_cell(blk, last.cells, solve);
    for (int l = count - 2; l >= 0; --l) {
      const Level& here = levels[l];
      const go_up<R, N> up{here.cells, levels[l + 1].u, here.u};
      each_cell(blk, here.cells, up);
      smooth(blk, here, 2);
    }
  }

 private:
  TEFF_INLINE static void smooth(const block& blk, const Level& here, int step) {
    for (int s = step; s < step + 2; ++s) {
      const store_cell<R, N, decltype(here.smoothing[0])> cell{here.cells, here.smoothing[s],
                                                               s % 2 == 0 ? here.other : here.u};
      each_cell(blk, here.cells, cell);
    }
  }
  template <class F>
  TEFF_INLINE static void each_cell(const block& blk, const level_in_kernels<R, N>& cells,
                                    const F& f) {
    const int nx = static_cast<int>(cells.n[0]), ny = static_cast<int>(cells.n[1]),
              all = nx * ny * static_cast<int>(cells.n[2]);
    for (int c = blk.thread(); c < all; c += threads) {
      const int row = c / nx, plane = row / ny;
      f(c - row * nx, row - plane * ny, plane);
    }
    blk.sync();
  }
};

}  // namespace teff::inline TEFF_MODE::detail

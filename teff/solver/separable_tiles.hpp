// SPDX-License-Identifier: MIT
#pragma once

#include <teff/kernel/block.hpp>
#include <teff/solver/separable_level.hpp>

/// A V-cycle by tiles in shared memory. On the way down a launch takes in two steps of smoothing,
/// the residuals and their sums; on the way up interpolation and two steps.
namespace teff::inline TEFF_MODE::detail {

/// Cells that a block holds in shared memory around its own: `Halo` more on each side.
template <int X, int Y, int Z, int Halo, int N>
struct tile_extents {
  static constexpr int nx = X + 2 * Halo, ny = Y + 2 * Halo, nz = N > 2 ? Z + 2 * Halo : 1;
  static constexpr int row = nx, plane = N > 2 ? nx *ny : 0, count = nx * ny * nz;

  /// Of a cell, counted from the block's first one.
  TEFF_INLINE static int at(int i, int j, int k) {
    return i + Halo + (j + Halo) * nx + (N > 2 ? (k + Halo) * plane : 0);
  }
};

/// What kernels of tiles have in common. A tile is X * Y * Z cells; X, Y, Z are even, so that it
/// holds whole pairs.
template <class R, int N, int X, int Y, int Z>
struct tile_of_level {
  template <int Halo>
  using extents = tile_extents<X, Y, Z, Halo, N>;

  separable_level<R, N> level;
  const unsigned* goes_on;  ///< null, or: 0 where there is nothing left to do

  /// A grid has at most 65535 blocks along y: in two dims rows of tiles go on along z.
  TEFF_INLINE static int row_of_tiles(const block& blk) {
    const auto row = static_cast<int>(blk.index(1));
    if constexpr (N > 2) return row;
    return row + static_cast<int>(blk.index(2)) * static_cast<int>(blk.blocks(1));
  }

  TEFF_INLINE bool has_ended() const { return goes_on != nullptr && *goes_on == 0; }

  /// Calls f(cell of the tile, cell of the level beyond periodic sides, whether there is one).
  template <int Halo, int Threads, class F>
  TEFF_INLINE void each_cell(const block& blk, const F& f) const {
    using tile = extents<Halo>;
    const int first[3] = {static_cast<int>(blk.index(0)) * X, this->row_of_tiles(blk) * Y,
                          N > 2 ? static_cast<int>(blk.index(2)) * Z : 0};
    bool is_within = true;  // all of them are cells of the level
    TEFF_UNROLL
    for (int d = 0; d < N; ++d) {
      const int all = d == 0 ? X : d == 1 ? Y : Z;
      is_within = is_within && first[d] >= Halo && first[d] + all + Halo <= level.n[d];
    }
    if (is_within) {
      for (int c = blk.thread(); c < tile::count; c += Threads) {
        const int row = c / tile::nx;
        const int at[3] = {c - row * tile::nx - Halo, (N > 2 ? row % tile::ny : row) - Halo,
                           N > 2 ? row / tile::ny - Halo : 0};
        const int cell[3] = {first[0] + at[0], first[1] + at[1], N > 2 ? first[2] + at[2] : 0};
        f(at, cell, true);
      }
      blk.sync();
      return;
    }
    for (int c = blk.thread(); c < tile::count; c += Threads) {
      const int row = c / tile::nx;
      int at[3] = {c - row * tile::nx - Halo, (N > 2 ? row % tile::ny : row) - Halo,
                   N > 2 ? row / tile::ny - Halo : 0};
      int cell[3] = {};
      bool is_inside = true;
      TEFF_UNROLL
      for (int d = 0; d < N; ++d) {
        cell[d] = first[d] + at[d];
        if (cell[d] >= 0 && cell[d] < level.n[d]) continue;
        if (!level.is_periodic[d] || cell[d] >= level.n[d] + Halo)
          is_inside = false;
        else
          cell[d] = (cell[d] + Halo * level.n[d]) % level.n[d];
      }
      f(at, cell, is_inside);
    }
    blk.sync();
  }

  /// A cell of `from`, whose values are known `Known` cells around the tile.
  template <int Known>
  TEFF_INLINE separable_cell<R, N> cell_of(const shared_array<R>& from, const int (&at)[3],
                                           const int (&cell)[3], R f, int step) const {
    using tile = extents<Known>;
    return {level,
            from,
            tile::at(at[0], at[1], at[2]),
            tile::row,
            tile::plane,
            f,
            level.weight[step],
            {cell[0], cell[1], cell[2]}};
  }
};

// ---- on the way down and up

/// other = u after two steps; the next level's f = sums of residuals.
template <class R, int N, int X, int Y, int Z, int Threads, class Smoothing, class Residual>
struct go_down_by_tiles : tile_of_level<R, N, X, Y, Z> {
  static constexpr int threads = Threads;
  static constexpr bool has_cpu_twin = true;  // statements
  using base = tile_of_level<R, N, X, Y, Z>;

  const R* u;  ///< null: it is 0
  const R* f;
  R *other, *next_f;
  Smoothing smoothing;
  Residual residual;

  static constexpr index_t shared_bytes =
      sizeof(R) * (tile_extents<X, Y, Z, 3, N>::count + 2 * tile_extents<X, Y, Z, 2, N>::count);

  TEFF_INLINE void operator()(block& blk) const {
    if (this->has_ended()) return;
    using wide = tile_extents<X, Y, Z, 3, N>;
    using narrow = tile_extents<X, Y, Z, 2, N>;
    using narrowest = tile_extents<X, Y, Z, 1, N>;
    const separable_level<R, N>& level = this->level;
    const shared_array<R> first = blk.template shared<R>(wide::count),
                          second = blk.template shared<R>(narrow::count),
                          right = blk.template shared<R>(narrow::count);
    const auto load = [&](const int(&at)[3], const int(&c)[3], bool is_inside) {
      first[wide::at(at[0], at[1], at[2])] =
          is_inside && u != nullptr ? u[level.at_u(c[0], c[1], c[2])] : R(0);
    };
    const auto load_f = [&](const int(&at)[3], const int(&c)[3], bool is_inside) {
      right[narrow::at(at[0], at[1], at[2])] = is_inside ? f[level.at_f(c[0], c[1], c[2])] : R(0);
    };
    const auto step_one = [&](const int(&at)[3], const int(&c)[3], bool is_inside) {
      const int to = narrow::at(at[0], at[1], at[2]);
      const R own_f = right[to];
      R value = 0;
      if (is_inside)
        value = convert<R>(
            smoothing.template eval<0, 0, 0>(this->template cell_of<3>(first, at, c, own_f, 0)));
      second[to] = value;
    };
    const auto step_two = [&](const int(&at)[3], const int(&c)[3], bool is_inside) {
      const R own_f = right[narrow::at(at[0], at[1], at[2])];
      R value = 0;
      if (is_inside)
        value = convert<R>(
            smoothing.template eval<0, 0, 0>(this->template cell_of<2>(second, at, c, own_f, 1)));
      first[narrowest::at(at[0], at[1], at[2])] = value;
      const bool is_own = at[0] >= 0 && at[0] < X && at[1] >= 0 && at[1] < Y &&
                          (N < 3 || (at[2] >= 0 && at[2] < Z));
      if (is_own && is_inside) {
        // (Beyond a periodic side another tile, or this one, has the cell itself.)
        if (is_first_of(blk, at, c)) other[level.at_u(c[0], c[1], c[2])] = value;
      }
    };
    this->template each_cell<3, Threads>(blk, load);
    this->template each_cell<2, Threads>(blk, load_f);
    this->template each_cell<2, Threads>(blk, step_one);
    this->template each_cell<1, Threads>(blk, step_two);
    sum_up(blk, first, right);
  }

 private:
  TEFF_INLINE bool is_first_of(const block& blk, const int (&at)[3], const int (&c)[3]) const {
    bool is_same = c[0] == static_cast<int>(blk.index(0)) * X + at[0] &&
                   c[1] == this->row_of_tiles(blk) * Y + at[1];
    if constexpr (N > 2) is_same = is_same && c[2] == static_cast<int>(blk.index(2)) * Z + at[2];
    return is_same;
  }
  TEFF_INLINE void sum_up(const block& blk, const shared_array<R>& u_after,
                          const shared_array<R>& right) const {
    const separable_level<R, N>& level = this->level;
    using narrow = tile_extents<X, Y, Z, 2, N>;
    const int px = level.is_paired[0] ? X / 2 : X, py = level.is_paired[1] ? Y / 2 : Y,
              pz = N < 3                ? 1
                   : level.is_paired[2] ? Z / 2
                                        : Z;
    const int first[3] = {static_cast<int>(blk.index(0)) * X, this->row_of_tiles(blk) * Y,
                          N > 2 ? static_cast<int>(blk.index(2)) * Z : 0};
    const auto residual_of = [&](int i, int j, int k) {
      const int at[3] = {i - first[0], j - first[1], k - first[2]}, cell[3] = {i, j, k};
      const R own_f = right[narrow::at(at[0], at[1], at[2])];
      return convert<R>(
          residual.template eval<0, 0, 0>(this->template cell_of<1>(u_after, at, cell, own_f, 0)));
    };
    const int rows = level.next(0), planes = N > 2 ? level.next(1) : 0;
    for (int c = blk.thread(); c < px * py * pz; c += Threads) {
      const int row = c / px, i = static_cast<int>(blk.index(0)) * px + (c - row * px),
                j = this->row_of_tiles(blk) * py + row % py,
                k = N > 2 ? static_cast<int>(blk.index(2)) * pz + row / py : 0;
      if (i >= level.next(0) || j >= level.next(1) || (N > 2 && k >= level.next(2))) continue;
      next_f[(static_cast<index_t>(k) * planes + j) * rows + i] =
          level.template sum_of_pair<N - 1>(residual_of, i, j, k);
    }
  }
};

/// u = other, with what the next level found, after two steps.
template <class R, int N, int X, int Y, int Z, int Threads, class Smoothing>
struct go_up_by_tiles : tile_of_level<R, N, X, Y, Z> {
  static constexpr int threads = Threads;
  static constexpr bool has_cpu_twin = true;  // statements

  const R *other, *f, *next_u;
  R* u;
  separable_level<R, N> next;
  Smoothing smoothing;

  static constexpr index_t shared_bytes =
      sizeof(R) * (tile_extents<X, Y, Z, 2, N>::count + 2 * tile_extents<X, Y, Z, 1, N>::count);

  TEFF_INLINE void operator()(block& blk) const {
    if (this->has_ended()) return;
    using wide = tile_extents<X, Y, Z, 2, N>;
    using narrow = tile_extents<X, Y, Z, 1, N>;
    const separable_level<R, N>& level = this->level;
    const shared_array<R> first = blk.template shared<R>(wide::count),
                          second = blk.template shared<R>(narrow::count),
                          right = blk.template shared<R>(narrow::count);
    const auto coarse = [&](int i, int j, int k) { return next_u[next.at_u(i, j, k)]; };
    const auto load = [&](const int(&at)[3], const int(&c)[3], bool is_inside) {
      R value = 0;
      if (is_inside)
        value = rounded::add(other[level.at_u(c[0], c[1], c[2])],
                             level.template interpolated<N - 1>(coarse, c[0], c[1], c[2]));
      first[wide::at(at[0], at[1], at[2])] = value;
    };
    const auto load_f = [&](const int(&at)[3], const int(&c)[3], bool is_inside) {
      right[narrow::at(at[0], at[1], at[2])] = is_inside ? f[level.at_f(c[0], c[1], c[2])] : R(0);
    };
    const auto step_one = [&](const int(&at)[3], const int(&c)[3], bool is_inside) {
      const int to = narrow::at(at[0], at[1], at[2]);
      const R own_f = right[to];
      R value = 0;
      if (is_inside)
        value = convert<R>(
            smoothing.template eval<0, 0, 0>(this->template cell_of<2>(first, at, c, own_f, 2)));
      second[to] = value;
    };
    const auto step_two = [&](const int(&at)[3], const int(&c)[3], bool is_inside) {
      bool is_own = is_inside && c[0] == static_cast<int>(blk.index(0)) * X + at[0] &&
                    c[1] == this->row_of_tiles(blk) * Y + at[1];
      if constexpr (N > 2) is_own = is_own && c[2] == static_cast<int>(blk.index(2)) * Z + at[2];
      if (!is_own) return;
      const R own_f = right[narrow::at(at[0], at[1], at[2])];
      u[level.at_u(c[0], c[1], c[2])] = convert<R>(
          smoothing.template eval<0, 0, 0>(this->template cell_of<1>(second, at, c, own_f, 3)));
    };
    this->template each_cell<2, Threads>(blk, load);
    this->template each_cell<1, Threads>(blk, load_f);
    this->template each_cell<1, Threads>(blk, step_one);
    this->template each_cell<0, Threads>(blk, step_two);
  }
};

}  // namespace teff::inline TEFF_MODE::detail

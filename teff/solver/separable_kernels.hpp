// SPDX-License-Identifier: MIT
#pragma once

#include <teff/formula/field.hpp>
#include <teff/kernel/block.hpp>
#include <teff/solver/conductances.hpp>
#include <teff/solver/multigrid_plan.hpp>

/// A V-cycle by kernels of its own where conductances are products of a number of each dim: no
/// level reads arrays of them. On the way down a launch takes in two steps of smoothing, the
/// residuals and their sums; on the way up interpolation and two steps. Coarse levels are one
/// launch together, in shared memory. The formulas are those of multigrid's statements, over fields
/// (u, f) that a context gives them, and so are the bits.
namespace teff::inline TEFF_MODE::detail {

// ---- formulas

/// Conductances along dim D, as a leaf.
template <int D, class R, int N>
struct conductance_leaf : node<conductance_leaf<D, R, N>> {
  using value_type = R;
  static constexpr int rank = N, flops = N - 1, widest = sizeof(R), loads = N;
  static constexpr bool is_pointwise = true, is_collapsible = false;

  conductance_leaf lower(const lowering&) const { return *this; }
  template <int X, int Y, int Z, class C>
  TEFF_INLINE auto eval(const C& c) const {
    return c.template conductance<D, X, Y, Z>();
  }
};
/// The weight of a step of smoothing.
template <class R>
struct weight_leaf : node<weight_leaf<R>> {
  using value_type = R;
  static constexpr int rank = 0, flops = 0, widest = sizeof(R), loads = 0;
  static constexpr bool is_pointwise = true, is_collapsible = false;

  weight_leaf lower(const lowering&) const { return *this; }
  template <int X, int Y, int Z, class C>
  TEFF_INLINE auto eval(const C& c) const {
    return c.weight;
  }
};

// ---- levels

/// A level's cells and numbers, for kernels. Arrays of u have a cell beyond each side.
template <class R, int N>
struct separable_level {
  int n[3] = {1, 1, 1};
  bool is_periodic[3] = {}, is_paired[3] = {};
  const R* factor[N][N] = {};                 ///< as of conductance_factors
  const R *to_low[N] = {}, *to_high[N] = {};  ///< weights of pairs along each dim
  R weight[4] = {};                           ///< of steps of smoothing

  TEFF_INLINE int row_of_u() const { return n[0] + 2; }
  TEFF_INLINE int plane_of_u() const { return N > 2 ? (n[0] + 2) * (n[1] + 2) : 0; }
  TEFF_INLINE index_t at_u(int i, int j, int k) const {
    const index_t row = N > 2 ? static_cast<index_t>(k + 1) * (n[1] + 2) + (j + 1) : j + 1;
    return row * (n[0] + 2) + (i + 1);
  }
  TEFF_INLINE index_t at_f(int i, int j, int k) const {
    const index_t row = N > 2 ? static_cast<index_t>(k) * n[1] + j : j;
    return row * n[0] + i;
  }
  /// How many cells the next level has along a dim.
  TEFF_INLINE int next(int d) const { return is_paired[d] ? (n[d] + 1) / 2 : n[d]; }

  /// to = value in a cell, and what it is beyond periodic sides. @param to u, or what holds it
  template <class Place>
  TEFF_INLINE void store(const Place& to, int i, int j, int k, R value) const {
    to[at_u(i, j, k)] = value;
    TEFF_UNROLL
    for (int d = 0; d < N; ++d) {
      if (!is_periodic[d]) continue;
      const int at = d == 0 ? i : d == 1 ? j : k;
      const auto beyond = [&](int place) {
        to[at_u(d == 0 ? place : i, d == 1 ? place : j, d == 2 ? place : k)] = value;
      };
      if (at == 0) beyond(n[d]);
      if (at == n[d] - 1) beyond(-1);
    }
  }

  /// The sum over the cells of a pair, paired along dims up to D, of value(i, j, k).
  template <int D, class F>
  TEFF_INLINE R sum_of_pair(const F& value, int i, int j, int k) const {
    if constexpr (D < 0) {
      return value(i, j, k);
    } else {
      if (!is_paired[D]) return sum_of_pair<D - 1>(value, i, j, k);
      int& at = D == 0 ? i : D == 1 ? j : k;
      at *= 2;
      const R lower = sum_of_pair<D - 1>(value, i, j, k);
      if (++at == n[D]) return lower;
      return rounded::add(lower, sum_of_pair<D - 1>(value, i, j, k));
    }
  }
  /// The next level's u, which coarse(i, j, k) tells, interpolated along dims up to D.
  template <int D, class F>
  TEFF_INLINE R interpolated(const F& coarse, int i, int j, int k) const {
    if constexpr (D < 0) {
      return coarse(i, j, k);
    } else {
      if (!is_paired[D]) return interpolated<D - 1>(coarse, i, j, k);
      int& at = D == 0 ? i : D == 1 ? j : k;
      const bool is_upper = at % 2 == 1;
      const int pair = at / 2, pairs = (n[D] + 1) / 2;
      at = pair;
      const R mine = interpolated<D - 1>(coarse, i, j, k);
      at = is_upper ? pair + 1 : pair - 1;
      const bool is_inside = at >= 0 && at < pairs;
      if (!is_inside) at = is_upper ? 0 : pairs - 1;
      const R next = is_inside || is_periodic[D] ? interpolated<D - 1>(coarse, i, j, k) : R(0);
      const R weight = (is_upper ? to_high : to_low)[D][pair];
      return rounded::fused_multiply_add(weight, rounded::subtract(next, mine), mine);
    }
  }
};

/// A cell, to formulas: what u is around it, f, and conductances of its faces.
/// @tparam Place of u: an address, or a shared_array
template <class R, int N, class Place = shared_array<R>>
struct separable_cell {
  const separable_level<R, N>& level;
  Place u;
  int own, row, plane;  ///< where the cell is in u, and its neighbours
  R f, weight;
  int at[3];

  template <int S, int X, int Y, int Z>
  TEFF_INLINE R load_field() const {
    if constexpr (S == 1) {
      return f;
    } else {
      const R value = u[own + (X - 1) + (Y - 1) * row + (N > 2 ? (Z - 1) * plane : 0)];
      return value;
    }
  }
  template <int D, int X, int Y, int Z>
  TEFF_INLINE R conductance() const {
    const R* const(&g)[N] = level.factor[D];
    R product = rounded::multiply(g[0][at[0] + X], g[1][at[1] + Y]);
    if constexpr (N > 2) product = rounded::multiply(product, g[2][at[2] + Z]);
    return product;
  }
};

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

  TEFF_INLINE bool has_ended() const { return goes_on != nullptr && *goes_on == 0; }

  /// Calls f(cell of the tile, cell of the level beyond periodic sides, whether there is one).
  template <int Halo, int Threads, class F>
  TEFF_INLINE void each_cell(const block& blk, const F& f) const {
    using tile = extents<Halo>;
    const int first[3] = {static_cast<int>(blk.index(0)) * X, static_cast<int>(blk.index(1)) * Y,
                          N > 2 ? static_cast<int>(blk.index(2)) * Z : 0};
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
                   c[1] == static_cast<int>(blk.index(1)) * Y + at[1];
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
    const int first[3] = {static_cast<int>(blk.index(0)) * X, static_cast<int>(blk.index(1)) * Y,
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
                j = static_cast<int>(blk.index(1)) * py + row % py,
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
                    c[1] == static_cast<int>(blk.index(1)) * Y + at[1];
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

// ---- of boxes, whose tiles would read several times what they write: a thread a cell

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
/// u += what the next level found.
template <class R, int N>
struct add_interpolated {
  separable_level<R, N> level, next;
  const R* next_u;
  R* u;

  TEFF_FN void operator()(index_t i, index_t j, index_t k = 0) const {
    const auto coarse = [&](int a, int b, int c) { return next_u[next.at_u(a, b, c)]; };
    const int x = static_cast<int>(i), y = static_cast<int>(j), z = static_cast<int>(k);
    level.store(
        u, x, y, z,
        rounded::add(u[level.at_u(x, y, z)], level.template interpolated<N - 1>(coarse, x, y, z)));
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

// ---- coarse levels: one launch together

/// One of them: its numbers, and where its arrays are in shared memory.
template <class R, int N>
struct coarse_separable_level {
  separable_level<R, N> level;
  int u, other, f;
};

/// Levels from a coarse one down, and up again, by one block.
template <class R, int N, class Smoothing, class Residual, class Solution>
struct coarse_separable_cycle {
  static constexpr int threads = 512;
  static constexpr bool has_cpu_twin = true;  // statements
  using level_type = coarse_separable_level<R, N>;

  const level_type* levels;
  int count, values;  ///< of levels; of all arrays together
  bool is_singular;
  const unsigned* goes_on;
  const R* f;  ///< of the first one
  R* u;
  Smoothing smoothing;
  Residual residual;
  Solution solution;

  TEFF_INLINE void operator()(block& blk) const {
    if (goes_on != nullptr && *goes_on == 0) return;
    const shared_array<R> all = blk.template shared<R>(values);
    for (int c = blk.thread(); c < values; c += threads) all[c] = R(0);
    blk.sync();
    {
      const level_type here = levels[0];
      each_cell(blk, here.level, [&](int i, int j, int k) {
        all[here.f + static_cast<int>(here.level.at_f(i, j, k))] = f[here.level.at_f(i, j, k)];
      });
    }
    for (int l = 0; l + 1 < count; ++l) {
      const level_type here = levels[l];
      const int next_f = levels[l + 1].f;
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
      const level_type last = levels[count - 1];
      each_cell(blk, last.level, [&](int i, int j, int k) {
        const R value =
            is_singular
                ? R(0)
                : convert<R>(solution.template eval<0, 0, 0>(cell(all, last, last.u, 0, i, j, k)));
        store(all, last, last.u, i, j, k, value);
      });
    }
    for (int l = count - 2; l >= 0; --l) {
      const level_type here = levels[l];
      const level_type next = levels[l + 1];
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
    const level_type here = levels[0];
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

// SPDX-License-Identifier: MIT
#pragma once

#include <teff/algo/along_dim/reduce_blocks.hpp>
#include <teff/algo/reduce/blocks.hpp>
#include <teff/algo/scan.hpp>
#include <teff/algo/scan/blocks.hpp>

#include "../layout.hpp"

namespace teff::inline TEFF_MODE::test {

/// Extents around the sizes at which the bodies of scans and reductions change: powers of two and
/// their neighbours, now and then 0 or 1; about `cells` in all.
template <int N>
extents<N> edge_extents(generator& g, index_t cells) {
  extents<N> e;
  index_t left = cells;
  for (int d = 0; d < N; ++d) {
    index_t most = 0;
    while ((index_t{2} << most) <= left) ++most;
    e[d] = g.chance(2)    ? 0
           : g.chance(8)  ? 1
           : g.chance(40) ? g.between(1, 17)
                          : (index_t{1} << g.between(0, most)) + g.between(-1, 1);
    if (e[d] > left) e[d] = left;
    left /= e[d] > 0 ? e[d] : 1;
    if (left < 1) left = 1;
  }
  for (int d = N - 1; d > 0; --d) {  // the long one anywhere
    const auto other = static_cast<int>(g.between(0, d));
    const index_t n = e[d];
    e[d] = e[other];
    e[other] = n;
  }
  return e;
}

/// Numbers whose sums have no rounding, so that every order of adding gives the same.
template <class T>
T whole_number(generator& g) {
  return static_cast<T>(g.between(-100, 100));
}

/// Calls f(first cell's (i, j, k), step along dim as (di, dj, dk)) for each column.
template <int N, class F>
void each_column(const extents<N>& shape, int dim, const F& f) {
  lattice all;
  for (int d = 0; d < N; ++d) all.n[d] = d == dim ? 1 : shape[d];
  const index_t step[3] = {dim == 0, dim == 1, dim == 2};
  all.each([&](index_t i, index_t j, index_t k) {
    const index_t first[3] = {i, j, k};
    f(first, step);
  });
}

/// The block kernels of scans, on any device: on the CPU in the emulator.
struct scan_in_blocks {
  const stream& on;
  template <class Op, class Start, class T, class E>
  void run(const device_target<T>& to, const E& e, const detail::statement_shape& where,
           const runtime::dim_cells& cells, bool is_row, const Start& start) const {
    detail::scan_by_blocks<Op>(on, to, e, where, cells, is_row, start);
  }
};
struct reduction_in_blocks {
  static bool uses_blocks(device) { return true; }
  template <class Op, class A, class To, class E>
  void run_all(const stream& on, const To& to, const E& e, const detail::statement_shape& where,
               A neutral, void* room) const {
    detail::reduce_by_blocks<Op>(on, to, e, where, neutral, room, 4);
  }
  template <class Op, class A, class To, class E>
  void run(const stream& on, const To& to, const E& e, const detail::statement_shape& where,
           const runtime::dim_cells& cells, bool is_dim_0, A neutral) const {
    detail::reduce_dim_by_blocks<Op>(on, to, e, where, cells, is_dim_0, neutral);
  }
};

}  // namespace teff::inline TEFF_MODE::test

// SPDX-License-Identifier: MIT
#pragma once

#include <omp.h>

#include <vector>

#include <teff/kernel/streaming_store.hpp>
#include <teff/stencil/bound.hpp>

/// Several time steps in one pass on the CPU: strips of columns, streamed down the rows. Level t of a strip
/// computes step t in row s - t while row s is read; it keeps three rows, which stay in the second-level cache,
/// and the last level writes to memory. Strips overlap by the depth at each side and compute the overlap twice,
/// so threads never wait for each other. Twin: temporal_cuda.cuh.
namespace teff::inline TEFF_MODE::detail {

struct temporal_cpu_tuning {
  static constexpr index_t strip_bytes = 16384;  // of one row: 7 levels of 3 rows are 344 KB
  static constexpr index_t chunk_rows = 1024;    // the overlap of 2 x depth rows is then under 2 %
};

/// A context in which the evolving field is three rows, and known fields are arrays in memory.
template <int Evolving, class T, class Leaves>
struct rows_context {
  const T* row[3];  // below, at and above the cell's row; indexed by the column of the whole grid
  const Leaves& leaves;
  index_t i, j;

  template <int S, int X, int Y, int Z>
  TEFF_INLINE auto load_field() const {
    if constexpr (S == Evolving) return row[Y + 1][i + X];
    else return cell_context<1, true>{i, j, 0}.template load<X, Y, 0>(entry<S>(leaves));
  }
  template <int D, int Offset>
  TEFF_INLINE index_t index() const { return (D == 0 ? i : j) + Offset; }
};

/// A grid, its step and the part of it that one pass works on.
template <class T>
struct temporal_pass {
  const T* from;
  T* to;
  index_t from_pitch, to_pitch, nx, ny;
  int depth;
};

/// One strip [x0, x1) of rows [y0, y1), all levels.
template <class Traits, class T, class E, class Leaves>
void temporal_strip(const temporal_pass<T>& pass, const E& formula, const Leaves& leaves, index_t x0,
                    index_t x1, index_t y0, index_t y1, std::vector<T>& ring) {
  using written = typename Traits::written;
  const int depth = pass.depth;
  const index_t left = x0 > depth ? x0 - depth : 0;  // first column kept in the ring
  const index_t width = (x1 - x0) + 2 * depth;
  ring.resize(static_cast<std::size_t>(depth * 3 * width));
  // Row y of level t, so that [column] is the column of the grid; level 0 is the input.
  const auto row_of = [&](int level, index_t y) {
    return ring.data() + ((level - 1) * 3 + y % 3) * width - left;
  };
  const auto input_row = [&](index_t y) { return pass.from + y * pass.from_pitch; };

  const index_t first = y0 > depth ? y0 - depth : 0;
  const index_t last = y1 + depth < pass.ny ? y1 + depth : pass.ny;
  for (index_t s = first; s < y1 + depth; ++s) {
    for (int level = 1; level <= depth; ++level) {
      const index_t y = s - level, reach = depth - level;
      if (y < (y0 > reach ? y0 - reach : 0) || y >= (y1 + reach < last ? y1 + reach : last)) continue;
      const index_t c0 = x0 > reach ? x0 - reach : 0;
      const index_t c1 = x1 + reach < pass.nx ? x1 + reach : pass.nx;
      const auto below = [&](index_t r) -> const T* {
        const index_t row = r < 0 ? 0 : r >= pass.ny ? pass.ny - 1 : r;  // only read where legal
        return level == 1 ? input_row(row) : row_of(level - 1, row);
      };
      T* out = row_of(level, y);
      const T* here = below(y);
      index_t w0 = c0, w1 = c0;  // the columns that are written, if any
      if (y >= written::low[1] && y < pass.ny - written::high[1]) {
        w0 = c0 > written::low[0] ? c0 : written::low[0];
        w1 = c1 < pass.nx - written::high[0] ? c1 : pass.nx - written::high[0];
        if (w0 > c1) w0 = c1;
        if (w1 < w0) w1 = w0;
      }
      for (index_t i = c0; i < w0; ++i) out[i] = here[i];
      for (index_t i = w1; i < c1; ++i) out[i] = here[i];
      const E local = formula;
      const T *low = below(y - 1), *high = below(y + 1);
#pragma omp simd
      for (index_t i = w0; i < w1; ++i)
        out[i] = static_cast<T>(
            local.template eval<-written::low[0], -written::low[1], 0>(
                rows_context<Traits::slot, T, Leaves>{{low, here, high}, leaves, i, y}));
      if (level == depth) streaming_store(pass.to + y * pass.to_pitch + x0, out + x0, x1 - x0);
    }
  }
}

/// `pass.depth` steps from one array to another.
template <class Traits, class T, class E, class Leaves>
void temporal_pass_cpu(const temporal_pass<T>& pass, const E& formula, const Leaves& leaves) {
  const index_t strip = temporal_cpu_tuning::strip_bytes / static_cast<index_t>(sizeof(T));
  const index_t strips = ceil_div(pass.nx, strip);
  const index_t threads = omp_get_max_threads();
  // At least as many pieces as threads, but rows enough that the overlap stays small.
  index_t chunk = temporal_cpu_tuning::chunk_rows;
  while (chunk > 8 * pass.depth && strips * ceil_div(pass.ny, chunk) < threads) chunk /= 2;
  const index_t chunks = ceil_div(pass.ny, chunk);
#pragma omp parallel
  {
    std::vector<T> ring;
#pragma omp for schedule(static) collapse(2)
    for (index_t c = 0; c < chunks; ++c)
      for (index_t x = 0; x < strips; ++x) {
        const index_t x0 = x * strip, x1 = x0 + strip < pass.nx ? x0 + strip : pass.nx;
        const index_t y0 = c * chunk, y1 = y0 + chunk < pass.ny ? y0 + chunk : pass.ny;
        temporal_strip<Traits>(pass, formula, leaves, x0, x1, y0, y1, ring);
      }
  }
}

}  // namespace teff::inline TEFF_MODE::detail

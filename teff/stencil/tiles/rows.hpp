// SPDX-License-Identifier: MIT
#pragma once

#include <teff/base/thrown.hpp>
#include <teff/formula/bound.hpp>
#include <teff/stencil/levels/levels.hpp>

/// A stage's formula over rows in memory: what a pass on the CPU evaluates.
namespace teff::inline TEFF_MODE::detail {

/// The rows of a field that a cell and its neighbours are in; a row is indexed by the column of the
/// whole grid.
template <class T, int Slabs>
struct field_rows {
  const T* slab[Slabs];  // from the lowest that is read
  index_t pitch;         // between rows of a slab
};

/// A context in which every field is rows in memory.
template <class Stage, class Rows>
struct rows_context {
  const Rows& rows;
  index_t cell[3];

  template <int S, int X, int Y, int Z>
  TEFF_INLINE auto load_field() const {
    using order = slab_order<Stage::rank>;
    constexpr int at[3] = {X, Y, Z};
    constexpr footprint reads = Stage::template reads<S>();
    const auto& field = entry<S>(rows);
    return field
        .slab[at[order::slab] - reads.low[order::slab]][at[order::row] * field.pitch + cell[0] + X];
  }
  template <int D, int Offset>
  TEFF_INLINE index_t index() const {
    return cell[D] + Offset;
  }
};

/// Columns [i0, i1) of a row. (A function of its own, so that all registers are the loop's; formula
/// and rows come by value, so that stores can not change them.)
template <class Stage, class E, class Rows>
[[gnu::noinline]] void compute_columns(typename Stage::value_type* out, index_t i0, index_t i1,
                                       index_t y, index_t z, const E formula, const Rows rows) {
  using written = typename Stage::written;
  runtime::thrown_in_loop thrown;
  TEFF_SIMD
  for (index_t i = i0; i < i1; ++i) {
    try {
      out[i] = static_cast<typename Stage::value_type>(
          formula.template eval<-written::low[0], -written::low[1], -written::low[2]>(
              rows_context<Stage, Rows>{rows, {i, y, z}}));
    } catch (...) {
      thrown.keep(i);
    }
  }
  thrown.pass_on_from(Stage::rank, y, z);
}

}  // namespace teff::inline TEFF_MODE::detail

// SPDX-License-Identifier: MIT
#pragma once

#include <teff/base/thrown.hpp>
#include <teff/expr/sharing.hpp>
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

/// Of a field that a stage does not read.
struct no_rows {};

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

/// Columns [i0, i1) of a row of what e is at a place, seen from the cell. (A function of its own,
/// so that all registers are the loop's; formula and rows come by value, so that stores can not
/// change them.)
template <class Stage, class At, class T, class E, class Rows>
[[gnu::noinline]] void compute_columns(T* out, index_t i0, index_t i1, index_t y, index_t z,
                                       const E e, const Rows rows) {
  runtime::thrown_in_loop thrown;
  TEFF_SIMD
  for (index_t i = i0; i < i1; ++i) {
    try {
      out[i] = static_cast<T>(
          e.template eval<At::x, At::y, At::z>(rows_context<Stage, Rows>{rows, {i, y, z}}));
    } catch (...) {
      thrown.keep(i);
    }
  }
  thrown.pass_on_from(Stage::rank, y, z);
}

/// Where a formula has the value of the cell that its stage writes.
template <class Stage>
using written_at =
    offset<-Stage::written::low[0], -Stage::written::low[1], -Stage::written::low[2]>;

/// The rows around another row, `by` from the one that they are around: the lowest where the
/// formula has its own first cell. What is evaluated there reads no lower rows, but so many more
/// above it. (Those that are beyond all rows are not read.)
template <class Stage>
no_rows rows_around(const no_rows&, const index_t (&)[3]) {
  return {};
}
template <class Stage, class T, int Slabs>
auto rows_around(const field_rows<T, Slabs>& rows, const index_t (&by)[3]) {
  using order = slab_order<Stage::rank>;
  constexpr int more = Stage::written::low[order::slab];
  field_rows<T, Slabs + more> moved{{}, rows.pitch};
  for (index_t s = 0; s < Slabs + more; ++s) {
    const index_t from = s + by[order::slab];
    const T* const row = rows.slab[from < 0 ? 0 : from < Slabs ? from : Slabs - 1];
    moved.slab[s] = row == nullptr ? row : row + by[order::row] * moved.pitch;
  }
  return moved;
}
template <class Stage, class... Rows>
auto rows_around(const tuple<Rows...>& rows, const index_t (&by)[3]) {
  return [&]<int... S>(std::integer_sequence<int, S...>) {
    return tuple_of(rows_around<Stage>(entry<S>(rows), by)...);
  }
  (std::make_integer_sequence<int, sizeof...(Rows)>{});
}

/// Rows of the parts that cells of a stage share (expr/sharing.hpp), around row (y, z).
template <class Stage, class Rows>
struct stage_rows {
  runtime::shared_rows& kept;
  const Rows& rows;
  index_t i0, i1, y, z;

  template <class E, class Same>
  auto part(const E& operand, const Same& same, const runtime::cell_reach& reads) const {
    using T = typename Same::value_type;
    return leaf_of_part<T>(
        kept, operand, reads,
        [&](T* cells, index_t row, index_t plane, const runtime::cell_reach& box) {
          compute_columns<Stage, offset<0>>(cells, i0 + box.low[0], i1 + box.high[0], row, plane,
                                            same,
                                            rows_around<Stage>(rows, {0, row - y, plane - z}));
        });
  }
};

/// The formula of a stage that reads those rows.
template <class Stage, class E, class Rows>
auto in_rows_of_stage(const E& formula, const stage_rows<Stage, Rows>& kept) {
  return sharing<E>::in_rows(formula, kept, runtime::box_of<written_at<Stage>>());
}

}  // namespace teff::inline TEFF_MODE::detail

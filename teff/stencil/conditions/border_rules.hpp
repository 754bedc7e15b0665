// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include <teff/array/array.hpp>
#include <teff/expr/context.hpp>
#include <teff/stencil/conditions/edge_rule.hpp>

/// All conditions of a stage in one launch on a GPU: a launch for each side takes as long as a
/// small grid's statement.
namespace teff::inline TEFF_MODE::detail {

/// Sets the border cells that follow from inner ones, each from its inner cell, whatever the other
/// border cells are by then. Cells are counted from the first inner one: border cells have indices
/// below 0 and from `n` on.
template <class T, int N>
struct border_rules {
  device_target<T> inner;
  index_t n[N];          ///< inner cells
  index_t layers[N][2];  ///< of border cells, at the low and the high side
  bool sets[N][2];       ///< or the cells of that side keep their values
  bool is_periodic[N];
  edge_rule<T> rule[N][2];
  index_t first[N][2];  ///< number of a side's first column: a border cell of each of its layers
  index_t columns;      ///< of all sides

  /// Sets the cells of one column.
  TEFF_FN void operator()(index_t column) const {
    int d = 0, side = 0;
    index_t number = 0, at[3] = {0, 0, 0};
    TEFF_UNROLL
    for (int e = 0; e < N; ++e) TEFF_UNROLL
    for (int s = 0; s < 2; ++s)
      if (sets[e][s] && column >= first[e][s]) d = e, side = s, number = column - first[e][s];
    place_column(number, d, at);
    TEFF_NO_UNROLL
    for (index_t layer = 1; layer <= layers[d][side]; ++layer) {
      const index_t along = side == 0 ? -layer : n[d] - 1 + layer;
      TEFF_UNROLL
      for (int e = 0; e < N; ++e)
        if (e == d) at[e] = along;
      set(at);
    }
  }

 private:
  /// Columns of a side go along its first dim, then the second: of earlier dims the border cells,
  /// too, since sides of later dims come later.
  TEFF_INLINE void place_column(index_t number, int d, index_t (&at)[3]) const {
    bool is_first = true;
    TEFF_UNROLL
    for (int e = 0; e < N; ++e) {
      if (e == d) continue;
      const index_t low = e < d ? layers[e][0] : 0, count = n[e] + low + (e < d ? layers[e][1] : 0);
      // (In two dims the other one has the number itself.)
      const bool divides = N == 3 && is_first;
      const index_t beyond = divides ? quotient(number, count) : 0;
      at[e] = number - beyond * count - low;
      number = beyond;
      is_first = false;
    }
  }
  static TEFF_INLINE index_t quotient(index_t a, index_t b) {
    constexpr auto most = index_t{0xffffffff};
    if (a <= most && b <= most)
      return static_cast<index_t>(static_cast<std::uint32_t>(a) / static_cast<std::uint32_t>(b));
    return a / b;
  }

  /// As conditions in turn leave it: those along the first dim, then the next, which take the
  /// border cells of earlier ones.
  TEFF_INLINE void set(const index_t (&at)[3]) const {
    index_t from[3] = {at[0], at[1], at[2]};
    bool keeps = false;
    TEFF_UNROLL
    for (int d = N - 1; d >= 0; --d) {
      if (keeps || (at[d] >= 0 && at[d] < n[d])) continue;
      const int side = at[d] < 0 ? 0 : 1;
      keeps = !sets[d][side];  // then so do those of earlier dims
      if (keeps) continue;
      if (is_periodic[d])
        from[d] += side == 0 ? n[d] : -n[d];
      else
        from[d] = side == 0 ? 0 : n[d] - 1;
    }
    T value = *cell(from);
    TEFF_UNROLL
    for (int d = 0; d < N; ++d) {
      if (is_periodic[d]) from[d] = at[d];
      const int side = at[d] < 0 ? 0 : 1;
      TEFF_NO_UNROLL
      while (from[d] != at[d]) {
        from[d] += side == 0 ? -1 : 1;
        index_t of_field[3] = {from[0], from[1], from[2]};
        TEFF_UNROLL
        for (int e = 0; e < N; ++e) of_field[e] += layers[e][0];
        value = rule[d][side](value, of_field[0], of_field[1], of_field[2]);
      }
    }
    *cell(at) = value;
  }
  TEFF_INLINE T* cell(const index_t (&at)[3]) const {
    return inner.template at<false>(at[0], at[1], at[2]);
  }
};

/// @param edges a stage_edges<T> @param state number of those filled
template <class Edges, class T, int N>
border_rules<T, N> border_rules_of(const Edges& edges, const array_ref<T, N>& field, int state) {
  border_rules<T, N> all{};
  all.inner = {field.data(), {1, 0, 0}};
  for (int d = 0; d < N; ++d) {
    all.inner.stride[d] = field.stride(d);
    all.inner.data += edges.left_out(d, false) * field.stride(d);
    all.n[d] = edges.inner(d);
    all.is_periodic[d] = edges.is_periodic(d);
    for (const bool upper : {false, true}) {
      const int side = upper ? 1 : 0;
      all.layers[d][side] = edges.left_out(d, upper);
      all.sets[d][side] = edges.width(d, upper) > 0;
      if (all.sets[d][side]) all.rule[d][side] = edges.rule(d, upper, state);
    }
  }
  for (int d = 0; d < N; ++d)
    for (int side = 0; side < 2; ++side) {
      if (!all.sets[d][side]) continue;
      all.first[d][side] = all.columns;
      index_t columns = 1;
      for (int e = 0; e < N; ++e)
        if (e != d) columns *= all.n[e] + (e < d ? all.layers[e][0] + all.layers[e][1] : 0);
      all.columns += columns;
    }
  return all;
}

}  // namespace teff::inline TEFF_MODE::detail

// SPDX-License-Identifier: MIT
#pragma once

#include <teff/algo/copy.hpp>
#include <teff/grid/grid_array.hpp>

/// Whole arrays on the root, and back.
namespace teff::inline TEFF_MODE {

namespace detail {
template <class T, int N>
runtime::held_cells held_cells_of(const array_ref<T, N>& cells, const runtime::grid_box& box) {
  runtime::held_cells held{region_of(cells), {0, 0, 0}};
  for (int d = 0; d < N; ++d) held.first[d] = box.of[d].begin;
  return held;
}
/// All parts to one array, on the root. @param own this rank's
template <class T, int N>
array<T, N> gathered_cells(const runtime::grid_state& grid, const runtime::stagger& more,
                           const array_ref<T, N>& own, const std::string& label) {
  extents<N> n{};
  for (int d = 0; d < N && grid.on.is_root(); ++d) n[d] = grid.cells.extent(more, d);
  array<T, N> all(device::cpu(), n, label);
  if (grid.is_whole()) {
    copy(all, own);
  } else {
    const runtime::grid_box box = grid.cells.own(grid.on.rank(), more);
    runtime::gather_cells(grid, more, held_cells_of(own, box), region_of(all), label);
  }
  return all;
}
}  // namespace detail

/// All cells of a grid array as a CPU array on the root; elsewhere one without cells. Collective.
/// @sync waits
template <class T, int N>
array<T, N> gather(const grid_array<T, N>& from) {
  return detail::gathered_cells(*from.grid(), from.more(), from.own(), from.label());
}

/// The root's array to all ranks' cells; what other ranks give is not looked at. Collective.
/// @throws error on all ranks alike where the root's array has not the grid array's extents
template <class T, int N>
void scatter(const grid_array<T, N>& to, const array_ref<T, N>& from) {
  const runtime::grid_state& grid = *to.grid();
  std::string why;
  if (grid.on.is_root() && !(from.shape() == to.shape()))
    why = "scatter: " + to.described() + " can not become " + described(from) + " of the root";
  runtime::throw_of_root(grid.on, "scatter", why);
  if (grid.is_whole()) {
    copy(to.own(), from);
    return;
  }
  array<T, N> all(device::cpu(), grid.on.is_root() ? from.shape() : extents<N>{});
  if (grid.on.is_root()) copy(all, from);
  runtime::scatter_cells(grid, to.more(), region_of(all),
                         detail::held_cells_of(to.own(), to.own_box()), to.label());
}

}  // namespace teff::inline TEFF_MODE

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
/// The cells, or a copy of those of a GPU.
template <class T, int N>
array_ref<T, N> on_host(const array_ref<T, N>& cells) {
  if (cells.dev().is_cpu()) return cells;
  const array<T, N> copied(device::cpu(), cells.shape(), cells.label());
  copy(copied, cells);
  cells.on().synchronize();
  return copied;
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
    const array_ref<T, N> here = on_host(own);
    runtime::gather_cells(grid, more, held_cells_of(here, box), region_of(all), label);
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
  const array_ref<T, N> own = to.own();
  const array<T, N> received(device::cpu(), own.dev().is_cpu() ? extents<N>{} : own.shape());
  const array_ref<T, N> here = own.dev().is_cpu() ? own : received;
  runtime::scatter_cells(grid, to.more(), region_of(all), detail::held_cells_of(here, to.own_box()),
                         to.label());
  if (!own.dev().is_cpu()) copy(own, here);
}

}  // namespace teff::inline TEFF_MODE

// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <teff/algo/reduce.hpp>
#include <teff/grid/gather.hpp>
#include <teff/grid/numbered_cells.hpp>

/// Sums over a grid in the order of one rank (algo/reduce/tree.hpp): cells are numbered x first,
/// and every 4096 of them are a chunk, whose totals are added up in the same way. Where the last
/// dim alone is cut a rank's cells are a range of numbers: it adds up the chunks that begin with
/// it, for which the next ranks give it less than a chunk of values, and the root has but the
/// chunks' totals. However else a grid is cut, the root gathers all values.
namespace teff::runtime {

/// The last dim alone is cut.
bool is_cut_in_slabs(const decomposition& cells);
/// Of a grid that is: the cells of the chunks that begin with a rank.
number_range numbers_of_chunks(const decomposition& cells, int rank, const stagger& more);
/// Chunks' cells from all ranks' own ones; both are in the order of a stream.
void bring_chunks(const grid_state& grid, const stagger& more, index_t cell_bytes, const stream& on,
                  const std::byte* own, std::byte* chunks);
/// The ranks' totals of chunks one after the other, on the root. @param all room for them there
void gather_totals(const grid_state& grid, const stagger& more, index_t bytes_of_total,
                   const std::byte* mine, std::byte* all);

}  // namespace teff::runtime

namespace teff::inline TEFF_MODE::detail {

/// @param mine values of this rank's own cells of a field, one after the other
/// @return the sum of all, the same on all ranks
template <class A, int N>
A total_in_order(const runtime::grid_state& grid, const runtime::stagger& more,
                 const array<A, N>& mine, const std::string& what) {
  constexpr index_t chunk = reduce_tree::chunk;
  A total{};
  if (grid.is_whole()) {
    total = sum(mine);
  } else if (!runtime::is_cut_in_slabs(grid.cells)) {
    const array_ref<A, N>& own = mine;
    const array<A, N> all = gathered_cells(grid, more, own, what);
    if (grid.on.is_root()) total = sum(all);
  } else {
    const auto chunks_of = [&](int rank) {
      return ceil_div(runtime::numbers_of_chunks(grid.cells, rank, more).count(), chunk);
    };
    const index_t count = runtime::numbers_of_chunks(grid.cells, grid.on.rank(), more).count();
    const array<A, 1> cells(grid.dev, extents<1>{count}, what);
    runtime::bring_chunks(grid, more, sizeof(A), cells.on(),
                          reinterpret_cast<const std::byte*>(mine.data()),
                          reinterpret_cast<std::byte*>(cells.data()));
    const index_t full = count / chunk;
    const array<A, 1> totals(grid.dev, extents<1>{chunks_of(grid.on.rank())}, what);
    if (full > 0)
      totals(range(0, full)) = sum(wrap(cells.on(), cells.data(), {chunk, full}, {1, chunk}), 0);
    if (count > full * chunk)
      totals(range(full, full + 1)) = static_cast<A>(sum(cells(range(full * chunk, count))));
    index_t chunks = 0;
    for (int rank = 0; rank < grid.on.count() && grid.on.is_root(); ++rank)
      chunks += chunks_of(rank);
    const array<A, 1> all(device::cpu(), extents<1>{chunks}, what);
    const array_ref<A, 1> here = on_host<A, 1>(totals);
    runtime::gather_totals(grid, more, sizeof(A), reinterpret_cast<const std::byte*>(here.data()),
                           reinterpret_cast<std::byte*>(all.data()));
    if (grid.on.is_root()) total = sum(all);
  }
  return runtime::gathered(grid.on, what, total).front();
}

}  // namespace teff::inline TEFF_MODE::detail

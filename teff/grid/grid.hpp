// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <teff/grid/grid_array.hpp>
#include <teff/grid/grid_state.hpp>
#include <teff/grid/ranks.hpp>
#include <teff/grid/transport/mpi_job.hpp>

/// A grid larger than one device: its cells are shared out to ranks, and a program says nothing of
/// that but where the grid is made.
namespace teff {

/// Cells of one rank: {.x = {0, 300}, .y = {100, 200}} are those from the first to before the end.
struct own_cells {
  runtime::cell_range x{}, y{}, z{};
};

struct grid_options {
  /// By default all ranks of this job: the processes that mpirun has started, else this thread
  /// alone, on the default device.
  std::optional<ranks> on{};
  /// Parts along each dim; 0: chosen, the last dim first.
  std::array<int, 3> cuts{0, 0, 0};
  double timeout_s = 120;  ///< that a rank waits for others
  /// A pointer to an MPI_Comm, whose processes are the ranks: of a program that has initialised MPI
  /// itself.
  const void* comm = nullptr;
  /// Cells of this rank, in a program that has cut the grid itself: parts of any lengths, ranks in
  /// any order, with borders that go through the whole grid.
  std::optional<own_cells> own{};
};

struct adopt_options {
  std::string label{};
  /// Fills the block's halo, if the caller wants to do that, too: called on all ranks, while the
  /// block holds the current values.
  std::function<void()> exchange{};
};

inline namespace TEFF_MODE {

/// A grid of cells, on all ranks of a job; each makes it by the same call.
/// @example examples/22_grid.cpp
template <int N>
class grid {
 public:
  /// @throws error, on all ranks alike, where not every rank can have a cell, or cuts and ranks do
  /// not fit each other; where processes were started that no MPI of Teff's connects (mpi_job.hpp)
  grid(const extents<N>& cells, const grid_options& options = {})  // NOLINT
      : cells_(cells) {
    index_t n[3] = {1, 1, 1};
    int cuts[3];
    for (int d = 0; d < N; ++d) n[d] = cells[d];
    for (std::size_t d = 0; d < 3; ++d) cuts[d] = options.cuts[d];
    runtime::grid_box own;
    if (options.own) own = {{options.own->x, options.own->y, options.own->z}};
    const ranks on = runtime::ranks_for(options.on, options.comm);
    state_ = runtime::made_grid(N, n, on, cuts, options.own ? &own : nullptr, options.timeout_s,
                                runtime::device_of_rank(on, default_device()));
  }

  /// An array of one element a cell: g.array<double>("T"); a staggered one has some more cells
  /// along some dims: g.array<double>("Vx", {1, 0}). New cells hold no known value. Collective.
  template <element T>
  grid_array<T, N> array(std::string label = "", const std::array<int, N>& more = {}) const {
    runtime::stagger by;
    for (std::size_t d = 0; d < N; ++d) by.of[d] = more[d];
    return grid_array<T, N>(state_, std::move(label), by);
  }

  /// A caller's block of memory as a grid array, in place: it must outlive the array. iterate()
  /// leaves the result in it; its halo then holds anything. Collective.
  /// @param block this rank's own cells, and around them `halo` more along each dim as far as the
  /// whole goes; any strides @param own in numbers of the whole
  /// @throws error on all ranks alike, unless all blocks are those of a field of this grid
  /// @example examples/23_adopt.cpp
  template <element T>
  grid_array<T, N> adopt(const array_ref<T, N>& block, const own_cells& own, index_t halo,
                         const adopt_options& options = {}) const {
    const std::string& label = options.label.empty() ? block.label() : options.label;
    const runtime::grid_box box{{own.x, own.y, own.z}};
    runtime::block_to_adopt mine{
        label.empty() ? "a block" : "block '" + label + "'", type_name<T>(), {1, 1, 1}, box, halo};
    for (int d = 0; d < N; ++d) mine.extents[d] = block.extent(d);
    mine.has_exchange = options.exchange != nullptr;
    const runtime::stagger more = runtime::more_of_blocks(*state_, mine);
    runtime::callers_halo around{halo, options.exchange};
    const runtime::grid_box held = around.around(box, state_->cells, more);
    return grid_array<T, N>(state_, label, more, block, held, std::move(around));
  }

  const extents<N>& shape() const { return cells_; }
  const ranks& on() const { return state_->on; }
  bool is_root() const { return on().is_root(); }
  /// "1x4": parts along each dim.
  std::string cuts() const { return state_->cells.parts_text(); }

 private:
  extents<N> cells_;
  std::shared_ptr<const runtime::grid_state> state_;
};

grid(const extents<1>&, const grid_options& = {})->grid<1>;
grid(const extents<2>&, const grid_options& = {})->grid<2>;
grid(const extents<3>&, const grid_options& = {})->grid<3>;

}  // namespace TEFF_MODE
}  // namespace teff

// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>

#include <teff/grid/grid_array.hpp>
#include <teff/grid/grid_state.hpp>
#include <teff/grid/mpi_job.hpp>
#include <teff/grid/ranks.hpp>

/// A grid larger than one device: its cells are shared out to ranks, and a program says nothing of
/// that but where the grid is made.
namespace teff {

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
    const ranks on = runtime::ranks_for(options.on, options.comm);
    state_ = runtime::made_grid(N, n, on, cuts, options.timeout_s,
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

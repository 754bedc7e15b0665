// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <string>

#include <teff/array/array_handle.hpp>
#include <teff/base/device.hpp>
#include <teff/grid/decomposition.hpp>
#include <teff/grid/exchange_model.hpp>
#include <teff/grid/pack.hpp>
#include <teff/grid/ranks.hpp>

/// What a grid and its arrays share, whatever their types.
namespace teff::runtime {

struct grid_memory;

struct grid_state {
  ranks on;
  decomposition cells;
  device dev;
  int devices = 1;  ///< CPUs, or different GPUs, that the ranks are on
  std::shared_ptr<grid_memory> known;

  bool is_whole() const { return on.count() == 1; }  ///< one rank has all cells
};

/// Where a rank's part is, of a grid in a unit whose default device is `by_default`: where its job
/// says, else there; if that is a GPU, and nobody names one, the ranks of a machine share its GPUs.
device device_of_rank(const ranks& on, device by_default);

/// The device as this rank has it: of a CPU, its share of the cores.
device_info share_of_device(const grid_state& grid);

/// The halo of a block that is a caller's.
struct callers_halo {
  index_t width = 0;               ///< cells around its own, as far as the whole goes
  std::function<void()> exchange;  ///< fills it; empty: the run does

  /// The cells of a rank's block.
  grid_box around(const grid_box& own, const decomposition& cells, const stagger& more) const;
};

/// A block that is to be a grid array.
struct block_to_adopt {
  std::string name, type;  ///< "block 'T'", "f64"
  index_t extents[3];      ///< of the block
  grid_box own;
  index_t halo = 0;
  bool has_exchange = false;
};
/// What the blocks of all ranks have more cells of than the grid. Collective.
/// @throws error (usage) on all ranks alike for blocks that are not those of a field of the grid
stagger more_of_blocks(const grid_state& grid, const block_to_adopt& mine);

/// @param cuts as the user gave them, those of dims beyond `dims` too @param own this rank's cells,
/// where the user has cut the grid; else null
/// @throws error on all ranks alike for what does not fit, or differs between them
std::shared_ptr<const grid_state> made_grid(int dims, const index_t (&n)[3], const ranks& on,
                                            const int (&cuts)[3], const grid_box* own,
                                            double timeout_s, device dev);

/// Of all ranks' own cells of a field to the root's array of the whole field, or back.
/// All on the host. @param own of this rank @param whole of the root; elsewhere not looked at
void gather_cells(const grid_state& grid, const stagger& more, const held_cells& own,
                  const region& whole, const std::string& label);
void scatter_cells(const grid_state& grid, const stagger& more, const region& whole,
                   const held_cells& own, const std::string& label);

/// @throws error: the arrays of a statement, or of a run, belong to different grids
[[noreturn]] void throw_other_grid(const std::string& one, const std::string& other);

}  // namespace teff::runtime

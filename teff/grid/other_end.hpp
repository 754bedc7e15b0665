// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <teff/grid/grid_plan.hpp>
#include <teff/grid/halo_exchange.hpp>

/// Along a dim that is cut and periodic, a part goes on beyond the grid's end with cells of the
/// other end, and computes border cells like all others. So during a run all cells repeat
/// themselves. Some a run leaves as they are: those of known fields, and those at sides that keep
/// their values; where they do not repeat themselves, and no step reads them, they are put aside.
namespace teff::runtime {

class cells_of_other_end {
 public:
  /// @param fields as held by this rank, all that were given
  cells_of_other_end(const grid_state& grid, const step_on_grid& step);

  /// Before the fields' first exchange. @param all on the host, like the fields
  /// @return why the step can not be made, by this rank; ""
  std::string put_aside(halo_exchange& all, const std::vector<held_cells>& fields,
                        const std::string& place);
  /// After the run. @param fields in this stream @param by copies boxes in its order
  void give_back(const std::vector<held_cells>& fields, const stream& on, const packer& by);

 private:
  bool is_left(int field, const index_t (&cell)[3]) const;
  bool is_read(int field, const index_t (&cell)[3]) const;

  struct aside {
    int field;
    grid_box cell;
    std::vector<std::byte> value;
  };
  const grid_state& grid_;
  const step_on_grid& step_;
  std::vector<aside> aside_;
};

}  // namespace teff::runtime

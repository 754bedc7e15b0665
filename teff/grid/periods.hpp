// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <teff/grid/grid_plan.hpp>

namespace teff::runtime {

/// Along a dim that is cut, and along which fields repeat themselves.
class periods {
 public:
  periods(const grid_state& grid, const step_on_grid& step, int dim);
  bool are_there() const { return are_there_; }

  /// Cells beyond the ends are computed as if all went on there, so that all must.
  /// @throws error (usage) where they do not
  void check() const;
  void add_to(std::vector<exchanged_field>& fields) const;

 private:
  void check(const stage_table& stage, const stage_sides& sides) const;
  void check_ends(const stage_table& stage, const stage_sides& sides) const;
  std::string cut() const;
  index_t extent(int slot) const;
  index_t inner_cells(const stage_table& stage) const;
  std::string named(int slot) const;
  bool repeats(const stage_table& stage, const stage_sides& sides) const;

  const grid_state& grid_;
  const step_on_grid& step_;
  int dim_;
  bool are_there_ = false;
  index_t cells_ = 0;
};

}  // namespace teff::runtime

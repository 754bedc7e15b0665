// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include <teff/base/index.hpp>
#include <teff/formula/table.hpp>

namespace teff::runtime {

class field_conditions;

/// The cells that a pass delivers, by dim; so many at each end may be border cells of a field.
struct pass_cells {
  index_t n[3] = {1, 1, 1}, border[3] = {0, 0, 0};
};
/// @param extents of the fields
pass_cells cells_of_pass(const step_table& step, const index_t (*extents)[3]);

/// Where a field is periodic along a dim: the first cell that stands for itself, and the cells
/// after which it repeats itself; 0: it does not.
struct pass_period {
  int first = 0, period = 0;
};
/// Those of all fields: of those that evolve, and of known ones seen from the cell that is updated.
/// @param conditions by stage @param periods [field][dim]
void find_periods(const step_table& step, const std::vector<const field_conditions*>& conditions,
                  const index_t (*extents)[3], pass_period (*periods)[3]);

/// Some condition along one of the first so many dims has a value or a slope that is a formula.
bool have_formulas(const std::vector<const field_conditions*>& conditions, int dims = 3);

}  // namespace teff::runtime

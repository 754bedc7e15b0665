// SPDX-License-Identifier: MIT
#include <algorithm>

#include <teff/stencil/conditions/field_conditions.hpp>
#include <teff/stencil/levels/pass_extents.hpp>

namespace teff::runtime {

pass_cells cells_of_pass(const step_table& step, const index_t (*extents)[3]) {
  pass_cells cells;
  for (int d = 0; d < 3; ++d) {
    for (int f = 0; f < step.fields; ++f)
      if (step.evolves(f)) cells.n[d] = std::max(cells.n[d], extents[f][d]);
    index_t inner_end = cells.n[d];  // before which every stage writes
    for (int k = 0; k < step.stages; ++k) {
      const stage_table& stage = step.stage[k];
      if (!stage.has_conditions || d >= step.rank) continue;
      inner_end = std::min(inner_end, extents[stage.slot][d] - stage.high[d]);
      cells.border[d] = std::max(cells.border[d], index_t{stage.low[d]});
    }
    cells.border[d] = std::max(cells.border[d], cells.n[d] - inner_end);
  }
  return cells;
}

void find_periods(const step_table& step, const std::vector<const field_conditions*>& conditions,
                  const index_t (*extents)[3], pass_period (*periods)[3]) {
  for (int d = 0; d < step.rank; ++d) {
    index_t period = 0;  // (A pass takes fields that are periodic all alike.)
    for (int k = 0; k < step.stages; ++k) {
      const stage_table& stage = step.stage[k];
      if (conditions[static_cast<std::size_t>(k)]->is_periodic(d))
        period = extents[stage.slot][d] - stage.low[d] - stage.high[d];
    }
    if (period == 0) continue;
    for (int k = 0; k < step.stages; ++k) {
      const stage_table& stage = step.stage[k];
      for (int f = 0; f < step.fields; ++f) {
        const footprint& reads = stage.reads[f];
        const bool is_own = f == stage.slot;
        if (!is_own && (step.evolves(f) || !reads.is_read)) continue;
        periods[f][d] = {stage.low[d] + (is_own ? 0 : reads.low[d]), static_cast<int>(period)};
      }
    }
  }
}

bool have_formulas(const std::vector<const field_conditions*>& conditions, int dims) {
  return std::any_of(conditions.begin(), conditions.end(),
                     [&](const field_conditions* one) { return one->has_formula(dims); });
}

}  // namespace teff::runtime

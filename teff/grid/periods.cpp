// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstddef>

#include <teff/grid/periods.hpp>
#include <teff/grid/refused_run.hpp>

namespace teff::runtime {

periods::periods(const grid_state& grid, const step_on_grid& step, int dim)
    : grid_(grid), step_(step), dim_(dim) {
  for (int k = 0; k < step.table.stages && !are_there_; ++k) {
    are_there_ = step.sides[static_cast<std::size_t>(k)].is_periodic[dim];
    if (are_there_) cells_ = inner_cells(step.table.stage[k]);
  }
}

void periods::check() const {
  for (int k = 0; k < step_.table.stages; ++k)
    check(step_.table.stage[k], step_.sides[static_cast<std::size_t>(k)]);
  for (std::size_t f = 0; f < step_.described.size(); ++f)
    if (const int slot = static_cast<int>(f); grid_.cells.extent(step_.more[f], dim_) < cells_)
      refuse_run(named(slot) + " has fewer cells than a period of " + std::to_string(cells_) +
                 cut());
}

void periods::check(const stage_table& stage, const stage_sides& sides) const {
  if (stage.reads[0].uses_index)
    refuse_run("the time step reads ix, iy or iz and is periodic" + cut());
  if (sides.has_formula)
    refuse_run("a boundary condition has a formula beside fields that are periodic" + cut());
  if (sides.is_periodic[dim_]) check_ends(stage, sides);
  if (!repeats(stage, sides))
    refuse_run(named(stage.slot) + " does not repeat itself like the fields that are periodic" +
               cut());
}

/// That a period can go on at both ends.
void periods::check_ends(const stage_table& stage, const stage_sides& sides) const {
  const std::string along = std::string(" along ") + axis_of[dim_], field = named(stage.slot);
  const index_t low = stage.low[dim_], high = stage.high[dim_], inner = inner_cells(stage);
  if (sides.is_half_periodic[dim_])
    refuse_run(field + " is periodic at only one of its two sides" + along + "; write ." +
               axis_of[dim_] + " = periodic");
  if (low == 0 && high == 0)
    refuse_run(field + " is periodic" + along + ", but its update writes all cells there; the " +
               "target must leave some out, as update(inn(T), ...) does");
  if (low != high)
    refuse_run(field + " has an update that leaves out " + std::to_string(low) +
               " cells at the low side and " + std::to_string(high) +
               " at the high side; it can not be periodic" + cut());
  if (inner < low)
    refuse_run(field + " is periodic" + along + ", but has only " +
                   std::to_string(std::max<index_t>(inner, 0)) +
                   " inner cells along that dim; it needs at least " + std::to_string(low),
               "too few cells: ");
}

void periods::add_to(std::vector<exchanged_field>& fields) const {
  for (std::size_t f = 0; f < fields.size(); ++f) {
    fields[f].period[dim_] = cells_;
    const int slot = static_cast<int>(f);
    for (int k = step_.table.stages - 1; k >= 0; --k) {
      const stage_table& stage = step_.table.stage[k];
      if (stage.slot == slot) fields[f].low[dim_] = stage.low[dim_];
      if (!step_.table.evolves(slot) && stage.reads[f].is_read)  // a period that is read
        fields[f].low[dim_] = stage.low[dim_] + stage.reads[f].low[dim_];
    }
  }
}

/// Where all must go on alike, and what to do instead.
std::string periods::cut() const {
  return std::string(" along ") + axis_of[dim_] + ", which is cut into " +
         std::to_string(grid_.cells.parts(dim_)) +
         " parts; leave that dim whole by grid_options::cuts";
}

index_t periods::extent(int slot) const {
  return grid_.cells.extent(step_.more[static_cast<std::size_t>(slot)], dim_);
}

index_t periods::inner_cells(const stage_table& stage) const {
  return extent(stage.slot) - stage.low[dim_] - stage.high[dim_];
}

std::string periods::named(int slot) const {
  const auto at = static_cast<std::size_t>(slot);
  return at < step_.described.size()
             ? "field " + std::to_string(slot) + ", " + step_.described[at] + ","
             : "a field of the step's own";
}

bool periods::repeats(const stage_table& stage, const stage_sides& sides) const {
  if (sides.is_periodic[dim_]) return inner_cells(stage) == cells_;
  if (stage.low[dim_] != 0 || stage.high[dim_] != 0) return false;
  return extent(stage.slot) == cells_ || !step_.table.has_history(stage.slot);
}

}  // namespace teff::runtime

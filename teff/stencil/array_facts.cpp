// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <string>

#include <teff/stencil/array_facts.hpp>
#include <teff/stencil/levels/pass_extents.hpp>

namespace teff::runtime {

namespace {

constexpr const char* axis_of[3] = {"x", "y", "z"};

/// @param cells of the field's own period; 0: it has none
std::string not_alike(int slot, const std::string& field, int dim, index_t cells, index_t period) {
  const std::string name = "field " + std::to_string(slot) + ", " + field + ",",
                    where = std::string(" along ") + axis_of[dim];
  if (cells > 0)
    return name + " repeats itself" + where + " after " + std::to_string(cells) +
           " cells, others after " + std::to_string(period);
  return name + " is not periodic" + where +
         " beside fields that are; let its update leave border cells out, as inn(...) does, and "
         "give it the condition ." +
         axis_of[dim] + " = periodic";
}

}  // namespace

bool array_facts::keep_all_borders() const {
  return std::all_of(conditions.begin(), conditions.end(),
                     [](const field_conditions* one) { return one->keeps_all(); });
}

bool array_facts::have_formulas() const {
  return runtime::have_formulas(conditions);
}

bool array_facts::are_periodic() const {
  return std::any_of(conditions.begin(), conditions.end(), [](const field_conditions* one) {
    return one->is_periodic(0) || one->is_periodic(1) || one->is_periodic(2);
  });
}

refusal array_facts::formula_refused() const {
  if (!table.evolves_in_reals()) return "temporal works on f64 and f32 fields";
  if (!table.reads_only_fields())
    return "the formula reads arrays that iterate() was not given, or slices";
  return {};
}

refusal array_facts::refused(int farthest_reach) const {
  if (refusal borders = borders_refused(farthest_reach)) return borders;
  return layout_refused();
}

refusal array_facts::layout_refused() const {
  constexpr index_t most_apart = 2000000000;  // a pass on a GPU counts with 32 bits
  bool is_unit = true, is_near = true, has_cells = true;
  for (const bound_field& a : fields) {
    is_unit = is_unit && (a.stride(0) == 1 || a.extent(0) == 1);
    for (int d = 0; d < table.rank; ++d) is_near = is_near && a.extent(d) <= most_apart;
    index_t apart = 1;  // as in the second arrays, whose cells lie close together
    for (int d = 1; d < table.rank && is_near; ++d) {
      apart *= a.extent(d - 1);
      is_near = std::max(apart, std::abs(a.stride(d))) <= most_apart / a.cells.cell_bytes;
    }
    has_cells = has_cells && !a.cells.is_empty();
  }
  if (dev().is_cuda() && !is_near)
    return "a dim has more than 2 * 10^9 cells, or rows or planes are more than 2 GB apart";
  if (dev().is_cuda() && !has_cells) return "a field has no cells";
  if (!is_unit) return "a field's cells do not lie side by side along x";
  return {};
}

/// Slabs beyond the ends of a periodic dim are computed as if all fields went on there.
refusal array_facts::borders_refused(int farthest_reach) const {
  if (dev().is_cuda()) {
    if (refusal periods = periods_refused(farthest_reach)) return periods;
    if (!have_close_extents())
      return "on a GPU, where conditions set border cells, extents of fields that evolve differ "
             "by " +
             std::to_string(most_extents_differ) + " at most";
  }
  const int slab_dim = table.rank == 3 ? 2 : 1;
  return slab_dim < table.rank ? periods_along(slab_dim).not_all : refusal{};
}

/// On a GPU cells outside stand for those a period away, in all fields: they must look alike.
refusal array_facts::periods_refused(int farthest_reach) const {
  bool keeps[3] = {false, false, false};
  for (int k = 0; k < table.stages; ++k)
    for (int d = 0; d < table.rank; ++d)
      for (const bool upper : {false, true}) {
        const field_conditions& one = *conditions[static_cast<std::size_t>(k)];
        keeps[d] = keeps[d] || (one.left_out(d, upper) > 0 && one.width(d, upper) == 0);
      }
  std::string periodic_axis;
  for (int d = 0; d < table.rank; ++d) {
    const periods along = periods_along(d);
    if (along.cells == 0 && !periodic_axis.empty() && keeps[d])
      return "on a GPU fields that are periodic along " + periodic_axis +
             " do not keep border cells along " + axis_of[d];
    if (along.cells == 0) continue;
    // Cells beyond the grid stand for those one period away, so none that counts may be farther:
    // tiles deliver the border, too, and fields may end a few cells apart.
    const int least = farthest_reach + table.widest_border(d) + most_extents_differ;
    if (refusal period = along.refused(axis_of[d], least)) return period;
    periodic_axis = axis_of[d];
  }
  if (!periodic_axis.empty() && have_formulas())
    return "on a GPU fields that are periodic have no formulas in other conditions";
  return {};
}

refusal array_facts::periods::refused(const std::string& axis, int least) const {
  if (not_all) return not_all;
  const std::string where = "on a GPU, along " + axis + ", ";
  if (cells < least)
    return where + "a period has fewer than " + std::to_string(least) +
           " cells, so far a pass may reach";
  if (!is_near) return where + "where fields are periodic, a known one is read at neighbours";
  return {};
}

array_facts::periods array_facts::periods_along(int dim) const {
  const auto cells_of = [&](int k) {  // that stage k writes along the dim
    const stage_table& stage = table.stage[k];
    return fields[static_cast<std::size_t>(stage.slot)].extent(dim) - stage.low[dim] -
           stage.high[dim];
  };
  periods found;
  for (int k = 0; k < table.stages; ++k)
    if (conditions[static_cast<std::size_t>(k)]->is_periodic(dim)) found.cells = cells_of(k);
  if (found.cells == 0) return found;
  std::array<std::optional<index_t>, most_fields> first{};  // of a known field's own period
  for (int k = 0; k < table.stages; ++k) {
    const stage_table& stage = table.stage[k];
    const bool is_periodic = conditions[static_cast<std::size_t>(k)]->is_periodic(dim);
    if (!found.not_all && !(is_periodic ? cells_of(k) == found.cells
                                        : follows_periods(k, dim, cells_of(k), found.cells)))
      found.not_all =
          fields[static_cast<std::size_t>(stage.slot)].owner == no_owner
              ? refusal(std::string("what once() marks reads known fields, and others are periodic "
                                    "along ") +
                        axis_of[dim])
              : not_alike(stage.slot, fields[static_cast<std::size_t>(stage.slot)].description(),
                          dim, is_periodic ? cells_of(k) : 0, found.cells);
    for (int s = 0; s < table.fields; ++s) {
      const footprint& reads = stage.reads[s];
      if (table.evolves(s) || !reads.is_read) continue;
      auto& seen = first[static_cast<std::size_t>(s)];
      const index_t here = stage.low[dim] + reads.low[dim];
      found.is_near =
          found.is_near && reads.low[dim] == reads.high[dim] && seen.value_or(here) == here;
      seen = here;
    }
  }
  return found;
}

/// Along a dim, where other fields repeat themselves after so many cells, so does the one that a
/// stage writes, though it has no condition: all of its cells are written, and either they are one
/// period, or all follow in each step anew from fields that repeat themselves, wherever they are.
bool array_facts::follows_periods(int k, int dim, index_t extent, index_t period) const {
  const stage_table& stage = table.stage[k];
  if (stage.low[dim] != 0 || stage.high[dim] != 0) return false;
  bool reads_known = false;
  for (int s = 0; s < table.fields; ++s)
    reads_known = reads_known || (!table.evolves(s) && stage.reads[s].is_read);
  const bool follows = !reads_known && !stage.reads[0].uses_index && !table.has_history(stage.slot);
  return extent == period || (follows && extent > period);
}

/// Those of the fields that evolve, if conditions set cells of any.
bool array_facts::have_close_extents() const {
  if (keep_all_borders()) return true;
  for (int d = 0; d < table.rank; ++d) {
    index_t least = 0, most = 0;
    for (int s = 0; s < table.fields; ++s) {
      if (!table.evolves(s)) continue;
      const index_t n = fields[static_cast<std::size_t>(s)].extent(d);
      least = most == 0 ? n : std::min(least, n);
      most = std::max(most, n);
    }
    if (most - least > most_extents_differ) return false;
  }
  return true;
}

}  // namespace teff::runtime

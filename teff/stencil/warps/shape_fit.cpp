// SPDX-License-Identifier: MIT
#include <algorithm>
#include <utility>

#include <teff/stencil/warps/shape_fit.hpp>

namespace teff::runtime {

refusal shape_fit::refused() const {
  if (is_sensible()) return {};
  std::string all;
  const auto add = [&](bool is_there, const std::string& wants, int most) {
    if (!is_there)
      all += (all.empty() ? "" : ", ") + wants + " (at most " + std::to_string(most) + ")";
  };
  const auto n = [](int number) { return std::to_string(number); };
  add(is_near(), "reads neighbours " + n(radius) + " cells away", most_radius);
  add(columns.hold_borders(), "sets borders that take " + n(columns.least) + " columns",
      std::max(columns.kept, 0));
  add(rows.hold_borders(), "sets borders that take " + n(rows.least) + " rows",
      std::max(rows.kept, 0));
  const int cells_of_tile = columns.of * rows.of;
  const int delivered = std::max(columns.kept, 0) * std::max(rows.kept, 0);
  add(wastes_little(),
      "computes " + n(cells_of_tile - delivered) + " of a tile's " + n(cells_of_tile) +
          " cells only for others",
      cells_of_tile / 2);
  add(fits_registers(), "carries slabs in " + n(carried) + " registers of a thread",
      registers - registers_of_level());
  add(fits_shared_memory(), "takes " + n(shared_bytes) + " bytes of shared memory",
      most_shared_bytes);
  add(flops <= most_flops, "has " + n(flops) + " operations a cell", most_flops);
  add(flops_of_slab() <= most_flops_of_slab,
      "has " + n(flops_of_slab()) + " operations for a thread's cells of a slab",
      most_flops_of_slab);
  add(affords_conditions(), "has conditions at " + n(steps) + " steps", most_steps_with_conditions);
  if (is_for_others)
    all += std::string(all.empty() ? "" : ", ") + "is not what the shape was chosen for";
  return "a pass of " + n(steps) + " steps does not fit a GPU: it " + all;
}

refusal refused_all(const std::vector<shape_fit>& shapes) {
  const auto before = [](const shape_fit& a, const shape_fit& b) {
    return std::pair(a.is_for_others, a.steps) < std::pair(b.is_for_others, b.steps);
  };
  return std::min_element(shapes.begin(), shapes.end(), before)->refused();
}

refusal room_refused(int least, std::size_t shared_bytes) {
  if (static_cast<std::size_t>(least) <= shared_bytes) return {};
  return "a pass of this formula needs " + std::to_string(least) +
         " bytes of shared memory a block, the GPU has " + std::to_string(shared_bytes);
}

}  // namespace teff::runtime

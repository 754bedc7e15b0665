// SPDX-License-Identifier: MIT
#include <teff/stencil/resident/limits.hpp>

namespace teff::runtime {

index_t most_resident_bytes(device dev) {
  const device_info& on = known_device(dev);
  return on.processors * static_cast<index_t>(on.shared_bytes_per_block);
}

refusal resident_formula_refused() {
  return "resident takes 2-D steps over real fields that do not read the number of the step, "
         "with one stage for a field that is read at neighbours and written";
}

refusal resident_refused(const array_facts& arrays) {
  if (arrays.are_periodic()) return "resident does not know periodic fields";
  if (arrays.have_formulas()) return "resident does not know boundary conditions that are formulas";
  return arrays.refused(0);
}

refusal resident_refused(const resident_cut& cut) {
  if (cut.blocks[0] == 0) return "the fields do not fit in the GPU's shared memory";
  return {};
}

depth_choice resident_choice(const resident_cut& cut) {
  const double delivered = cut.core[0] * static_cast<double>(cut.core[1]);
  return {cut.steps_of_round, cut.step_cells() / delivered};
}

}  // namespace teff::runtime

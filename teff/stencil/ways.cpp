// SPDX-License-Identifier: MIT
#include <algorithm>

#include <teff/base/error.hpp>
#include <teff/stencil/way.hpp>

namespace teff::runtime {

// Of the way.cpp of each; that of levels/ is of tiles/ and warps/.
const way &stages_way(), &fused_way(), &levels_way(), &resident_way();

const std::vector<const way*>& ways() {
  static const std::vector<const way*> all{&stages_way(), &fused_way(), &levels_way(),
                                           &resident_way()};
  return all;
}

const way& way_of(schedule s) {
  return **std::find_if(ways().begin(), ways().end(),
                        [&](const way* one) { return one->schedule() == s; });
}

std::optional<int> way::depth_of(std::string_view text) const {
  if (text != short_text(1)) return {};
  return 1;
}

double operations_of(const step_facts& facts, schedule by) {
  const way_facts* const one = facts.of(by);
  return std::max(one != nullptr && one->flop > 0 ? one->flop : facts.flop, facts.cells);
}

void throw_no_kernel(const step_plan& plan, device dev) {
  throw error(failure::no_device, "a pass of time steps (" + plan_text(plan) + ") on " +
                                      dev.name() +
                                      " was compiled as plain C++ and has no kernel; compile it "
                                      "with nvcc (CMake: teff_enable_cuda(target))");
}

std::string steps_text(int steps) {
  return std::to_string(steps) + (steps == 1 ? " step" : " steps");
}

}  // namespace teff::runtime

// SPDX-License-Identifier: MIT
#include <teff/stencil/levels/way.hpp>

namespace teff::runtime {

const way& warps_way() {
  static const several_steps_per_pass the_way;
  return the_way;
}

}  // namespace teff::runtime

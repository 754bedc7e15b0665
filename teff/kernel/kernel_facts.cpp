// SPDX-License-Identifier: MIT
#include <array>
#include <cstdio>

#include <teff/kernel/kernel_facts.hpp>

namespace teff {

double kernel_facts::occupancy(device dev) const {
  return static_cast<double>(blocks_per_processor) * threads /
         known_device(dev).threads_per_processor;
}

std::string kernel_facts::text(device dev) const {
  std::array<char, 256> text{};
  std::snprintf(text.data(), text.size(),
                "%s; %d threads a block, %d registers%s, occupancy %.2f, %.0f kB in flight per "
                "multiprocessor (32 to 48 kB are needed)",
                shape.c_str(), threads, registers, local_bytes > 0 ? " and spills" : "",
                occupancy(dev), bytes_in_flight / 1000);
  return text.data();
}

}  // namespace teff

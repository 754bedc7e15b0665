// SPDX-License-Identifier: MIT
#include <teff/base/decimal.hpp>
#include <teff/kernel/kernel_facts.hpp>

namespace teff {

double kernel_facts::occupancy(device dev) const {
  return static_cast<double>(blocks_per_processor) * threads /
         known_device(dev).threads_per_processor;
}

std::string kernel_facts::use_text(device dev) const {
  return std::to_string(registers) + " registers" + (local_bytes > 0 ? " and spills" : "") +
         ", occupancy " + decimal(occupancy(dev), 2, decimal_form::fixed);
}

std::string kernel_facts::text(device dev) const {
  return shape + "; " + std::to_string(threads) + " threads a block, " + use_text(dev) + ", " +
         decimal(bytes_in_flight / 1000, 0, decimal_form::fixed) +
         " kB in flight per multiprocessor (32 to 48 kB are needed)";
}

}  // namespace teff

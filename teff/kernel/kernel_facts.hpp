// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>

#include <teff/base/device.hpp>

namespace teff {

/// A compiled GPU kernel in numbers, for explain() and the profile.
struct kernel_facts {
  std::string shape;             ///< in words
  int threads = 0;               ///< of a block
  int registers = 0;             ///< of a thread
  std::size_t local_bytes = 0;   ///< spilled to memory, of a thread
  std::size_t shared_bytes = 0;  ///< of a block
  int blocks_per_processor = 0;
  bool fills_registers = false;  ///< no multiprocessor has registers for one more block
  double bytes_in_flight = 0;    ///< loads of one multiprocessor that can be on their way together

  /// Resident threads of a multiprocessor, of those that it can have: 0 to 1.
  double occupancy(device dev) const;
  /// "40 registers and spills, occupancy 0.63".
  std::string use_text(device dev) const;
  /// "40 registers, occupancy 0.63, 60 kB in flight per multiprocessor (32 to 48 kB are needed)".
  std::string text(device dev) const;
};

}  // namespace teff

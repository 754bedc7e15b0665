// SPDX-License-Identifier: MIT
#pragma once

#include <teff/base/device.hpp>

namespace teff {

/// Throughput of the platform's own copy of memory far beyond the caches, measured on first use and
/// remembered for the program's run: the ceiling that reports of single runs compare with. The lab
/// measures its ceilings more carefully.
double measured_copy_gb_per_s(device dev);

}  // namespace teff

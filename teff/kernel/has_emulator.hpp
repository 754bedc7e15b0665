// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace teff {

/// "" where block kernels can be emulated on a CPU, else why not: this Teff was built without
/// Boost.Context.
std::string why_no_emulator();

}  // namespace teff

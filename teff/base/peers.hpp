// SPDX-License-Identifier: MIT
#pragma once

#include <teff/base/device.hpp>

namespace teff::runtime {

/// The hardware lets one GPU use memory of another one; never where either is no GPU, or both are
/// the same.
bool can_reach(device by, device of);

}  // namespace teff::runtime

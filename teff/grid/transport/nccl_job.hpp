// SPDX-License-Identifier: MIT
#pragma once

#include <teff/base/device.hpp>
#include <teff/grid/ranks.hpp>

/// Ranks that are processes, on GPUs: by what their messages travel.
namespace teff::runtime {

/// The same ranks, with messages between GPUs by NCCL, or as before where that can not be. For the
/// same ranks and device always the same transport. Collective.
/// @param timeout_s that a rank waits for others from now on
ranks between_gpus(const ranks& on, device dev, double timeout_s);

}  // namespace teff::runtime

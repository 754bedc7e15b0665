// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <teff/lab/result.hpp>
#include <teff/lab/selection.hpp>

namespace teff::lab {

/// Has the emulator count what the rungs that say `counts_sectors` ask for in global memory, on
/// the case's counted_shape and on the CPU, whatever the results' device; sets it in the results of
/// these rungs. Where there is no emulator, block kernels are left out.
void count_sectors(const std::vector<job>& jobs, std::vector<result>& results);

/// "4.00": sectors asked for, over those that are needed; "" where they were not counted.
std::string sectors_text(const result& r);

}  // namespace teff::lab

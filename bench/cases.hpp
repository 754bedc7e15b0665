// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <teff/lab/case.hpp>

namespace teff::bench {

/// Everything that `teff bench` and `teff lab` measure, in the order of the lessons: the one table
/// of cases. To add a case, write its prepare function and add a line here.
const std::vector<lab::bench_case>& cases();

/// What `teff peak` measures, and the ceilings of every other run.
const std::vector<lab::bench_case>& probes();

/// Version of the CUDA compiler that built the kernels: "13.0", or "none".
std::string cuda_compiler();

}  // namespace teff::bench

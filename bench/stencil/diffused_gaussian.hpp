// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include <teff/base/device.hpp>
#include <teff/base/index.hpp>

namespace teff::bench {

/// The lessons' temperature: a Gaussian of height 10 in a square of 10 by 10, after so many time
/// steps on `dev`. @shape (nx, ny), x contiguous
std::vector<double> diffused_gaussian(device dev, index_t nx, index_t ny, int steps);

}  // namespace teff::bench

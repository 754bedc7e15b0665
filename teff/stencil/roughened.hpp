// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

namespace teff::runtime {

/// Each value by up to a quarter of itself and up to half of the largest more. What is positive
/// stays so.
void roughen(std::vector<double>& cells);
void roughen(std::vector<float>& cells);

}  // namespace teff::runtime

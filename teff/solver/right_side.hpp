// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>

namespace teff::runtime {

/// The norm of a right-hand side, which residuals are relative to, where numbers have its square.
/// @param largest magnitude in it, asked for where the norm alone does not tell
/// @throws error (usage) where the square is too small or too large: else a small right-hand side
///         would count as 0, which u = 0 solves
double norm_of_right_side(double norm, const std::string& solver,
                          const std::function<double()>& largest);

}  // namespace teff::runtime

// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include <teff/lab/selection.hpp>

namespace teff::lab {

/// The jobs in parts, in the order in which a time that may be too short is spent best:
/// - of each job what a user would write (of each dim), one rung at least;
/// - single time steps, with which several steps per pass are compared;
/// - `charts`: what is drawn over sizes;
/// - all other rungs.
/// Only the first part may shrink (run_session).
std::vector<job> by_value(const std::vector<job>& jobs, const std::vector<job>& charts);

}  // namespace teff::lab

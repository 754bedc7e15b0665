// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <teff/lab/result.hpp>

namespace teff::lab {

/// One sentence on what a report shows: how close the heat step comes to the copy ceiling with one
/// step per pass, and how far beyond it with several; without a heat step, the best result of all.
/// Only verified results count. In fractions of the copy ceiling, because T_eff of a step that
/// reads and writes its unknown once is bounded by it.
std::string finding(const report& r);

}  // namespace teff::lab

// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <teff/lab/compare.hpp>
#include <teff/lab/result.hpp>

namespace teff::lab {

/// Results of two runs, "slower" first, as rows on a page: the interval of the ratio of the times,
/// what compare() says of it, and why. What is the same or unclear is folded.
/// @param found what compare(before, now) gave
std::string change_part(const comparison_report& found, const report& before);

}  // namespace teff::lab

// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <teff/lab/result.hpp>

/// What a reader of a report is told beside its finding.
namespace teff::lab {

/// What to do about a result that is far from its ceiling: to measure again where it was disturbed;
/// else what limits it, as far as that is known, and the command that shows more.
/// @returns a sentence or two in parts, of which every second is a command
std::vector<std::string> what_to_do(const report& all, const result& r);

/// "Left out: 45 of 224 results, of copy, gemv, wave2d and 2 more cases; nothing is there of:
/// wave2d f32.", in one line; "" where nothing was.
std::string left_out_text(const report& r);

/// "Others used this machine in 86 of 124 results, and its speed changed (copy ceiling 15.8 to 40.0
/// GB/s): shares may be off by as much."; "" where they did in less than one of twenty.
std::string disturbance_text(const report& r);

}  // namespace teff::lab

// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include <teff/lab/compare.hpp>
#include <teff/lab/result.hpp>

namespace teff::lab {

/// The report as JSON of schema 1, indented, with a final newline; ASCII only, so that no text in
/// it can steer a terminal.
std::string to_json(const report& r);

/// What `teff ab` found, likewise: instead of results "comparisons", each with the results "a" and
/// "b", "ratio", "interval", "verdict" and "reason".
std::string to_json(const machine& where, const comparison_report& found);

/// Reads JSON of schema 1. Unknown members are skipped, so that newer programs may add some. The
/// file may be anybody's: what takes more than it is worth, or contradicts itself, is refused.
/// @throws error with line and column of a syntax error, or the path and both sides of a mismatch
report from_json(std::string_view text);

/// Reads a file; the messages of from_json then start with its name.
/// @throws error also if it can not be read or is larger than 64 MB
report read_report(const std::string& path);

}  // namespace teff::lab

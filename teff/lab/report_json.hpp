// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include <teff/lab/result.hpp>

namespace teff::lab {

/// The report as JSON of schema 1, indented, with a final newline.
std::string to_json(const report& r);

/// Reads JSON of schema 1. Unknown members are skipped, so that newer programs may add some.
/// @throws error with line and column of a syntax error, or the path and both sides of a mismatch
report from_json(std::string_view text);

/// Reads a file; the messages of from_json then start with its name.
/// @throws error also if it can not be read or is larger than 256 MB
report read_report(const std::string& path);

}  // namespace teff::lab

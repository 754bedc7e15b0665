// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <teff/lab/compare.hpp>
#include <teff/lab/result.hpp>
#include <teff/lab/table.hpp>

namespace teff::lab {

/// The results for reading: rounded, units in the headers, the best of each case marked.
table table_of(const std::vector<result>& results);

/// The results for other programs: every number in full.
table full_table_of(const std::vector<result>& results);

/// What compare() found, one result a row.
table table_of(const comparison_report& found);

/// "copy f64 4096x4096: B takes 0.512 of A's time (0.50 to 0.53): faster"
std::string sentence(const comparison& c);

using runtime::joined;

/// Parts of such tables: "2.47 copy", so that it is clear what the number is a fraction of; "ok" or
/// "FAILED".
std::string fraction_text(const result& r);
std::string check_text(const check_result& c);

/// "copy 12.1, triad 11.8, read 14.0, write 9.6 GB/s; 71.0 GFLOP/s f64, 140 f32", or "none"
std::string text_of(const limits& ceilings);

}  // namespace teff::lab

// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <vector>

#include <teff/lab/case.hpp>
#include <teff/lab/report_charts.hpp>
#include <teff/lab/report_overview.hpp>
#include <teff/lab/table.hpp>

namespace teff::lab {

/// A table that a reader opens; a wide one can be scrolled.
std::string folded(const table& t, const std::string& summary);

/// What a page shows of one case: what it is about, its charts, its ladder and all results.
std::string case_part(const report& r, const case_section& section,
                      std::span<const bench_case> cases, const std::vector<case_finding>& findings,
                      const variant_colours& colours);

}  // namespace teff::lab

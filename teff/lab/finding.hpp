// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <teff/lab/result.hpp>

namespace teff::lab {

/// One of what `teff peak` measures, from which the ceilings come.
bool is_probe(const result& r);

/// One sentence on what a report shows: how close the heat step comes to the copy ceiling with one
/// step per pass, and how far beyond it with several; without a heat step, the best result of all;
/// of probes alone, the ceilings, since a probe beside the ceiling is beside itself.
/// Only verified results count. In fractions of the copy ceiling, because T_eff of a step that
/// reads and writes its unknown once is bounded by it; of merged runs in fractions of the ceiling
/// that each result was rated by.
std::string finding(const report& r);

/// What one result says, in plain language.
struct case_finding {
  const result* best = nullptr;  ///< in the report
  std::string sentence;          ///< begins with a small letter: "0.970 of the copy ceiling: ..."
};

/// For each case, device, type and dim, in the order of the report: its best result, on the most
/// cells; how close it comes to its ceiling and what is left to gain, or how far several steps per
/// pass lead beyond it.
std::vector<case_finding> case_findings(const report& r);

}  // namespace teff::lab

// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <teff/lab/result.hpp>

namespace teff::lab {

/// One of what `teff peak` measures, from which the ceilings come.
bool is_probe(const std::string& case_name);
bool is_probe(const result& r);

/// One sentence on what a report shows: how close the heat step comes to its ceiling with one step
/// per pass, and how far beyond it with several; of a sweep over ranks
/// what more of them gain; without a heat step, the best result of all; of
/// probes alone, the ceilings, since a probe beside the ceiling is beside itself. Only verified
/// results count, rated and on the shape as in case_findings().
std::string finding(const report& r);

/// True if its fraction of the ceiling says how well it uses memory: it is no probe, does not fit
/// in the cache, and memory limits it rather than arithmetic.
bool has_share(const report& all, const result& r);

/// What one result says, in plain language.
struct case_finding {
  const result* best = nullptr;  ///< in the report
  std::string sentence = {};     ///< begins with a small letter: "0.970 of the copy ceiling: ..."
  /// The fastest with one step per pass on the same shape, where the best takes several; else null.
  const result* single = nullptr;
};

/// For each case, device, type and dim, in the order of the report: its best result, on the most
/// cells; how close it comes to the ceiling that it is rated by, there and on all shapes, and what
/// is left to gain, or how far several steps per pass lead beyond it and what limits their
/// kernel.
std::vector<case_finding> case_findings(const report& r);

}  // namespace teff::lab

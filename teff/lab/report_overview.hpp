// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <vector>

#include <teff/lab/case.hpp>
#include <teff/lab/finding.hpp>
#include <teff/lab/result.hpp>

/// What a page shows of all cases together: their shares of the ceilings as one chart, and what is
/// said of each, by groups.
namespace teff::lab {

/// Results of one case.
struct case_section {
  std::string name, anchor;
  std::string group;  ///< as the table of cases has it
  std::vector<result> results;
};

/// In the order of the table of cases; what it does not know comes last.
std::vector<case_section> sections_of(const report& r, std::span<const bench_case> cases);

/// What was found of one case on one device along one dim: a finding for each type.
struct case_share {
  const case_section* section = nullptr;
  std::vector<const case_finding*> findings;

  const result& first() const { return *findings.front()->best; }
  /// The least of its types; none if no type has a share.
  std::optional<double> share(const report& r) const;
};

/// Least share first, so that what has most left to gain is on top; those without a share last.
std::vector<case_share> shares_of(const report& r, const std::vector<case_section>& sections,
                                  const std::vector<case_finding>& findings);

/// Types in the order of the report.
std::vector<std::string> types_of(const report& r);

/// What has most left to gain; null where nothing has.
const result* farthest_result(const report& r, const std::vector<case_share>& shares);

/// "Within 5 % of the ceiling: 9 of 27 rows; beyond it, by several steps per pass: 8. Farthest from
/// its ceiling is gemv f32: 0.653 of the read ceiling (best, 64x64)."; "" where nothing has
/// anything left to gain.
std::string least_share(const report& r, const std::vector<case_share>& shares);

/// A row for each case with a share: a bar for each type, on one scale, and the ceiling as a line.
/// With several steps per pass the part beyond one step per pass has a colour of its own.
std::string overview_part(const report& r, const std::vector<case_share>& shares);

/// The groups that `shares` are of, in the order of the sections.
std::vector<std::string> groups_of(const std::vector<case_section>& sections);

/// "group-time-steps"
std::string anchor_of_group(const std::string& group);

/// The sentences, group by group, each with its bars on the scale of the chart.
std::string findings_part(const report& r, const std::vector<case_section>& sections,
                          const std::vector<case_share>& shares);

}  // namespace teff::lab

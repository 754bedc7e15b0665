// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <map>

#include <teff/lab/compare.hpp>
#include <teff/lab/table.hpp>

namespace teff::lab {

namespace {

using results_by_identity = std::map<std::string, const result*>;

results_by_identity index_of(const report& r, const char* which,
                             std::vector<std::string>& warnings) {
  results_by_identity found;
  for (const result& one : r.results)
    if (!found.emplace(identity_of(one), &one).second)
      warnings.push_back(std::string(which) + " holds '" + identity_of(one) +
                         "' more than once; the first counts");
  return found;
}

std::string why_not_comparable(const result& r, const char* which) {
  if (!r.time)
    return std::string("no time in ") + which + (r.reason.empty() ? "" : ": " + r.reason);
  if (!r.check.ok) return std::string("unverified in ") + which;
  return "";
}

judgement judge(const result& a, const result& b, const compare_options& options) {
  judgement found;
  found.reason = why_not_comparable(a, "A");
  if (found.reason.empty()) found.reason = why_not_comparable(b, "B");
  return found.reason.empty() ? judge(a.time->samples_s, b.time->samples_s, options) : found;
}

void warn_if_different(const std::string& what, const std::string& a, const std::string& b,
                       std::vector<std::string>& warnings) {
  if (a != b) warnings.push_back("different " + what + ": A '" + a + "', B '" + b + "'");
}

}  // namespace

const char* name_of(verdict v) {
  switch (v) {
    case verdict::same:
      return "same";
    case verdict::faster:
      return "faster";
    case verdict::slower:
      return "slower";
    case verdict::unclear:
      break;
  }
  return "unclear";
}

judgement judge(std::span<const double> a, std::span<const double> b,
                const compare_options& options) {
  judgement found;
  const auto least = static_cast<std::size_t>(std::max(1, options.min_samples));
  if (a.size() < least || b.size() < least) {
    found.reason =
        counted(std::min(a.size(), b.size()), "sample") + ", needs " + std::to_string(least);
    if (a.empty() || b.empty()) return found;
  }
  found.ratio = median(b) / median(a);
  found.range = median_ratio_interval(a, b, options.bootstrap);
  if (!found.reason.empty()) return found;
  const bool differs = !found.range.contains(1.0);
  const bool matters = std::abs(found.ratio - 1) > options.threshold;
  const bool within =
      found.range.lower >= 1 - options.threshold && found.range.upper <= 1 + options.threshold;
  if (differs && matters)
    found.what = found.ratio > 1 ? verdict::slower : verdict::faster;
  else if (within || (differs && !matters))
    found.what = verdict::same;
  else
    found.reason = "the samples scatter too much";
  return found;
}

std::string identity_of(const result& r) {
  return r.case_name + " " + r.variant + " " + r.device + " " + r.type + " " + shape_text(r.shape) +
         (r.has_flag(flag::cold_cache) ? " cold" : "");
}

bool comparison_report::has_regression() const {
  return std::ranges::any_of(common,
                             [](const comparison& c) { return c.found.what == verdict::slower; });
}

comparison_report compare(const report& a, const report& b, const compare_options& options) {
  comparison_report all;
  warn_if_different("device", a.where.device_name, b.where.device_name, all.warnings);
  warn_if_different("driver", a.where.driver, b.where.driver, all.warnings);
  const results_by_identity in_a = index_of(a, "A", all.warnings);
  const results_by_identity in_b = index_of(b, "B", all.warnings);
  // In the order of A, which is the order of the table that its user saw.
  for (const result& one : a.results) {
    const std::string identity = identity_of(one);
    if (in_a.at(identity) != &one) continue;
    const auto partner = in_b.find(identity);
    if (partner == in_b.end())
      all.only_in_a.push_back(identity);
    else
      all.common.push_back({&one, partner->second, judge(one, *partner->second, options)});
  }
  for (const result& one : b.results)
    if (in_b.at(identity_of(one)) == &one && !in_a.contains(identity_of(one)))
      all.only_in_b.push_back(identity_of(one));
  return all;
}

}  // namespace teff::lab

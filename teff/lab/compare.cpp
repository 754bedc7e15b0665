// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include <teff/lab/compare.hpp>
#include <teff/lab/table.hpp>

namespace teff::lab {

namespace {

constexpr const char* measure_in_turns = "; teff ab measures both in turns";

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

/// An interval as wide as from a quarter to four times says nothing at all.
constexpr double hopeless_width = 16;

/// The verdict that follows from a ratio and its interval.
judgement concluded(const ratio_estimate& found, double threshold) {
  if (!(found.range.upper <= hopeless_width * found.range.lower))
    return {.reason =
                "the samples scatter so widely that they say nothing: measure again while "
                "nobody else uses the machine"};
  judgement j{.ratio = found.ratio, .range = found.range};
  const bool differs = !found.range.contains(1.0);
  const bool matters = std::abs(found.ratio - 1) > threshold;
  const bool within = found.range.lower >= 1 - threshold && found.range.upper <= 1 + threshold;
  if (differs && matters)
    j.what = found.ratio > 1 ? verdict::slower : verdict::faster;
  else if (within)
    j.what = verdict::same;
  else
    j.reason = "the samples scatter too much";
  return j;
}

/// How much slower B's machine was than A's, by the ceilings of the runs that measured two results;
/// 1 where these are not known, and for two kinds of device, which are meant to differ.
double slowness_of_machine(const comparison& c, const report& all_a, const report& all_b) {
  const mix m = c.a->ceiling;
  const auto &of_a = ceilings_of(all_a, *c.a).of(m), &of_b = ceilings_of(all_b, *c.b).of(m);
  const bool is_known = of_a && of_b && *of_a > 0 && *of_b > 0;
  return is_known && all_a.where.device_name == all_b.where.device_name ? *of_a / *of_b : 1;
}

std::string changed_machine(const comparison& c, const report& all_a, const report& all_b) {
  const mix m = c.a->ceiling;
  return std::string("the machine changed: ") + name_of(m) + " ceiling " +
         significant(*ceilings_of(all_a, *c.a).of(m), 3) + " GB/s in A, " +
         significant(*ceilings_of(all_b, *c.b).of(m), 3) + " in B" + measure_in_turns;
}

judgement judge(const result& a, const result& b, const report& all_a, const report& all_b,
                const compare_options& options) {
  judgement found;
  found.reason = why_not_comparable(a, b);
  if (!found.reason.empty()) return found;
  found = judge(a.time->samples_s, b.time->samples_s, options);
  // How much the others took is not in the samples: it may have been half of all of them.
  for (const auto& [r, which] : {std::pair(&a, "A"), std::pair(&b, "B")})
    if (found.what != verdict::unclear && r->has_flag(flag::shared_device)) {
      found.what = verdict::unclear;
      found.reason = std::string("others used the device during ") + which + measure_in_turns;
    }
  const double slowness = slowness_of_machine({&a, &b, {}}, all_a, all_b);
  if (std::abs(slowness - 1) <= options.threshold || found.what == verdict::unclear) return found;
  // What holds for the times must hold for the fractions of the ceiling too.
  const ratio_estimate of_fractions{found.ratio / slowness,
                                    {found.range.lower / slowness, found.range.upper / slowness}};
  if (concluded(of_fractions, options.threshold).what != found.what) {
    found.what = verdict::unclear;
    found.reason = changed_machine({&a, &b, {}}, all_a, all_b);
  }
  return found;
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
  const auto least = static_cast<std::size_t>(std::max(2, options.min_samples));
  if (a.size() >= least && b.size() >= least)
    return concluded(ratio_of_medians(a, b), options.threshold);
  judgement found;
  found.reason =
      counted(std::min(a.size(), b.size()), "sample") + ", needs " + std::to_string(least);
  if (!a.empty() && !b.empty()) found.ratio = median(b) / median(a);
  return found;
}

judgement judge_pairs(std::span<const double> a, std::span<const double> b,
                      const compare_options& options) {
  constexpr std::size_t least = 8;  // below which no interval excludes anything
  if (a.size() >= least) return concluded(ratio_of_pairs(a, b), options.threshold);
  judgement found;
  found.reason = counted(a.size(), "pair") + ", needs " + std::to_string(least);
  if (!a.empty()) found.ratio = ratio_of_pairs(a, b).ratio;
  return found;
}

bool is_narrow(const ratio_estimate& found, double threshold) {
  const double width = found.range.upper - found.range.lower;
  return width <= std::max(threshold * found.ratio, std::abs(found.ratio - 1) / 4);
}

bool has_settled(std::span<const double> a, std::span<const double> b, double threshold) {
  constexpr std::size_t pairs_between_looks = 10;
  return a.size() % pairs_between_looks == 0 && is_narrow(ratio_of_pairs(a, b), threshold);
}

judgement judge_pairs(const result& a, const result& b, const compare_options& options) {
  judgement found;
  found.reason = why_not_comparable(a, b);
  return found.reason.empty() ? judge_pairs(a.time->samples_s, b.time->samples_s, options) : found;
}

std::string why_not_comparable(const result& a, const result& b) {
  const std::string reason = why_not_comparable(a, "A");
  return reason.empty() ? why_not_comparable(b, "B") : reason;
}

std::string what_would_tell(const comparison& c, std::size_t most_pairs, double taken_s,
                            double threshold) {
  const judgement& found = c.found;
  if (found.what != verdict::unclear || found.range.upper <= 0) return "";
  // As much narrower as is needed, squared: chance goes with the root of the number.
  const double width = (found.range.upper - found.range.lower) / (threshold * found.ratio);
  const double more = std::max(1.0, width * width);
  const double pairs = more * static_cast<double>(c.a->time->samples_s.size());
  if (pairs > static_cast<double>(most_pairs))
    return std::to_string(most_pairs) + " pairs would hardly tell: use a quiet machine, a larger " +
           "--shape, or a larger --threshold";
  return "some " + std::to_string(std::lround(pairs)) + " pairs would tell, by --budget " +
         std::to_string(std::max(1L, std::lround(more * taken_s)));
}

std::string what_the_clock_hides(const comparison& c, double clock_step_s, double threshold) {
  if (!c.a->time || !c.b->time || !c.a->has_flag(flag::cold_cache)) return "";
  const double part = clock_step_s / std::min(c.a->time->median_s, c.b->time->median_s);
  if (part <= threshold) return "";
  return "the clock goes in steps of " + time_text(clock_step_s) + ", which is " +
         significant(100 * part, 2) + " % of such a run";
}

std::string identity_of(const result& r) {
  return r.case_name + " " + r.variant + " " + r.device + " " + r.type + " " + shape_text(r.shape) +
         ranks_text(r) + (r.has_flag(flag::cold_cache) ? " cold" : "");
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
      all.common.push_back({&one, partner->second, judge(one, *partner->second, a, b, options)});
  }
  for (const result& one : b.results)
    if (in_b.at(identity_of(one)) == &one && !in_a.contains(identity_of(one)))
      all.only_in_b.push_back(identity_of(one));
  return all;
}

}  // namespace teff::lab

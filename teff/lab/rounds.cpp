// SPDX-License-Identifier: MIT
#include <algorithm>

#include <teff/lab/rounds.hpp>

namespace teff::lab {

namespace {

void add_once(const std::vector<std::string>& more, std::vector<std::string>& all) {
  for (const std::string& text : more)
    if (std::ranges::find(all, text) == all.end()) all.push_back(text);
}

/// Adds the samples, flags and failed check of one more run.
void merge(const result& run, result& all) {
  std::vector<double> samples = all.time ? all.time->samples_s : std::vector<double>{};
  if (run.time)
    samples.insert(samples.end(), run.time->samples_s.begin(), run.time->samples_s.end());
  if (!samples.empty()) all.time = timing_of(std::move(samples));
  add_once(run.flags, all.flags);
  if (all.check.ok) all.check = run.check;
}

/// Where all rounds are gathered: neither the time of one of them nor the fraction that follows
/// from it.
result without_time(result r) {
  r.time.reset();
  if (r.fraction_of_ceiling && r.reason.empty())
    r.reason = "no fraction of a ceiling: the times are of several runs";
  r.fraction_of_ceiling.reset();
  return r;
}

}  // namespace

rounds::entry& rounds::entry_of(const result& a, const result& b) {
  const std::string identity = identity_of(a);
  const auto found =
      std::ranges::find_if(entries_, [&](const entry& e) { return identity_of(e.a) == identity; });
  if (found != entries_.end()) return *found;
  return entries_.emplace_back(entry{without_time(a), without_time(b), {}, {}});
}

void rounds::add(const report& a, const report& b) {
  const comparison_report round = compare(a, b);
  add_once(round.only_in_a, only_in_a_);
  add_once(round.only_in_b, only_in_b_);
  add_once(round.warnings, warnings_);
  for (const comparison& c : round.common) {
    entry& e = entry_of(*c.a, *c.b);
    merge(*c.a, e.a);
    merge(*c.b, e.b);
    if (!c.a->time || !c.b->time) continue;
    e.medians_a.push_back(c.a->time->median_s);
    e.medians_b.push_back(c.b->time->median_s);
  }
}

comparison_report rounds::judged(const compare_options& options) const {
  comparison_report all{{}, only_in_a_, only_in_b_, warnings_};
  for (const entry& e : entries_) {
    judgement found;
    found.reason = why_not_comparable(e.a, e.b);
    if (found.reason.empty()) found = judge_pairs(e.medians_a, e.medians_b, options);
    all.common.push_back({&e.a, &e.b, std::move(found)});
  }
  return all;
}

}  // namespace teff::lab

// SPDX-License-Identifier: MIT
#include <algorithm>
#include <utility>

#include <teff/lab/all_limits.hpp>
#include <teff/lab/ceiling_watch.hpp>
#include <teff/lab/measure.hpp>
#include <teff/lab/report_table.hpp>
#include <teff/lab/table.hpp>

namespace teff::lab {

namespace {

/// Beyond this the machine was not the same all the time.
constexpr double most_drift = 0.1;
/// The part of a session that ceilings between the jobs may take.
constexpr double most_part = 0.1;

/// The limit that a probe's result may set; null if it sets none.
std::optional<double> limits::*limit_set_by(const result& r) {
  if (!r.is_verified()) return nullptr;
  if (r.a_eff_bytes == 0)
    return r.type == "f32" ? &limits::f32_gflop_per_s : &limits::f64_gflop_per_s;
  if (r.has_flag(flag::fits_in_cache)) return nullptr;
  return std::ranges::find(all_limits, std::string(name_of(r.ceiling)), &limit::name)->value;
}

std::optional<double> rate_of(const result& probe) {
  return probe.a_eff_bytes == 0 ? probe.gflop_per_s() : probe.t_eff_gb_per_s();
}

}  // namespace

void ceiling_watch::take(const std::vector<result>& found) {
  const limits now = ceilings_from(found);
  for (const limit& l : all_limits) {
    const std::optional<double>& one = now.*l.value;
    std::optional<double>& least = lowest_.*l.value;
    if (one) least = least ? std::min(least, one) : one;
  }
  found_.insert(found_.end(), found.begin(), found.end());
  highest_ = ceilings_from(found_);
}

void ceiling_watch::follow(std::span<const result> results, double part_so_far) {
  for (const mix m : all_mixes) {
    if (!highest_.of(m) || !std::ranges::any_of(results, [&](const result& r) {
          return r.ceiling == m && r.time && r.reason.empty() && !r.has_flag(flag::fits_in_cache);
        }))
      continue;
    const result* passes = passing(results, m);
    if (passes != nullptr)
      measure_again(m, *passes);
    else if (part_so_far <= most_part)
      take(measure_(probes_of(m, fastest(m))));
  }
}

void ceiling_watch::follow_passing(std::span<const result> results) {
  for (const mix m : all_mixes)
    if (const result* passes = passing(results, m)) measure_again(m, *passes);
}

std::vector<std::string> ceiling_watch::notes() const {
  std::vector<std::string> all = passed_;
  for (const limit& l : all_limits) {
    const auto low = lowest_.*l.value, high = highest_.*l.value;
    if (!low || !high || *high - *low <= most_drift * *high) continue;
    all.push_back(std::string("the machine changed its speed: ") + l.name + " ceiling " +
                  significant(*low, 3) + " to " + significant(*high, 3) + " " + l.unit +
                  "; fractions refer to the highest");
  }
  return all;
}

const result* ceiling_watch::passing(std::span<const result> results, mix m) const {
  for (const result& r : results) {
    result rated = r;
    rate(rated, highest_);
    if (r.ceiling == m && r.is_verified() && rated.has_flag(flag::above_ceiling)) return &r;
  }
  return nullptr;
}

void ceiling_watch::measure_again(mix m, const result& passes) {
  const double before = *highest_.of(m);
  const std::vector<job> all = probes_of(m, nullptr);
  const std::vector<result> again = measure_(all);
  if (again.empty()) return;  // no time
  take(again);
  const std::string who = passes.case_name + " " + passes.variant + " " + passes.type;
  const std::string name = std::string(name_of(m)) + " ceiling";
  passed_.push_back(*highest_.of(m) > before
                        ? who + " passed the " + name + ", " + significant(before, 3) +
                              " GB/s; measured again it is " + significant(*highest_.of(m), 3) +
                              " GB/s, which counts"
                        : who + " passed the " + name + ", " + significant(before, 3) +
                              " GB/s, which was not higher when it was measured again");
}

/// The probe that set the ceiling of a mix.
const result* ceiling_watch::fastest(mix m) const {
  for (const result& r : found_)
    if (r.a_eff_bytes > 0 && r.ceiling == m && limit_set_by(r) != nullptr &&
        rate_of(r) == highest_.of(m))
      return &r;
  return nullptr;
}

/// The probes of a mix, or the one whose result is given.
std::vector<job> ceiling_watch::probes_of(mix m, const result* only) const {
  std::vector<job> some;
  for (const job& j : probes_) {
    job kept = j;
    std::erase_if(kept.rungs, [&](const rung& r) {
      return std::ranges::none_of(found_, [&](const result& one) {
        return one.case_name == j.what->name && one.type == j.where.type && one.variant == r.name &&
               one.a_eff_bytes > 0 && one.ceiling == m && (only == nullptr || &one == only);
      });
    });
    if (!kept.rungs.empty()) some.push_back(std::move(kept));
  }
  return some;
}

limits ceilings_from(const std::vector<result>& probe_results) {
  limits found;
  for (const result& r : probe_results)
    if (const auto value = limit_set_by(r)) found.*value = std::max(found.*value, rate_of(r));
  return found;
}

std::string doubts_about_ceilings(const std::vector<result>& probe_results) {
  const limits found = ceilings_from(probe_results);
  std::string doubts;
  for (const limit& l : all_limits)
    for (const result& r : probe_results) {
      if (limit_set_by(r) != l.value || rate_of(r) != found.*l.value || r.flags.empty()) continue;
      doubts += (doubts.empty() ? "" : "; ") + std::string(l.name) + " (" + joined(r.flags) + ")";
      break;
    }
  return doubts.empty() ? "" : "ceilings that may be higher on a quiet machine: " + doubts;
}

}  // namespace teff::lab

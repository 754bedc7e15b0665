// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>

#include <teff/lab/finding.hpp>
#include <teff/lab/measure.hpp>
#include <teff/lab/report_table.hpp>
#include <teff/lab/table.hpp>

namespace teff::lab {

namespace {

constexpr const char* heat_step = "diffusion2d";

bool is_trusted(const result& r) {
  return r.is_verified() && !r.has_flag(flag::above_ceiling);
}

/// What a result is compared with: T_eff over the copy ceiling; of runs that were put together,
/// each with ceilings of its own, over the one that the result was rated by. Absent if that was not
/// measured.
std::optional<double> part_of_ceiling(const result& r, const report& all) {
  if (all.runs > 1) return r.fraction_of_ceiling;
  const auto copy = all.ceilings.copy_gb_per_s;
  return copy && *copy > 0 ? std::optional(*r.t_eff_gb_per_s() / *copy) : std::nullopt;
}

/// Not in the cache and not on a small shape, if there is any other.
bool speaks_of_memory(const result& r) {
  return !r.has_flag(flag::fits_in_cache) && !r.has_flag(flag::smaller);
}

/// The fastest trusted heat step of a type with one step per pass, or null.
const result* fastest_single(const report& r, const std::string& type) {
  const result* best = nullptr;
  for (const result& one : r.results) {
    if (one.case_name != heat_step || one.type != type || one.steps_per_pass > 1) continue;
    if (!is_trusted(one) || !part_of_ceiling(one, r)) continue;
    if (best == nullptr || speaks_of_memory(one) > speaks_of_memory(*best) ||
        (speaks_of_memory(one) == speaks_of_memory(*best) &&
         one.t_eff_gb_per_s() > best->t_eff_gb_per_s()))
      best = &one;
  }
  return best;
}

/// True if a report holds the variant whose bits a result was found to have; another formula's
/// single steps are in none.
bool has_its_single_steps(const report& all, const result& several) {
  return several.check.same_bits_as.empty() ||
         std::ranges::any_of(all.results, [&](const result& r) {
           return r.case_name == several.case_name && r.variant == several.check.same_bits_as;
         });
}

/// The fastest trusted one with several steps per pass of the same formula, on the same shape.
const result* fastest_several(const report& r, const result& single) {
  const result* best = nullptr;
  for (const result& one : r.results)
    if (one.case_name == heat_step && one.type == single.type && one.device == single.device &&
        one.shape == single.shape && one.steps_per_pass > 1 && is_trusted(one) &&
        part_of_ceiling(one, r) && has_its_single_steps(r, one) &&
        (best == nullptr || one.t_eff_gb_per_s() > best->t_eff_gb_per_s()))
      best = &one;
  return best;
}

std::string where(const result& r) {
  return r.device + ", " + r.type + ", " + shape_text(r.shape) + ", " + r.variant;
}

std::string about_steps(const report& r, const result& single, const result* several) {
  const auto part = [&](const result& one) { return significant(*part_of_ceiling(one, r), 3); };
  std::string text = "The heat step reaches " + part(single) + " of the " +
                     (r.runs > 1 ? name_of(single.ceiling) : "copy") +
                     " ceiling with one step per pass (" + where(single) + ")" +
                     (single.has_flag(flag::fits_in_cache) ? " in the cache" : "");
  if (several == nullptr) return text + ".";
  text += " and " + part(*several) + " times it with " + std::to_string(several->steps_per_pass) +
          " steps per pass";
  return text + (several->check.same_bits_as.empty() ? "." : ", with the same bits.");
}

/// In whole percents, or tenths below one. What is said to be the most is rounded up, the least
/// down; but for a slip of the division.
constexpr double slip = 1e-9;
double percent_unit(double fraction) {
  return fraction < 0.01 ? 0.001 : 0.01;
}
std::string percent(double fraction) {
  return significant(100 * fraction, fraction < 0.0995 ? 1 : 2) + " %";
}
std::string at_most(double fraction) {
  const double unit = percent_unit(fraction);
  return "at most " + percent(unit * std::ceil(fraction / unit - slip));
}
std::string at_least(double fraction) {
  const double unit = percent_unit(fraction);
  return "at least " + percent(unit * std::floor(fraction / unit + slip));
}

/// Of what a report has several shapes, one finding is made.
auto subject_of(const result& r) {
  return std::tie(r.case_name, r.device, r.type, r.dim);
}

/// The single steps whose bits a result has, on the same shape; null if they were not measured.
const result* single_steps(const report& all, const result& several) {
  for (const result& r : all.results)
    if (is_trusted(r) && r.steps_per_pass == 1 && subject_of(r) == subject_of(several) &&
        r.shape == several.shape && r.variant == several.check.same_bits_as)
      return &r;
  return nullptr;
}

/// A right result of the same on the same shape that is faster than its ceiling; null if there is
/// none.
const result* beyond_ceiling(const report& all, const result& r) {
  for (const result& one : all.results)
    if (one.is_verified() && one.has_flag(flag::above_ceiling) && one.fraction_of_ceiling &&
        subject_of(one) == subject_of(r) && one.shape == r.shape)
      return &one;
  return nullptr;
}

std::string about_one_pass(const report& all, const result& r, double fraction) {
  const std::string text = significant(fraction, 3) + " of the " + name_of(r.ceiling) + " ceiling";
  if (const result* beyond = beyond_ceiling(all, r))
    return text + ", but " + beyond->variant + " reaches " +
           significant(*beyond->fraction_of_ceiling, 3) +
           " of it: that ceiling is too low to judge by";
  return text + ": " +
         (fraction < 0.995 ? at_most(1 - fraction) + " of the time is" : "nothing is") +
         " left to gain in one pass";
}

std::string about_passes(const report& all, const result& r, double fraction) {
  const double traffic = fraction / r.steps_per_pass;
  std::string text = significant(fraction, 3) + " times the " + name_of(r.ceiling) +
                     " ceiling, with " + std::to_string(r.steps_per_pass) + " steps per pass";
  if (!r.check.same_bits_as.empty()) text += " and the bits of " + r.check.same_bits_as;
  text += "; memory is busy for " + at_least(traffic) + " of the time";
  if (const result* single = single_steps(all, r))
    text += "; " + significant(single->time->median_s / r.time->median_s, 3) +
            " times as fast as one step per pass";
  return text;
}

/// A probe is no result beside a ceiling: the fastest is the ceiling.
std::string about_probe(const result& r) {
  std::string text = significant(*r.t_eff_gb_per_s(), 4) + " GB/s";
  if (!r.fraction_of_ceiling) return text;
  const std::string ceiling = "the " + std::string(name_of(r.ceiling)) + " ceiling";
  if (std::abs(*r.fraction_of_ceiling - 1) < slip) return text + ", which is " + ceiling;
  return text + "; " + ceiling + " is " +
         significant(*r.t_eff_gb_per_s() / *r.fraction_of_ceiling, 4) + " GB/s";
}

/// How many times as fast as the slowest variant on the same shape; "" where it is that one.
std::string about_slowest(const report& all, const result& r) {
  const result* slowest = &r;
  for (const result& one : all.results)
    if (is_trusted(one) && subject_of(one) == subject_of(r) && one.shape == r.shape &&
        one.time->median_s > slowest->time->median_s)
      slowest = &one;
  if (slowest == &r) return "";
  return "; " + significant(slowest->time->median_s / r.time->median_s, 3) + " times as fast as " +
         slowest->variant;
}

/// Where nothing is moved.
std::string about_arithmetic(const report& all, const result& r) {
  if (!r.gflop_per_s()) return "moves nothing and computes nothing that was counted";
  const double peak = r.type == "f64"   ? all.ceilings.f64_gflop_per_s.value_or(0)
                      : r.type == "f32" ? all.ceilings.f32_gflop_per_s.value_or(0)
                                        : 0;
  const std::string rate = significant(*r.gflop_per_s(), 4) + " GFLOP/s";
  if (is_probe(r) && peak > 0 && *r.gflop_per_s() >= peak)
    return rate + ", which is peak " + r.type;
  return peak > 0 ? rate + ", " + significant(*r.gflop_per_s() / peak, 2) + " of peak " + r.type
                  : rate;
}

std::string sentence_on(const report& all, const result& r) {
  if (r.a_eff_bytes == 0) return about_arithmetic(all, r);
  std::string text = significant(*r.t_eff_gb_per_s(), 4) + " GB/s";
  if (r.has_flag(flag::fits_in_cache))
    text += " in the cache: no statement about memory";
  else if (is_probe(r))
    text = about_probe(r);
  else if (r.fraction_of_ceiling)
    text = r.steps_per_pass == 1 ? about_one_pass(all, r, *r.fraction_of_ceiling)
                                 : about_passes(all, r, *r.fraction_of_ceiling);
  else
    text +=
        (r.reason.empty() ? ", and no ceiling was measured to compare it with" : "; " + r.reason) +
        about_slowest(all, r);
  if (r.has_flag(flag::noisy)) text += "; noisy: see the spread of its samples";
  if (r.has_flag(flag::shared_device)) text += "; others used the device meanwhile";
  return text;
}

/// Where nothing but probes was measured: they are what others are compared with.
std::string about_probes(const report& r) {
  if (!r.ceilings.t_peak_gb_per_s())
    return "No ceilings were measured, or several runs do not agree on them.";
  return "The ceilings of this machine: " + text_of(r.ceilings) + ".";
}

std::string about_unrated(const report& r) {
  std::vector<const result*> trusted;
  for (const result& one : r.results)
    if (is_trusted(one)) trusted.push_back(&one);
  if (trusted.empty()) return "No verified result to draw a conclusion from.";
  if (std::ranges::all_of(trusted, [](const result* one) { return is_probe(*one); }))
    return about_probes(r);
  for (const case_finding& f : case_findings(r))  // what memory does not limit
    if (r.ceilings.t_peak_gb_per_s() && !f.best->reason.empty())
      return f.best->case_name + " reaches " + f.sentence + " (" + where(*f.best) + ").";
  return "No ceiling was measured, so there is nothing to compare the results with.";
}

std::string about_best(const report& r) {
  const result* best = nullptr;
  const auto is_better = [&](const result& one) {
    if (best == nullptr) return true;
    const bool in_cache = one.has_flag(flag::fits_in_cache);
    if (in_cache != best->has_flag(flag::fits_in_cache)) return !in_cache;
    return *one.fraction_of_ceiling > *best->fraction_of_ceiling;
  };
  for (const result& one : r.results)
    if (is_trusted(one) && !is_probe(one) && one.fraction_of_ceiling && is_better(one)) best = &one;
  if (best == nullptr) return about_unrated(r);
  return best->case_name + " reaches " + significant(*best->fraction_of_ceiling, 3) + " of the " +
         name_of(best->ceiling) + " ceiling (" + where(*best) + ")" +
         (best->has_flag(flag::fits_in_cache) ? ", in the cache." : ".");
}

}  // namespace

bool is_probe(const result& r) {
  return r.case_name.starts_with("peak-");
}

std::vector<case_finding> case_findings(const report& r) {
  std::vector<case_finding> all;
  const std::vector<const result*> best = best_of(r.results);
  for (const result& one : r.results) {
    if (std::ranges::find(best, &one) == best.end()) continue;
    const auto known = std::ranges::find_if(
        all, [&](const case_finding& f) { return subject_of(*f.best) == subject_of(one); });
    if (known == all.end())
      all.push_back({&one, ""});
    else if (known->best->cells < one.cells)
      known->best = &one;
  }
  for (case_finding& f : all) f.sentence = sentence_on(r, *f.best);
  return all;
}

std::string finding(const report& r) {
  for (const char* type : {"f64", "f32"})
    if (const result* single = fastest_single(r, type))
      return about_steps(r, *single, fastest_several(r, *single));
  return about_best(r);
}

}  // namespace teff::lab

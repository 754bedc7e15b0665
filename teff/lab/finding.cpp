// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>

#include <teff/lab/finding.hpp>
#include <teff/lab/measure.hpp>
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

std::string about_best(const report& r) {
  const result* best = nullptr;
  const auto is_better = [&](const result& one) {
    if (best == nullptr) return true;
    const bool in_cache = one.has_flag(flag::fits_in_cache);
    if (in_cache != best->has_flag(flag::fits_in_cache)) return !in_cache;
    return *one.fraction_of_ceiling > *best->fraction_of_ceiling;
  };
  for (const result& one : r.results)
    if (is_trusted(one) && one.fraction_of_ceiling && is_better(one)) best = &one;
  const bool any_trusted = std::any_of(r.results.begin(), r.results.end(), is_trusted);
  if (best == nullptr && any_trusted)
    return "No ceiling was measured, so there is nothing to compare the results with.";
  if (best == nullptr) return "No verified result to draw a conclusion from.";
  return best->case_name + " reaches " + significant(*best->fraction_of_ceiling, 3) + " of the " +
         name_of(best->ceiling) + " ceiling (" + where(*best) + ")" +
         (best->has_flag(flag::fits_in_cache) ? ", in the cache." : ".");
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

std::string about_one_pass(const result& r, double fraction) {
  return significant(fraction, 3) + " of the " + name_of(r.ceiling) + " ceiling: " +
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

/// Where nothing is moved.
std::string about_arithmetic(const report& all, const result& r) {
  if (!r.gflop_per_s()) return "moves nothing and computes nothing that was counted";
  const double peak = r.type == "f64"   ? all.ceilings.f64_gflop_per_s.value_or(0)
                      : r.type == "f32" ? all.ceilings.f32_gflop_per_s.value_or(0)
                                        : 0;
  const std::string rate = significant(*r.gflop_per_s(), 4) + " GFLOP/s";
  return peak > 0 ? rate + ", " + significant(*r.gflop_per_s() / peak, 2) + " of peak " + r.type
                  : rate;
}

std::string sentence_on(const report& all, const result& r) {
  if (r.a_eff_bytes == 0) return about_arithmetic(all, r);
  std::string text = significant(*r.t_eff_gb_per_s(), 4) + " GB/s";
  if (r.has_flag(flag::fits_in_cache))
    text += " in the cache: no statement about memory";
  else if (r.fraction_of_ceiling)
    text = r.steps_per_pass == 1 ? about_one_pass(r, *r.fraction_of_ceiling)
                                 : about_passes(all, r, *r.fraction_of_ceiling);
  else
    text += ", and no ceiling was measured to compare it with";
  if (r.has_flag(flag::noisy)) text += "; noisy: see the spread of its samples";
  return text;
}

}  // namespace

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

// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <tuple>
#include <vector>

#include <teff/base/bytes.hpp>
#include <teff/lab/finding.hpp>
#include <teff/lab/measure.hpp>
#include <teff/lab/rank_scale.hpp>
#include <teff/lab/report_table.hpp>
#include <teff/lab/table.hpp>

namespace teff::lab {

namespace {

constexpr const char* heat_step = "diffusion2d";

/// Not in the cache and not on a small shape.
bool speaks_of_memory(const result& r) {
  return !r.has_flag(flag::fits_in_cache) && !r.has_flag(flag::smaller);
}

/// What is said of a ceiling that a right result passed in one pass, also after it was measured
/// again.
constexpr const char* too_low = ", which is too low to judge by";

std::string where(const result& r) {
  return r.device + ", " + r.type + ", " + shape_text(r.shape) + ", " + r.variant + ranks_text(r);
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
bool are_rivals(const result& a, const result& b) {
  return subject_of(a) == subject_of(b) && a.shape == b.shape && ranks_text(a) == ranks_text(b);
}

/// The single steps whose bits a result has, on the same shape; null if they were not measured, as
/// those of another formula.
const result* single_steps(const report& all, const result& several) {
  for (const result& r : all.results)
    if (r.is_verified() && r.steps_per_pass == 1 && are_rivals(r, several) &&
        r.variant == several.check.same_bits_as)
      return &r;
  return nullptr;
}

/// The fastest verified and rated one of the same on the same shape that is `wanted`; null if there
/// is none.
template <class Wanted>
const result* fastest_rival(const report& all, const result& of, const Wanted& wanted) {
  const result* best = nullptr;
  for (const result& r : all.results)
    if (r.is_verified() && r.fraction_of_ceiling && are_rivals(r, of) && wanted(r) &&
        (best == nullptr || r.time->median_s < best->time->median_s))
      best = &r;
  return best;
}

/// The fastest with one step per pass, which may have other bits; null where the steps that others
/// are compared with were not measured: what is left then may be a slow way to show what not to do.
const result* fastest_single(const report& all, const result& of) {
  const auto is_reference = [&](const result& r) {
    return r.steps_per_pass == 1 && (r.variant == "stepwise" || r.variant == of.check.same_bits_as);
  };
  if (fastest_rival(all, of, is_reference) == nullptr) return nullptr;
  return fastest_rival(all, of, [](const result& r) { return r.steps_per_pass == 1; });
}

/// Nothing to add up.
bool has_one_cell_along_dim(const result& r) {
  const auto dim = static_cast<std::size_t>(r.dim.value_or(0));
  return r.dim && dim < r.shape.size() && r.shape[dim] == 1;
}

/// " (0.89 to 0.97 on 4 shapes)", of the best on each shape that speaks of memory; "" for one.
std::string range_over_shapes(const report& all, const result& r) {
  std::vector<result> of_subject;  // few of a report that may hold thousands
  std::ranges::copy_if(all.results, std::back_inserter(of_subject),
                       [&](const result& one) { return subject_of(one) == subject_of(r); });
  double least = 0, most = 0;
  std::size_t shapes = 0;
  for (const result* one : best_of(of_subject)) {
    const bool is_alike = (one->steps_per_pass > 1) == (r.steps_per_pass > 1);
    if (!is_alike || has_one_cell_along_dim(*one) || !one->fraction_of_ceiling ||
        !speaks_of_memory(*one))
      continue;
    const double fraction = *one->fraction_of_ceiling;
    least = shapes == 0 ? fraction : std::min(least, fraction);
    most = std::max(most, fraction);
    ++shapes;
  }
  if (shapes < 2) return "";
  return " (" + significant(least, 3) + " to " + significant(most, 3) + " on " +
         counted(shapes, "shape") + ")";
}

std::string about_one_pass(const report& all, const result& r, double fraction) {
  const std::string text = significant(fraction, 3) + " of the " + name_of(r.ceiling) + " ceiling" +
                           range_over_shapes(all, r);
  if (r.has_flag(flag::above_ceiling)) return text + too_low;
  return text + ": " +
         (fraction < 0.995 ? at_most(1 - fraction) + " of the time is" : "nothing is") +
         " left to gain in one pass";
}

/// GFLOP/s that multiply-adds of a result's type reached; 0 if that was not measured.
double peak_of(const report& all, const result& r) {
  return r.type == "f64"   ? all.ceilings.f64_gflop_per_s.value_or(0)
         : r.type == "f32" ? all.ceilings.f32_gflop_per_s.value_or(0)
                           : 0;
}

/// Part of the time for which multiply-adds at their peak rate would take.
double arithmetic_part(const report& all, const result& r) {
  const double peak = peak_of(all, r) * devices_of(r);
  return peak > 0 ? r.gflop_per_s().value_or(0) / peak : 0;
}

std::string peak_too_low(const result& r) {
  return "the peak of " + r.type + " that was measured" + too_low;
}

/// What a pass takes of the GPU, and whether it is registers that it has no more of.
std::string about_kernel(const kernel_use& k) {
  std::string text = std::string("its kernel") +
                     (k.fills_registers ? " is limited by registers: " : ": ") +
                     std::to_string(k.registers) + " registers a thread";
  if (k.spilled_bytes > 0) text += ", " + bytes_text(k.spilled_bytes) + " spilled,";
  return text + " leave a multiprocessor " + significant(100 * k.occupancy, 2) +
         " % of its threads";
}

std::string about_passes(const report& all, const result& r, double fraction) {
  const double traffic = fraction / r.steps_per_pass;
  std::string text = significant(fraction, 3) + " times the " + name_of(r.ceiling) + " ceiling" +
                     range_over_shapes(all, r) + ", with " + std::to_string(r.steps_per_pass) +
                     " steps per pass";
  if (!r.check.same_bits_as.empty()) text += " and the bits of " + r.check.same_bits_as;
  text += traffic <= 1 ? "; memory is busy for " + at_least(traffic) + " of the time"
                       : "; its traffic passes the ceiling" + std::string(too_low);
  if (const double part = arithmetic_part(all, r); part > 1)
    text += "; it passes " + peak_too_low(r);
  else if (part > 0)
    text += (traffic <= 1 ? ", arithmetic for " : "; arithmetic is busy for ") + at_least(part);
  if (const result* single = single_steps(all, r))
    text += "; " + significant(single->time->median_s / r.time->median_s, 3) +
            " times as fast as one step per pass";
  return r.kernel ? text + "; " + about_kernel(*r.kernel) : text;
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
    if (one.is_verified() && are_rivals(one, r) && one.time->median_s > slowest->time->median_s)
      slowest = &one;
  if (slowest == &r) return "";
  return "; " + significant(slowest->time->median_s / r.time->median_s, 3) + " times as fast as " +
         slowest->variant;
}

std::string about_arithmetic(const report& all, const result& r) {
  if (!r.gflop_per_s()) return "moves nothing and computes nothing that was counted";
  const double part = arithmetic_part(all, r);
  const std::string rate = significant(*r.gflop_per_s(), 4) + " GFLOP/s";
  if (is_probe(r) && part >= 1) return rate + ", which is peak " + r.type;
  if (part > 1) return rate + ", above " + peak_too_low(r);
  return part > 0 ? rate + ", " + significant(part, 2) + " of peak " + r.type : rate;
}

/// Memory is farther from its limit than arithmetic is, here or on any machine.
bool is_of_arithmetic(const report& all, const result& r) {
  constexpr std::uint64_t plenty = 50;  // operations for a byte
  if (r.a_eff_bytes == 0 || r.flop > plenty * r.a_eff_bytes) return true;
  const std::optional<double> ceiling = all.ceilings.of(r.ceiling);
  return r.steps_per_pass == 1 && r.reason.empty() && ceiling &&
         arithmetic_part(all, r) > *r.t_eff_gb_per_s() / *ceiling / devices_of(r);
}

std::string about_rate(const report& all, const result& r) {
  if (is_of_arithmetic(all, r)) return about_arithmetic(all, r);
  const std::string rate = significant(*r.t_eff_gb_per_s(), 4) + " GB/s";
  if (r.has_flag(flag::fits_in_cache)) return rate + " in the cache: no statement about memory";
  if (is_probe(r)) return about_probe(r);
  if (!r.fraction_of_ceiling)
    return rate +
           (r.reason.empty() ? ", and no ceiling was measured to compare it with"
                             : "; " + r.reason) +
           about_slowest(all, r);
  return r.steps_per_pass == 1 ? about_one_pass(all, r, *r.fraction_of_ceiling)
                               : about_passes(all, r, *r.fraction_of_ceiling);
}

std::string sentence_on(const report& all, const result& r) {
  std::string text = about_rate(all, r);
  if (r.has_flag(flag::noisy)) text += "; noisy: see the spread of its samples";
  if (r.has_flag(flag::throttled)) text += "; the GPU had lowered its clocks";
  if (r.has_flag(flag::shared_device)) text += "; others used the device meanwhile";
  return text;
}

/// Where nothing but probes was measured: they are what others are compared with.
std::string about_probes(const report& r) {
  if (!r.ceilings.t_peak_gb_per_s()) return "No ceilings were measured.";
  return "The ceilings of this machine: " + text_of(r.ceilings) + ".";
}

std::string about_unrated(const report& r) {
  std::vector<const result*> verified;
  for (const result& one : r.results)
    if (one.is_verified()) verified.push_back(&one);
  if (verified.empty()) return "No verified result to draw a conclusion from.";
  if (std::ranges::all_of(verified, [](const result* one) { return is_probe(*one); }))
    return about_probes(r);
  for (const case_finding& f : case_findings(r))  // what memory does not limit
    if (r.ceilings.t_peak_gb_per_s() && !f.best->reason.empty())
      return f.best->case_name + " reaches " + f.sentence + " (" + where(*f.best) + ").";
  return "No ceiling was measured, so there is nothing to compare the results with.";
}

std::string with_steps(const result& several) {
  return "with " + std::to_string(several.steps_per_pass) + " steps per pass";
}

/// Of a heat step whose single steps were not measured on the shape of the finding.
std::string about_steps_alone(const result& best) {
  if (best.steps_per_pass == 1 || !best.fraction_of_ceiling) return "";
  return "The heat step reaches " + significant(*best.fraction_of_ceiling, 3) + " times the " +
         name_of(best.ceiling) + " ceiling " + with_steps(best) + " (" + where(best) + ")" +
         (speaks_of_memory(best) ? "" : " in the cache") + "; one step per pass was left out.";
}

/// With one step per pass, with several that have their bits, and by what is faster still, all on
/// the shape of the finding; "" if neither is rated.
std::string about_steps(const report& all, const result& best) {
  const auto part = [](const result& r) { return significant(*r.fraction_of_ceiling, 3); };
  const result* single = fastest_single(all, best);
  if (single == nullptr) return about_steps_alone(best);
  std::string text = "The heat step reaches " + part(*single) + " of the " +
                     name_of(single->ceiling) + " ceiling" +
                     (single->has_flag(flag::above_ceiling) ? std::string(too_low) + "," : "") +
                     " with one step per pass (" + where(*single) + ")";
  if (!speaks_of_memory(*single)) text += " in the cache";
  const auto is_same_formula = [&](const result& r) {
    return r.steps_per_pass > 1 &&
           (r.check.same_bits_as.empty() || single_steps(all, r) != nullptr);
  };
  const result* several = fastest_rival(all, best, is_same_formula);
  if (several != nullptr) {
    text += " and " + part(*several) + " times the ceiling " + with_steps(*several);
    if (!several->check.same_bits_as.empty()) text += ", with the same bits";
  }
  if (&best != several && best.steps_per_pass > 1 && best.fraction_of_ceiling)
    text += "; " + best.variant + " reaches " + part(best) + " times the ceiling";
  return text + ".";
}

std::string about_best(const report& r) {
  const result* best = nullptr;
  const auto is_better = [&](const result& one) {
    if (best == nullptr) return true;
    const bool in_cache = one.has_flag(flag::fits_in_cache);
    if (in_cache != best->has_flag(flag::fits_in_cache)) return !in_cache;
    const bool is_beyond = one.has_flag(flag::above_ceiling);
    if (is_beyond != best->has_flag(flag::above_ceiling)) return !is_beyond;
    return *one.fraction_of_ceiling > *best->fraction_of_ceiling;
  };
  for (const result& one : r.results)
    if (one.is_verified() && !is_probe(one) && one.fraction_of_ceiling && is_better(one))
      best = &one;
  if (best == nullptr) return about_unrated(r);
  return best->case_name + " reaches " + significant(*best->fraction_of_ceiling, 3) + " of the " +
         name_of(best->ceiling) + " ceiling" +
         (best->has_flag(flag::above_ceiling) ? too_low : "") + " (" + where(*best) + ")" +
         (best->has_flag(flag::fits_in_cache) ? ", in the cache." : ".");
}

}  // namespace

bool is_probe(const std::string& case_name) {
  return case_name.starts_with("peak-");
}

bool is_probe(const result& r) {
  return is_probe(r.case_name);
}

bool has_share(const report& all, const result& r) {
  return r.fraction_of_ceiling && r.t_eff_gb_per_s() && !r.has_flag(flag::fits_in_cache) &&
         !is_probe(r) && !is_of_arithmetic(all, r);
}

std::vector<case_finding> case_findings(const report& r) {
  std::vector<case_finding> all;
  const std::vector<const result*> best = best_of(r.results);
  for (const result& one : r.results) {
    if (std::ranges::find(best, &one) == best.end()) continue;
    const auto known = std::ranges::find_if(
        all, [&](const case_finding& f) { return subject_of(*f.best) == subject_of(one); });
    if (known == all.end())
      all.push_back({&one});
    else if (known->best->cells < one.cells)
      known->best = &one;
  }
  for (case_finding& f : all) {
    f.sentence = sentence_on(r, *f.best);
    if (f.best->steps_per_pass > 1) f.single = fastest_single(r, *f.best);
  }
  return all;
}

std::string finding(const report& r) {
  const auto is_on_ranks = [](const result& one) { return one.ranks.has_value(); };
  if (std::ranges::all_of(r.results, is_on_ranks))
    if (std::string text = rank_finding(r.results); !text.empty()) return text;
  const std::vector<case_finding> all = case_findings(r);
  for (const char* type : {"f64", "f32"})
    for (const case_finding& f : all)
      if (f.best->case_name == heat_step && f.best->type == type)
        if (const std::string text = about_steps(r, *f.best); !text.empty()) return text;
  return about_best(r);
}

}  // namespace teff::lab

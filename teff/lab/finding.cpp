// SPDX-License-Identifier: MIT
#include <algorithm>

#include <teff/lab/finding.hpp>
#include <teff/lab/table.hpp>

namespace teff::lab {

namespace {

constexpr const char* heat_step = "diffusion2d";

bool is_trusted(const result& r) {
  return r.is_verified() && !r.has_flag(flag::above_ceiling);
}

/// The fastest trusted heat step of a type, with one step per pass or with several.
const result* fastest_step(const report& r, const std::string& type, bool several_per_pass) {
  const result* best = nullptr;
  for (const result& one : r.results) {
    if (one.case_name != heat_step || one.type != type || !is_trusted(one)) continue;
    if ((one.steps_per_pass > 1) != several_per_pass) continue;
    if (best == nullptr || one.t_eff_gb_per_s() > best->t_eff_gb_per_s()) best = &one;
  }
  return best;
}

std::string of_copy(const result& r, const report& all) {
  return significant(*r.t_eff_gb_per_s() / *all.ceilings.copy_gb_per_s, 3);
}

std::string where(const result& r) {
  return r.device + ", " + r.type + ", " + shape_text(r.shape) + ", " + r.variant;
}

std::string about_steps(const report& r, const result& single, const result* several) {
  std::string text = "The heat step reaches " + of_copy(single, r) +
                     " of the copy ceiling with one step per pass (" + where(single) + ")";
  if (several == nullptr) return text + ".";
  text += " and " + of_copy(*several, r) + " times it with " +
          std::to_string(several->steps_per_pass) + " steps per pass";
  return text + (several->check.same_bits_as.empty() ? "." : ", with the same bits.");
}

std::string about_best(const report& r) {
  const result* best = nullptr;
  for (const result& one : r.results)
    if (is_trusted(one) && one.fraction_of_ceiling &&
        (best == nullptr || *one.fraction_of_ceiling > *best->fraction_of_ceiling))
      best = &one;
  const bool any_trusted = std::any_of(r.results.begin(), r.results.end(), is_trusted);
  if (best == nullptr && any_trusted)
    return "No ceiling was measured, so there is nothing to compare the results with.";
  if (best == nullptr) return "No verified result to draw a conclusion from.";
  return best->case_name + " reaches " + significant(*best->fraction_of_ceiling, 3) + " of the " +
         name_of(best->ceiling) + " ceiling (" + where(*best) + ").";
}

}  // namespace

std::string finding(const report& r) {
  if (r.ceilings.copy_gb_per_s)
    for (const char* type : {"f64", "f32"})
      if (const result* single = fastest_step(r, type, false))
        return about_steps(r, *single, fastest_step(r, type, true));
  return about_best(r);
}

}  // namespace teff::lab

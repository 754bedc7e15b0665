// SPDX-License-Identifier: MIT
#include <optional>
#include <ostream>

#include <teff/base/decimal.hpp>
#include <teff/base/error.hpp>
#include <teff/kernel/ceiling.hpp>
#include <teff/stencil/report.hpp>

namespace teff {

iterate_report::iterate_report(const run_facts& facts, step_plan plan, std::string extents,
                               std::string type, const traffic& per_step,
                               std::shared_ptr<timer> time, device dev)
    : facts_(facts),
      plan_(std::move(plan)),
      extents_(std::move(extents)),
      type_(std::move(type)),
      per_step_(per_step),
      time_(std::move(time)),
      dev_(dev) {}

double iterate_report::time_s() const {
  return time_->elapsed_s() - facts_.callback_s;
}

double iterate_report::t_eff_gb_per_s() const {
  return gb_per_s(per_step_.a_eff_bytes() * static_cast<double>(steps()), time_s());
}

double iterate_report::gflop_per_s() const {
  return per_step_.flop * static_cast<double>(steps()) / time_s() * 1e-9;
}

bool iterate_report::fits_in_cache() const {
  return per_step_.a_eff_bytes() < static_cast<double>(known_device(dev_).cache_bytes);
}

namespace {

std::optional<double> ceiling_of(device dev) {
  try {
    return measured_copy_gb_per_s(dev);
  } catch (const error&) {
    return std::nullopt;
  }
}

/// 2.50, 0.06, 0.0012
std::string share_text(double share) {
  return share < 0.005 ? decimal(share, 2) : decimal(share, 2, decimal_form::fixed);
}

}  // namespace

std::string runtime::run_rates::text() const {
  constexpr double least_time_s = 1e-4, telling_share = 0.1;
  constexpr double most_start_s = 1e-3;  // a step that takes longer is slow
  const double of_ceiling = ceiling_gb_per_s ? t_eff_gb_per_s / *ceiling_gb_per_s : 1;
  const bool mostly_starts = fits_in_cache && of_ceiling < 0.005 && step_s < most_start_s;
  if (time_s < least_time_s || mostly_starts) return "too short to measure T_eff";
  std::string text = "T_eff " + decimal(t_eff_gb_per_s, 4) + " GB/s";
  if (ceiling_gb_per_s) text += " = " + share_text(of_ceiling) + " x ceiling";
  const double of_peak = peak_gflop_per_s > 0 ? gflop_per_s / peak_gflop_per_s : 0;
  const bool is_known = of_peak <= 1;  // or else others disturbed the measuring of the peak
  if (is_known && of_peak >= telling_share && of_peak > of_ceiling * passes_per_step)
    text +=
        ", " + decimal(gflop_per_s, 4) + " GFLOP/s = " + share_text(of_peak) + " of peak " + type;
  return text;
}

std::ostream& operator<<(std::ostream& out, const iterate_report& r) {
  if (r.steps() == 0) return out << "0 steps of " << r.extents_ << ' ' << r.type_;
  const bool is_stepwise = r.schedule() == single_steps().schedule;
  const double step_s = r.time_s() / static_cast<double>(r.steps());
  const runtime::run_rates rates{r.time_s(),
                                 step_s,
                                 r.t_eff_gb_per_s(),
                                 r.gflop_per_s(),
                                 ceiling_of(r.dev_),
                                 peak_gflop_per_s(r.dev_, r.type_),
                                 r.passes() / static_cast<double>(r.steps()),
                                 r.type_,
                                 r.fits_in_cache()};
  out << std::to_string(r.steps()) << " steps of " << r.extents_ << ' ' << r.type_ << ", "
      << milliseconds_text(step_s) << "/step, " << rates.text() << " (" << plan_text(r.plan_)
      << (rates.fits_in_cache ? "; fits in cache" : "") << ')';
  if (is_stepwise && r.reason() != "asked for")
    out << "; " << schedule_name(r.schedule()) << ": " << r.reason();
  else if (r.plan_.is_second_choice)
    out << "; not the first choice: " << r.reason();
  if (r.facts_.steps_before > 0)
    out << "; before, " + std::to_string(r.facts_.steps_before) + " single steps: "
        << r.facts_.why_before;
  if (r.residual()) {
    out << "; residual " << decimal(*r.residual(), 3);
    if (r.facts_.tolerance > 0)
      out << (r.has_converged() ? ", within the tolerance " : ", above the tolerance ")
          << decimal(r.facts_.tolerance, 6) << (r.has_converged() ? "" : ": the steps are used up");
  }
  if (!is_stepwise && r.reason().starts_with("asked for") && r.reason() != "asked for")
    out << "; " << r.reason();
  return out;
}

}  // namespace teff

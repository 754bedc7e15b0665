// SPDX-License-Identifier: MIT
#include <ostream>

#include <teff/base/decimal.hpp>
#include <teff/base/error.hpp>
#include <teff/kernel/ceiling.hpp>
#include <teff/stencil/report.hpp>

namespace teff {

iterate_report::iterate_report(const run_facts& facts, step_plan plan, std::string what,
                               const traffic& per_step, std::shared_ptr<timer> time, device dev)
    : facts_(facts),
      plan_(std::move(plan)),
      what_(std::move(what)),
      per_step_(per_step),
      time_(std::move(time)),
      dev_(dev) {}

double iterate_report::time_s() const {
  return time_->elapsed_s() - facts_.callback_s;
}

double iterate_report::t_eff_gb_per_s() const {
  return gb_per_s(per_step_.a_eff_bytes() * static_cast<double>(steps()), time_s());
}

namespace {

/// " = 2.50 x ceiling"; nothing where there is no room to measure it.
std::string of_ceiling(double t_eff, device dev) {
  try {
    return " = " + decimal(t_eff / measured_copy_gb_per_s(dev), 2, decimal_form::fixed) +
           " x ceiling";
  } catch (const error&) {
    return "";
  }
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const iterate_report& r) {
  if (r.steps() == 0) return out << "0 steps of " << r.what_;
  const bool is_stepwise = r.schedule() == single_steps().schedule;
  const bool fits_in_cache =
      r.per_step_.a_eff_bytes() < static_cast<double>(known_device(r.dev_).cache_bytes);
  out << std::to_string(r.steps()) << " steps of " << r.what_ << ", "
      << milliseconds_text(r.time_s() / static_cast<double>(r.steps())) << "/step, T_eff "
      << decimal(r.t_eff_gb_per_s(), 4) << " GB/s" << of_ceiling(r.t_eff_gb_per_s(), r.dev_) << " ("
      << plan_text(r.plan_) << (fits_in_cache ? "; fits in cache" : "") << ')';
  if (is_stepwise && r.reason() != "asked for")
    out << "; stepwise: " << r.reason();
  else if (r.plan_.is_second_choice)
    out << "; not the first choice: " << r.reason();
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

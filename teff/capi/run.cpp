// SPDX-License-Identifier: MIT
#include <optional>
#include <sstream>
#include <utility>

#include <teff/base/float_mode.hpp>
#include <teff/base/unit_flags.hpp>
#include <teff/capi/formula.hpp>
#include <teff/stencil/explain.hpp>
#include <teff/stencil/relay.hpp>

/// Runs of time steps whose formula was compiled at run time: once for all formulas.

struct teff_report {
  teff::iterate_report report;
};

namespace teff::capi {
namespace {

/// A stepper, bound to its fields by a teff_formula_bind_fn or what is called alike.
template <class Bind>
std::unique_ptr<teff_stepper> bound(const Bind& bind, const double* reals, const int64_t* integers,
                                    const teff_array* const* fields) {
  teff_stepper* made = nullptr;
  if (const teff_status status = bind(reals, integers, fields, &made); status != teff_ok)
    throw error(static_cast<failure>(status), std::string(teff_message()));
  return std::unique_ptr<teff_stepper>(made);
}

std::unique_ptr<teff_stepper> bound_by(const teff_call& call) {
  const teff_run_options& options = *call.options;
  if (options.rows == nullptr) return bound(call.bind, call.reals, call.integers, call.fields);
  const auto by_rows = [&](auto... arguments) {
    return teff_rows_bind_passes(options.rows, options.passes, options.pass_count, arguments...);
  };
  return bound(by_rows, call.reals, call.integers, call.fields);
}

/// Of a step: what a stepper over larger fields takes besides them is let go.
constexpr double most_kept_bytes = 1 << 20;

iterate_options options_of(const teff_run_options& asked, double a_eff_bytes) {
  if (asked.schedule < teff_automatic || asked.schedule > teff_resident)
    throw error(failure::usage, "there is no schedule number " + std::to_string(asked.schedule));
  iterate_options options;
  options.steps = asked.steps;
  options.schedule = static_cast<schedule>(asked.schedule);
  options.depth = asked.depth;
  options.first_step = asked.first_step;
  options.check_every = asked.check_every;
  options.tolerance = asked.tolerance;
  if (asked.on_step != nullptr)
    options.on_step = {asked.on_step_every,
                       [call = asked.on_step, to = asked.context](index_t done) {
                         if (call(done, to) != 0) throw stopped();
                       }};
  if (asked.watch != nullptr)
    options.watch = {asked.watch_every_s,
                     [call = asked.watch, a_eff_bytes, to = asked.context](index_t done) {
                       if (call(done, a_eff_bytes, to) != 0) throw stopped();
                     }};
  return options;
}

}  // namespace
}  // namespace teff::capi

using namespace teff;
using namespace teff::capi;

static_assert(static_cast<int>(schedule::automatic) == teff_automatic &&
              static_cast<int>(schedule::stepwise) == teff_stepwise &&
              static_cast<int>(schedule::fused) == teff_fused &&
              static_cast<int>(schedule::temporal) == teff_temporal &&
              static_cast<int>(schedule::resident) == teff_resident);

teff_status teff_iterate(teff_formula_bind_fn bind, const double* reals, const int64_t* integers,
                         const teff_array* const* fields, const teff_run_options* options,
                         teff_report** made, int64_t* good_step) {
  teff_call call{bind, reals, integers, fields, options, nullptr, nullptr, 0};
  const teff_status status = teff_call_iterate(&call);
  teff_stepper_free(call.kept);
  if (status == teff_ok) *made = call.made;
  if (status == teff_non_finite) *good_step = call.good_step;
  return status;
}

teff_status teff_call_iterate(teff_call* call) {
  return guarded([&] {
    runtime::refuse_altered_units();
    const runtime::default_float_mode_of_run mode;  // as iterate() has it
    const teff_run_options& asked = *call->options;
    std::unique_ptr<teff_stepper> formula(std::exchange(call->kept, nullptr));
    const bool was_kept = formula != nullptr;
    if (!was_kept) formula = bound_by(*call);
    const bool is_captured = formula->on->leading().on.is_captured();
    if (was_kept && is_captured) formula = bound_by(*call);  // a graph has memory of its own
    std::shared_ptr<runtime::stepper> on = formula->on;
    if (asked.successor != nullptr)
      on = std::make_shared<runtime::relay>(on, [&]() -> std::shared_ptr<runtime::stepper> {
        const teff_formula_bind_fn next = __atomic_load_n(asked.successor, __ATOMIC_ACQUIRE);
        if (next == nullptr) return nullptr;
        return bound(next, call->reals, call->integers, call->fields)->on;
      });
    const double a_eff_bytes = on->per_step().a_eff_bytes();
    const iterate_options options = options_of(asked, a_eff_bytes);
    try {
      call->made = new teff_report{runtime::run(*on, options)};
    } catch (const non_finite_error& e) {
      call->good_step = e.good_step();
      throw;
    }
    const bool is_small = a_eff_bytes <= most_kept_bytes && runtime::checked_every(options) == 0;
    if (is_small && !is_captured) call->kept = formula.release();
  });
}

void teff_stepper_free(teff_stepper* stepper) {
  delete stepper;
}

teff_status teff_explain(teff_formula_bind_fn bind, const double* reals, const int64_t* integers,
                         const teff_array* const* fields, const teff_run_options* options,
                         char** text) {
  return guarded([&] {
    const auto on = bound(bind, reals, integers, fields);
    *text = text_for_caller(runtime::explanation_of(*on->on, options_of(*options, 0)).text);
  });
}

teff_status teff_report_facts(const teff_report* report, teff_run_facts* facts) {
  return guarded([&] {
    const iterate_report& r = report->report;
    *facts = {};
    facts->steps = r.steps();
    facts->passes = r.passes();
    facts->scratch_bytes = r.scratch_bytes();
    facts->residual = r.residual().value_or(0);
    facts->a_eff_bytes = r.per_step().a_eff_bytes();
    facts->time_s = r.time_s();
    facts->t_eff_gb_per_s = r.t_eff_gb_per_s();
    facts->has_residual = r.residual().has_value();
    facts->has_converged = r.has_converged();
    facts->schedule = static_cast<int32_t>(r.schedule());
    facts->depth = r.depth();
  });
}

teff_status teff_report_text(const teff_report* report, char** text) {
  return guarded([&] {
    std::ostringstream out;
    out << report->report;
    *text = text_for_caller(out.str());
  });
}

void teff_report_free(teff_report* report) {
  delete report;
}

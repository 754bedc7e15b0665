// SPDX-License-Identifier: MIT
#include <optional>
#include <sstream>

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
  return guarded([&] {
    runtime::refuse_altered_units();
    const runtime::default_float_mode_of_run mode;  // as iterate() has it
    const auto by_rows = [&](auto... arguments) {
      return teff_rows_bind_passes(options->rows, options->passes, options->pass_count,
                                   arguments...);
    };
    const auto on = options->rows != nullptr ? bound(by_rows, reals, integers, fields)
                                             : bound(bind, reals, integers, fields);
    if (options->successor != nullptr)
      on->on = std::make_shared<runtime::relay>(on->on, [&]() -> std::shared_ptr<runtime::stepper> {
        const teff_formula_bind_fn next = __atomic_load_n(options->successor, __ATOMIC_ACQUIRE);
        return next == nullptr ? nullptr : bound(next, reals, integers, fields)->on;
      });
    const double a_eff_bytes =
        options->watch != nullptr ? on->on->per_step().a_eff_bytes() : 0;  // what it is told
    try {
      *made = new teff_report{runtime::run(*on->on, options_of(*options, a_eff_bytes))};
    } catch (const non_finite_error& e) {
      *good_step = e.good_step();
      throw;
    }
  });
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

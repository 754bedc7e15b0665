// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <ostream>

#include <omp.h>

#include <teff/base/decimal.hpp>
#include <teff/base/error.hpp>
#include <teff/grid/exchange_timers.hpp>
#include <teff/grid/grid_run.hpp>
#include <teff/kernel/ceiling.hpp>
#include <teff/kernel/profile.hpp>
#include <teff/stencil/planned_run.hpp>
#include <teff/stencil/run.hpp>

namespace teff {

grid_report::grid_report(const run_facts& facts, step_plan plan, const runtime::grid_state& grid,
                         const runtime::grid_plan& cut, const runtime::grid_stepper& on,
                         double time_s, double exchange_s, std::optional<double> hidden_share)
    : facts_(facts),
      plan_(std::move(plan)),
      extents_(grid.cells.extents_text()),
      type_(on.leading().type),
      cuts_(grid.cells.parts_text()),
      transport_(grid.on.through().name()),
      per_step_(on.per_step()),
      time_s_(time_s),
      exchange_s_(exchange_s),
      hidden_share_(hidden_share),
      ranks_(grid.on.count()),
      devices_(grid.devices),
      is_root_(grid.on.is_root()),
      exchange_every_(cut.exchange_every),
      speed_(cut.speed),
      dev_(grid.dev) {}

grid_report::grid_report(iterate_report of_one_rank)
    : one_(std::make_shared<const iterate_report>(std::move(of_one_rank))) {}

bool grid_report::has_converged() const {
  if (one_) return one_->has_converged();
  return facts_.tolerance > 0 && facts_.residual && *facts_.residual <= facts_.tolerance;
}

double grid_report::t_eff_gb_per_s() const {
  return gb_per_s(per_step().a_eff_bytes() * static_cast<double>(steps()), time_s());
}

namespace {

/// All threads of the ranks of this machine, for this one: its ceiling is theirs together.
class threads_of_all_ranks {
 public:
  explicit threads_of_all_ranks(int ranks) : mine_(omp_get_max_threads()) {
    omp_set_num_threads(ranks * mine_);
  }
  ~threads_of_all_ranks() { omp_set_num_threads(mine_); }
  threads_of_all_ranks(const threads_of_all_ranks&) = delete;
  threads_of_all_ranks& operator=(const threads_of_all_ranks&) = delete;

 private:
  int mine_;
};

}  // namespace

std::ostream& operator<<(std::ostream& out, const grid_report& r) {
  if (r.one_) return out << *r.one_;
  if (!r.is_root_) return out;
  if (r.steps() == 0) return out << "0 steps of " << r.extents_ << ' ' << r.type_;
  const threads_of_all_ranks threads(std::max(1, r.ranks_ / r.devices_));
  const auto steps = static_cast<double>(r.steps());
  runtime::run_rates rates;
  rates.time_s = r.time_s();
  rates.step_s = r.time_s() / steps;
  rates.t_eff_gb_per_s = r.t_eff_gb_per_s();
  rates.gflop_per_s = r.per_step_.flop * steps / r.time_s() * 1e-9;
  try {
    rates.ceiling_gb_per_s = measured_copy_gb_per_s(r.dev_) * r.devices_;
  } catch (const error&) {  // there is no room to measure it
  }
  rates.peak_gflop_per_s = peak_gflop_per_s(r.dev_, r.type_) * r.devices_;
  rates.passes_per_step = r.facts_.passes / steps;
  rates.type = r.type_;
  rates.fits_in_cache = r.per_step_.a_eff_bytes() <
                        static_cast<double>(known_device(r.dev_).cache_bytes) * r.devices_;
  out << std::to_string(r.steps()) << " steps of " << r.extents_ << ' ' << r.type_ << ", "
      << milliseconds_text(rates.step_s) << "/step, " << rates.text() << " (" << plan_text(r.plan_)
      << (rates.fits_in_cache ? "; fits in cache; " : "; ") << std::to_string(r.ranks_)
      << " ranks, " << r.cuts_ << ' ' << r.transport_ << ", an exchange every "
      << (r.exchange_every_ == 1 ? "" : std::to_string(r.exchange_every_) + ' ')
      << (r.exchange_every_ == 1 ? "step" : "steps")
      << (r.hidden_share_ ? ", " + decimal(100 * *r.hidden_share_, 2) + " % hidden" : "")
      << (r.speed_ ? ": " + r.speed_->text() : "") << ')';
  if (r.residual()) {
    out << "; residual " << decimal(*r.residual(), 3);
    if (r.facts_.tolerance > 0)
      out << (r.has_converged() ? ", within the tolerance " : ", above the tolerance ")
          << decimal(r.facts_.tolerance, 6) << (r.has_converged() ? "" : ": the steps are used up");
  }
  return out;
}

namespace runtime {

void check_run_on_grid(const grid_state& grid, const step_on_grid& step,
                       const iterate_options& options) {
  require_same(grid.on, "iterate", "the run", text_to_agree_on(step, options));
  check_options(options, step.has_residual);
}

namespace {

/// What all ranks throw alike, since it follows from what they agreed on.
bool is_alike(const error& e, const grid_stepper& on) {
  return (e.kind() == failure::non_finite || e.kind() == failure::usage) && !on.has_thrown_alone();
}

/// A rank's plan: bits do not depend on it, so ranks may differ.
step_plan plan_of_part(const grid_state& grid, const grid_plan& cut, const grid_stepper& on,
                       const iterate_options& options) {
  if (cut.of_part) return *cut.of_part;
  iterate_options asked = options;
  asked.steps = std::min(options.steps, cut.exchange_every);
  return plan_steps(share_of_device(grid), asked, on.facts());
}

}  // namespace

grid_report run_on_grid(const grid_state& grid, const grid_plan& cut, grid_stepper& on,
                        const iterate_options& options) {
  if (!on.rules().empty())
    throw error(failure::usage,
                "iterate: a parameter that follows the flow does not yet follow that of a grid of "
                "several ranks; give it a value, or run on one rank");
  iterate_options asked = options;
  const step_plan plan = plan_of_part(grid, cut, on, options);
  asked.schedule = plan.schedule;   // what is chosen is chosen: no trial, that takes steps
  bool has_been_agreed_on = false;  // what is thrown
  if (options.on_step.call)
    asked.on_step.call = [&](index_t done) {
      has_been_agreed_on = true;
      agreed(grid.on, "on_step of iterate", [&] { options.on_step.call(done); });
      has_been_agreed_on = false;
    };
  const plan_check all_are_right = [](const step_plan&) { return refusal{}; };
  planned_run steps(on, asked, all_are_right, plan);
  run_facts made;
  auto begin = std::chrono::steady_clock::now();
  try {
    const profiled_call call(on.leading().on, "iterate", [&] {
      return call_description{on.leading().label, on.leading().description(), traffic{}, "grid"};
    });
    made = steps.drive([&] { begin = std::chrono::steady_clock::now(); });
    on.leading().on.synchronize();
  } catch (const error& e) {
    if (!has_been_agreed_on && !is_alike(e, on)) grid.on.through().abort(std::current_exception());
    throw;
  } catch (...) {
    if (!has_been_agreed_on) grid.on.through().abort(std::current_exception());
    throw;
  }
  struct seconds {
    double all, exchanges;
    exchange_seconds timed;
  };
  const seconds mine{
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() -
          made.callback_s,
      on.exchange_s(), on.timed_exchanges()};
  seconds of_all{};  // the most; of those that were timed the sum
  for (const seconds& one : gathered(grid.on, "the end of iterate", mine)) {
    of_all.all = std::max(of_all.all, one.all);
    of_all.exchanges = std::max(of_all.exchanges, one.exchanges);
    of_all.timed.exchanging += one.timed.exchanging;
    of_all.timed.waiting += one.timed.waiting;
  }
  return {
      made, steps.plan(), grid, cut, on, of_all.all, of_all.exchanges, hidden_share(of_all.timed)};
}

}  // namespace runtime
}  // namespace teff

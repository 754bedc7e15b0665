// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>
#include <typeinfo>
#include <utility>

#include <teff/formula/timestep.hpp>
#include <teff/stencil/trial.hpp>

/// Time loops: a formula, a number of steps, and the fields that it runs over.
namespace teff::inline TEFF_MODE {

namespace detail {

inline void check_options(const iterate_options& options, bool has_residual) {
  const auto refuse = [](const std::string& what) {
    throw error(failure::usage, "iterate: " + what);
  };
  const auto not_negative = [&](const char* name, auto value) {
    if (!(value >= 0))
      refuse(std::string(name) + " must be 0 or more, got " + std::to_string(value));
  };
  not_negative("the number of steps", options.steps);
  not_negative("check_every", options.check_every);
  not_negative("the tolerance", options.tolerance);
  if (options.on_step.call && options.on_step.every <= 0)
    refuse("on_step.every must be 1 or more, got " + std::to_string(options.on_step.every));
  if (!options.on_step.call && options.on_step.every != 0)
    refuse("on_step has no function to call");
  if (options.tolerance > 0 && !has_residual)
    refuse(
        "a tolerance needs a residual in the time step, as in stages(update(...), "
        "residual(max_abs(e)))");
}

/// From the kept state on to the last one that was good, then step by step to the one that fails.
/// @throws error always
template <class Loop>
[[noreturn]] void report_non_finite(Loop& loop, const iterate_options& options,
                                    const step_plan& plan, index_t good) {
  const step_plan one_by_one{schedule::stepwise, 1, ""};
  const index_t failed = loop.step();
  loop.go_back();
  if (loop.step() < good) {
    loop.resume(plan);
    loop.advance(good - loop.step(), plan);
    loop.keep_state();
  }
  loop.resume(one_by_one);
  const std::string checked =
      " (checked every " + std::to_string(checked_every(options)) + " steps)";
  std::string what = loop.non_finite_text(true);
  if (!what.empty()) {
    const bool is_first = loop.step() == options.first_step;
    const std::string left = "after on_step was called at step " + std::to_string(loop.step());
    throw error(failure::non_finite,
                "iterate: " + what + " " + (is_first ? "before the first step" : left) + checked +
                    "; the fields hold " +
                    (is_first ? "the values that were given" : "what it left"));
  }
  while (what.empty() && loop.step() < failed) {
    loop.keep_state();
    loop.advance(1, one_by_one);
    what = loop.non_finite_text();
  }
  if (what.empty())
    throw error(
        failure::non_finite,
        "iterate: after step " + std::to_string(failed) +
            " a value was not finite, but not when the steps since the last check were repeated" +
            checked + "; did something change the fields or a parameter meanwhile?");
  const std::string step = std::to_string(loop.step());
  loop.go_back();
  throw non_finite_error(loop.step(), "iterate: " + what + " after step " + step + checked +
                                          "; the fields hold the state before that step; is the "
                                          "time step, or a cfl, above its stability limit?");
}

/// A state is kept at every so many checks: a copy of what evolves costs more than a check, which
/// reads it, and the steps in between can be made again.
inline constexpr int checks_of_kept_state = 10;

/// on_step, in its caller's floating-point mode.
inline void tell(const iterate_options& options, index_t done) {
  const runtime::float_mode_of_caller mode;
  options.on_step.call(done);
}

/// The steps of a run, cut where something is to be checked or told.
/// @param plan may change by a trial
/// @param why_not tells why a plan is not to be taken, or ""
template <class Loop, class Residual, class WhyNot>
void make_steps(Loop& loop, const iterate_options& options, step_plan& plan,
                const Residual& residual, const WhyNot& why_not, second_choice& others,
                run_facts& facts) {
  const index_t check_every = checked_every(options), told_every = options.on_step.every;
  for (bool has_started = false; !has_started;) {
    try {
      loop.start(plan, options.first_step);
      has_started = true;
    } catch (const error& e) {
      plan = instead_of_failed(loop, options, plan, e, why_not, others);
    }
  }
  index_t good = loop.step();  // or at least what there was before the next check
  int checks = 0;
  if (check_every > 0) loop.keep_state();
  if (is_to_be_tried(loop, options)) {
    plan = tried_plan(loop, why_not, facts);
    loop.resume(plan);
  }
  facts.scratch_bytes = std::max(facts.scratch_bytes, loop.scratch_bytes(plan));
  const auto measure = [&] {
    if constexpr (is_residual<Residual>) {
      facts.residual = loop.residual(residual);
      if (!std::isfinite(*facts.residual))
        throw non_finite_error(loop.step(),
                               "iterate: the residual is " + std::to_string(*facts.residual) +
                                   " after step " + std::to_string(loop.step()) +
                                   ", though all fields are finite; they hold that state");
    }
  };
  const auto is_within = [&] {
    return facts.tolerance > 0 && facts.residual && *facts.residual <= facts.tolerance;
  };
  while (facts.steps < options.steps) {
    index_t next = options.steps;
    for (const index_t every : {check_every, told_every})
      if (every > 0) next = std::min(next, (facts.steps / every + 1) * every);
    const index_t begin = loop.step();
    try {
      facts.passes += loop.advance(next - facts.steps, plan);
    } catch (const error& e) {
      plan = instead_of_failed(loop, options, plan, e, why_not, others);
      facts.steps += loop.step() - begin;
      loop.resume(plan);
      facts.scratch_bytes = std::max(facts.scratch_bytes, loop.scratch_bytes(plan));
      continue;
    }
    facts.steps = next;
    const bool is_told = told_every > 0 && next % told_every == 0;
    const bool is_checked = check_every > 0 && (next % check_every == 0 || next == options.steps);
    if (is_checked || (check_every > 0 && is_told)) {  // a call must not see a state that failed
      if (!loop.is_finite()) report_non_finite(loop, options, plan, good);
      good = loop.step();
      if (!is_told && next < options.steps && ++checks % checks_of_kept_state == 0)
        loop.keep_state();
    }
    if (is_checked) measure();
    if (is_told) {
      loop.finish();
      loop.leading_field().on().synchronize();
      const auto begin = std::chrono::steady_clock::now();
      tell(options, next);
      facts.callback_s +=
          std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
      loop.take_over();  // it may have changed the fields
      loop.resume(plan);
      if (check_every > 0) loop.keep_state();
      good = loop.step();
      if (is_within()) {  // not before the state that the call left is
        if (!loop.is_finite()) report_non_finite(loop, options, plan, good);
        measure();
      }
    }
    if (is_within()) break;
  }
}

/// The whole run. Whatever happens, the fields hold the state of one step, unless a function of the
/// user's throws within one: what was written by then stays written.
template <class Loop, class Residual, class WhyNot>
run_facts drive(Loop& loop, const iterate_options& options, step_plan& plan,
                const Residual& residual, const WhyNot& why_not, second_choice& others) {
  run_facts facts;
  facts.tolerance = options.tolerance;
  if (options.steps == 0 || loop.is_empty()) {
    facts.steps = options.steps;
    const index_t every = options.on_step.every;
    for (index_t done = every; every > 0 && done <= options.steps; done += every)
      tell(options, done);
    return facts;
  }
  try {
    make_steps(loop, options, plan, residual, why_not, others, facts);
  } catch (const error& e) {
    loop.finish();
    const std::string told =
        e.what() + ("; the fields hold the state after step " + std::to_string(loop.step()));
    if (typeid(e) == typeid(launch_error)) throw launch_error(told);
    if (typeid(e) == typeid(error) && e.kind() == failure::out_of_memory)
      throw error(e.kind(), told);
    throw;
  } catch (...) {
    loop.finish();
    throw;
  }
  loop.finish();
  return facts;
}

template <class Fn, class... T, int... N>
iterate_report iterate_over(const timestep<Fn>& step, const iterate_options& options,
                            const array_ref<T, N>&... arrays) {
  runtime::refuse_altered_units();
  const runtime::default_float_mode_of_run mode;  // the formula is composed in it, too
  const auto formula = step.formula(arrays...);
  using step_type = step_of<std::remove_cvref_t<decltype(formula)>>;
  const auto residual = step_type::residual(formula);
  constexpr bool has_residual = is_residual<typename step_type::residual_type>;
  check_options(options, has_residual);
  auto loop = make_time_loop(formula, arrays...);
  if constexpr (has_residual) loop.check_residual(residual);
  const auto& field = loop.leading_field();
  step_plan plan = planned(loop, options);
  const auto why_not = [&](const step_plan& p) {
    return why_not_trusted(formula, loop, p, arrays...);
  };
  second_choice others;
  if (options.steps > 0 && !loop.is_empty())
    plan = first_trusted(loop, options, std::move(plan), why_not, others);

  auto time = std::make_shared<timer>(field.on());
  run_facts facts;
  {
    runtime::profiled_call call(field.on(), "iterate", [&] {
      return runtime::call_description{field.label(), described(field), traffic{}, ""};
    });
    time->start();
    facts = drive(loop, options, plan, residual, why_not, others);
    time->stop();
    // Only now: a tolerance may have ended the run before its last step, and a trial chose its
    // plan.
    traffic all = loop.per_step();
    all.read_bytes *= static_cast<double>(facts.steps);
    all.write_bytes *= static_cast<double>(facts.steps);
    all.flop *= static_cast<double>(facts.steps);
    call.moved(all, schedule_name(plan.schedule));
  }
  // Named: of a formula that was refused, braces would be one more error.
  return iterate_report(facts, plan,
                        extents_text(field.shape()) + " " +
                            type_name<typename std::remove_cvref_t<decltype(field)>::value_type>(),
                        loop.per_step(), std::move(time), field.dev());
}

}  // namespace detail

/// Advances the evolving fields of `step` by so many steps, in place; the other fields stay as they
/// are. The arrays go to the lambda in the order given. Cells outside a stage's target keep their
/// values, or follow from its boundary conditions; those that hold after every step are made to
/// hold before the first one, and where on_step has changed the fields.
/// @traffic per step 2 D_u + D_k at least; with k steps per pass a k-th of it
/// @throws error on extents that do not fit the formula, on arrays of different devices, and on an
/// evolving field that
///         shares memory with another one, or with an array that the formula captures; (non_finite)
///         where a check finds a value that is not finite: the first step, field and cell, with the
///         last good state in the fields
/// @order the same bits with every schedule, depth and device (for + - * / sqrt), however often
/// the run is checked, looked at by on_step, or ended and resumed with first_step; of a NaN that it
/// is one
/// @sync asynchronous on the (first) evolving field's stream; printing the report waits, and so
/// does a run that tries something out: its schedules, or a formula's first passes on a GPU
/// (trial.hpp)
/// @example examples/04_diffusion_timestep.cpp
template <class Fn, class... A>
requires(array_like<A>&&...) iterate_report
    iterate(const timestep<Fn>& step, const iterate_options& options, const A&... arrays) {
  return detail::iterate_over(step, options, arrays...);
}
template <class Fn, std::integral I, class... A>
requires(array_like<A>&&...) iterate_report
    iterate(const timestep<Fn>& step, I steps, const A&... arrays) {
  return detail::iterate_over(step, iterate_options{static_cast<index_t>(steps)}, arrays...);
}

/// The schedule and depth that iterate() would take, why, and the kernels; nothing is computed.
template <class Fn, class... T, int... N>
step_plan plan_of(const timestep<Fn>& step, const iterate_options& options,
                  const array_ref<T, N>&... arrays) {
  const auto loop = detail::make_time_loop(step.formula(arrays...), arrays...);
  step_plan plan = detail::planned(loop, options);
  plan.kernels = loop.kernels(plan);
  return plan;
}

}  // namespace teff::inline TEFF_MODE

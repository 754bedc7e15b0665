// SPDX-License-Identifier: MIT
#pragma once

#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <teff/array/host_copy.hpp>
#include <teff/stencil/schedule_memory.hpp>
#include <teff/stencil/time_loop.hpp>

/// What a run finds out by trying: whether passes of several steps give the bits of single ones on
/// this device, as they must, and which schedule is the fastest.
namespace teff::inline TEFF_MODE::detail {

/// A time loop for a formula over `arrays`.
template <class Formula, class... T, int... N>
auto make_time_loop(const Formula& formula, const array_ref<T, N>&... arrays) {
  using step_type = step_of<Formula>;
  const auto stages = step_type::list(formula);
  return time_loop<typename step_type::traits, std::remove_cvref_t<decltype(stages)>,
                   array_ref<T, N>...>(stages, arrays...);
}

// ---- the same bits

/// The fields' first cells, so many that a GPU's kernels take all their ways: some tiles along each
/// dim. Fields of faces stay longer than others.
template <int Rank>
extents<3> cells_left_out(const shape3& n) {
  constexpr index_t most[3] = {Rank == 3 ? 200 : 400, Rank == 3 ? 100 : 70, 20};
  extents<3> out(0, 0, 0);
  for (int d = 0; d < 3; ++d) out.n[d] = n.n[d] > most[d] ? n.n[d] - most[d] : 0;
  return out;
}
template <class T, int N>
array<T, N> copy_of_part(const array_ref<T, N>& a, const extents<3>& left_out) {
  view<T, N> cells = a.view();
  for (int d = 0; d < N; ++d) cells.shape[d] -= left_out.n[d] < cells.shape[d] ? left_out.n[d] : 0;
  const array_ref<T, N> part(a.on(), a.block(), cells, a.shared_label());
  array<T, N> copy(a.on(), part.shape(), "part of a field");
  assign(copy, part);
  return copy;
}
template <class T, int N>
bool has_same_bits(const array<T, N>& a, const array<T, N>& b) {
  const std::vector<T> one = to_host(a), other = to_host(b);
  return std::memcmp(one.data(), other.data(), one.size() * sizeof(T)) == 0;
}

/// `steps` by a plan, and `single_steps` one by one, over copies of a part of the fields: are all
/// bits the same? @sync waits for the fields
template <class Formula, class... T, int... N>
bool has_bits_of_single_steps(const Formula& formula, const step_plan& plan, index_t steps,
                              index_t single_steps, const array_ref<T, N>&... arrays) {
  using traits = typename step_of<Formula>::traits;
  const auto whole = make_time_loop(formula, arrays...);
  shape3 n{{1, 1, 1}};
  for (int d = 0; d < traits::rank; ++d) n.n[d] = whole.leading_field().extent(d);
  const extents<3> out = cells_left_out<traits::rank>(n);
  const std::tuple<array<T, N>...> by_plan{copy_of_part(arrays, out)...}, one_by_one = by_plan;
  const auto make = [&](const auto& fields, const step_plan& how, index_t count) {
    std::apply(
        [&](const auto&... a) {
          auto loop = make_time_loop(formula, static_cast<const array_ref<T, N>&>(a)...);
          loop.start(how, 0);
          loop.advance(count, how);
          loop.finish();
        },
        fields);
  };
  make(by_plan, plan, steps);
  make(one_by_one, {schedule::stepwise, 1, ""}, single_steps);
  return [&]<int... S>(std::integer_sequence<int, S...>) {
    return (has_same_bits(std::get<S>(by_plan), std::get<S>(one_by_one)) && ...);
  }
  (std::make_integer_sequence<int, sizeof...(T)>{});
}

/// Why passes of so many steps can not be trusted on a GPU; "" if they can. Tried once in a process
/// for each formula and depth. (Compilers err: nvcc 13.0 was seen to make a wrong kernel of a right
/// one.)
/// @param sets_border a run with conditions takes another kernel
template <class Formula, class... T, int... N>
std::string why_not_trusted(const Formula& formula, int depth, bool sets_border,
                            const array_ref<T, N>&... arrays) {
  static std::mutex guard;
  static std::map<std::pair<int, bool>, std::string> tried;
  const std::lock_guard lock(guard);
  const auto [entry, is_new] = tried.try_emplace({depth, sets_border});
  if (!is_new) return entry->second;
  const std::string passes = "passes of " + std::to_string(depth) + " steps ";
  try {
    if (!has_bits_of_single_steps(formula, {schedule::temporal, depth, ""}, depth + 1, depth + 1,
                                  arrays...))
      entry->second = passes +
                      "gave other bits than single steps on a part of the fields: the compiler "
                      "made a wrong kernel of this formula";
  } catch (const error& e) {
    entry->second = passes + "could not be tried on a part of the fields: " + e.what();
  }
  return entry->second;
}

// ---- the fastest schedule

/// Passes of a candidate before the clock runs, and while it does.
inline constexpr index_t passes_to_start = 1, passes_timed = 4;

/// Steps that a trial of all candidates takes.
inline index_t steps_of_trial(const step_facts& facts) {
  index_t passes = passes_to_start + passes_timed, steps = passes;
  for (const depth_choice& d : facts.depths) steps += passes * d.depth;
  return steps;
}

/// Whether a run is to find its schedule by itself: nothing was asked for, a tenth of its steps is
/// enough for a trial, and nothing interrupts that.
inline bool is_to_be_tried(const iterate_options& options, const step_facts& facts,
                           index_t check_every) {
  const index_t trial = steps_of_trial(facts);
  const auto is_later = [&](index_t every) { return every == 0 || every >= trial; };
  return options.schedule == schedule::automatic && options.depth == 0 &&
         facts.why_stepwise.empty() && !facts.depths.empty() && options.steps >= 10 * trial &&
         is_later(check_every) && is_later(options.on_step.every);
}

/// The fastest of the candidates, by the run's own first steps: every schedule gives the same bits.
/// @param made counts steps and passes @sync waits for each candidate
template <class Loop, class IsTrusted>
step_plan tried_plan(Loop& loop, const step_facts& facts, const IsTrusted& is_trusted,
                     run_facts& made) {
  step_plan best;
  double best_s = 0;
  std::string readings;
  std::vector<int> depths{1};
  for (const depth_choice& d : facts.depths) depths.push_back(d.depth);
  for (const int depth : depths) {
    if (depth > 1 && !is_trusted(depth)) continue;
    const step_plan plan{depth > 1 ? schedule::temporal : schedule::stepwise, depth, ""};
    loop.resume(plan);
    made.passes += loop.advance(passes_to_start * depth, plan);
    timer time(loop.leading_field().on());
    time.start();
    made.passes += loop.advance(passes_timed * depth, plan);
    time.stop();
    made.steps += (passes_to_start + passes_timed) * depth;
    const double step_s = time.elapsed_s() / static_cast<double>(passes_timed * depth);
    readings +=
        (readings.empty() ? "" : ", ") + std::to_string(depth) + ": " + milliseconds_text(step_s);
    if (best_s > 0 && step_s >= best_s) continue;
    best_s = step_s;
    best = plan;
  }
  best.reason = "tried: " + readings + " a step";
  return best;
}

/// The plan of a run before its first step: asked for, remembered from a run before, or the
/// model's.
template <class Loop>
step_plan planned(const Loop& loop, const iterate_options& options, const step_facts& facts) {
  const device dev = loop.leading_field().dev();
  const step_plan plan = plan_steps(dev, options, facts);
  if (options.schedule != schedule::automatic || options.depth != 0 || facts.depths.empty() ||
      !facts.why_stepwise.empty())
    return plan;
  const std::optional<int> known = remembered_depth(loop.key());
  if (!known || *known > options.steps) return plan;
  const std::string reason = "the fastest when it was tried: " + schedule_file();
  if (*known == 1) return {schedule::stepwise, 1, reason};
  for (const depth_choice& d : facts.depths)
    if (d.depth == *known) return {schedule::temporal, *known, reason};
  return plan;
}

}  // namespace teff::inline TEFF_MODE::detail

// SPDX-License-Identifier: MIT
#include <algorithm>
#include <exception>
#include <mutex>

#include <teff/stencil/compare_with_single_steps.hpp>
#include <teff/stencil/way.hpp>

namespace teff::runtime {

part part_to_compare(int rank, const index_t (&n)[3], index_t fewer) {
  const index_t most[3] = {rank == 3 ? 200 : 400, rank == 3 ? 100 : 70, 20};
  part out;
  for (int d = 0; d < 3; ++d) out.left_out[d] = std::max<index_t>(n[d] - most[d], 0);
  if (n[0] - out.left_out[0] > 32) out.left_out[0] += fewer;
  return out;
}

bool has_bits_of_single_steps(const stepper& on, const step_plan& plan, index_t steps,
                              index_t single, const part& of) {
  const auto advanced = [&](index_t count, const step_plan& how) {
    auto copy = on.over_part(of.left_out);
    copy->start(how, 0);
    copy->advance(count, how);
    copy->finish();
    return copy;
  };
  step_plan whole = plan;
  if (way_of(plan.schedule).has_depths())  // or other kernels would make so few steps
    whole.depth = static_cast<int>(std::min<index_t>(plan.depth, steps));
  const auto by_plan = advanced(steps, whole), one_by_one = advanced(single, single_steps());
  return by_plan->has_bits_of(*one_by_one);
}

namespace {

/// Over even and odd numbers of columns, since rows that begin at 16 bytes are loaded by a loop of
/// their own. All numbers of steps that a pass of this kernel can have, since fewer steps than it
/// has levels are another way through it; these also show what many steps hide in a formula that
/// is bounded, where all cells come to its bound.
/// @param fewer_steps that a smaller kernel takes
refusal kernel_refused(const stepper& on, const step_plan& plan, int fewer_steps) {
  const bound_field& field = on.leading();
  const auto differs = [&](index_t steps, index_t fewer_columns) {
    return !has_bits_of_single_steps(
        on, plan, steps, steps, part_to_compare(on.table().rank, field.cells.count, fewer_columns));
  };
  for (const index_t fewer_columns : {0, 1}) {
    bool is_wrong = differs(way_of(plan.schedule).steps_to_compare(plan.depth), fewer_columns);
    for (index_t steps = fewer_steps + 1; steps <= plan.depth && !is_wrong; ++steps)
      is_wrong = differs(steps, fewer_columns);
    if (is_wrong)
      return plan_text(plan) +
             " gave other bits than single steps on a part of the fields: the compiler made a "
             "wrong kernel of this formula";
  }
  return {};
}

/// The plans whose kernels a run by `plan` may launch: what makes steps that are left over, too.
std::vector<step_plan> plans_with_kernels(const stepper& on, const step_plan& plan) {
  std::vector<step_plan> all;
  const schedule one_step = way_of(plan.schedule).of_one_step().schedule();
  const way_facts* const at_once = on.facts().of(one_step);
  if (one_step != plan.schedule && at_once != nullptr && !at_once->refused)
    all.push_back({one_step});
  const std::size_t before = all.size();
  if (const way_facts* way = on.facts().of(plan.schedule))
    for (const depth_choice& choice : way->choices)
      if (all.size() == before || all.back().depth < plan.depth)
        all.push_back({plan.schedule, choice.depth});
  if (all.size() == before) all.push_back(plan);
  return all;
}

}  // namespace

std::optional<refusal> kernel_verdicts::of(const kernel& one, const index_t (&n)[3]) const {
  const auto found = known_.find(one);
  if (found == known_.end()) return std::nullopt;
  for (const comparison& known : found->second)
    if (known.verdict || (known.n[0] >= n[0] && known.n[1] >= n[1] && known.n[2] >= n[2]))
      return known.verdict;
  return std::nullopt;
}

void kernel_verdicts::add(const kernel& one, const index_t (&n)[3], const refusal& verdict) {
  known_[one].push_back({{n[0], n[1], n[2]}, verdict});
}

refusal compare_with_single_steps(const stepper& on, const step_plan& plan) {
  if (on.dev().is_cpu() || plan.schedule == single_steps().schedule) return {};
  static std::mutex guard;
  static kernel_verdicts known;
  const std::lock_guard lock(guard);
  index_t n[3];
  const part of = part_to_compare(on.table().rank, on.leading().cells.count, 0);
  for (int d = 0; d < 3; ++d) n[d] = on.leading().cells.count[d] - of.left_out[d];
  int smaller = 0;  // the depth of the kernel before
  for (const step_plan& one : plans_with_kernels(on, plan)) {
    const kernel_verdicts::kernel kernel(on.identity_of_kernels(), on.dev().name(),
                                         on.borders_text() + on.facts().levels_text(), one.schedule,
                                         one.depth);
    std::optional<refusal> verdict = known.of(kernel, n);
    if (!verdict) {
      try {
        verdict = kernel_refused(on, one, smaller);
      } catch (const std::exception& e) {  // not kept: there may be memory the next time
        return plan_text(one) + " could not be tried on a part of the fields: " + e.what();
      }
      known.add(kernel, n, *verdict);
    }
    if (*verdict) return *verdict;
    if (one.schedule == plan.schedule) smaller = one.depth;
  }
  return {};
}

}  // namespace teff::runtime

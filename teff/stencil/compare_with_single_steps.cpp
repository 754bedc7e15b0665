// SPDX-License-Identifier: MIT
#include <algorithm>
#include <exception>
#include <map>
#include <mutex>
#include <tuple>

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
  const auto by_plan = advanced(steps, plan), one_by_one = advanced(single, single_steps());
  return by_plan->has_bits_of(*one_by_one);
}

namespace {

/// Over even and odd numbers of columns, since rows that begin at 16 bytes are loaded by a loop of
/// their own.
refusal kernel_refused(const stepper& on, const step_plan& plan) {
  const index_t steps = way_of(plan.schedule).steps_to_compare(plan.depth);
  const bound_field& field = on.leading();
  for (const index_t fewer : {0, 1})
    if (!has_bits_of_single_steps(on, plan, steps, steps,
                                  part_to_compare(on.table().rank, field.cells.count, fewer)))
      return plan_text(plan) +
             " gave other bits than single steps on a part of the fields: the compiler made a "
             "wrong kernel of this formula";
  return {};
}

/// The plans whose kernels a run by `plan` may launch.
std::vector<step_plan> plans_with_kernels(const stepper& on, const step_plan& plan) {
  std::vector<step_plan> all;
  if (const way_facts* way = on.facts().of(plan.schedule))
    for (const depth_choice& choice : way->choices)
      if (all.empty() || all.back().depth < plan.depth)
        all.push_back({plan.schedule, choice.depth});
  if (all.empty()) all.push_back(plan);
  return all;
}

}  // namespace

refusal compare_with_single_steps(const stepper& on, const step_plan& plan) {
  if (on.dev().is_cpu() || plan.schedule == single_steps().schedule) return {};
  static std::mutex guard;
  // By the formula's table: each formula has its own.
  static std::map<std::tuple<const void*, std::string, std::string, schedule, int>, refusal> known;
  const std::lock_guard lock(guard);
  for (const step_plan& kernel : plans_with_kernels(on, plan)) {
    const std::tuple key(static_cast<const void*>(on.table().stage), on.dev().name(),
                         on.borders_text(), kernel.schedule, kernel.depth);
    auto verdict = known.find(key);
    if (verdict == known.end()) {
      try {
        verdict = known.emplace(key, kernel_refused(on, kernel)).first;
      } catch (const std::exception& e) {  // not kept: there may be memory the next time
        return plan_text(kernel) + " could not be tried on a part of the fields: " + e.what();
      }
    }
    if (verdict->second) return verdict->second;
  }
  return {};
}

}  // namespace teff::runtime

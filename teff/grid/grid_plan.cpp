// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstddef>
#include <functional>
#include <string>

#include <teff/base/decimal.hpp>
#include <teff/base/error.hpp>
#include <teff/grid/exchange_probe.hpp>
#include <teff/grid/grid_memory.hpp>
#include <teff/grid/grid_plan.hpp>
#include <teff/grid/periods.hpp>
#include <teff/grid/refused_run.hpp>

namespace teff::runtime {

namespace {

/// The halos of callers' blocks, which a run can not widen.
class callers_halos {
 public:
  callers_halos(const grid_state& grid, const step_on_grid& step, const bool (&is_periodic)[3])
      : grid_(grid), step_(step), is_periodic_(is_periodic) {}
  bool are_there() const {
    return std::any_of(step_.callers.begin(), step_.callers.end(),
                       [](const auto& one) { return one.has_value(); });
  }
  /// Those asked for, or as many as they are wide enough for, and a pass is deep.
  /// @throws error where they are too narrow
  index_t period(const iterate_options& options) const {
    const index_t most = std::max<index_t>(options.steps, 1);
    check(std::min(std::max<index_t>(options.exchange_every, 1), most));
    return options.exchange_every > 0
               ? std::min(options.exchange_every, most)
               : steps(std::min<index_t>(most, step_.table.rank == 3 ? 4 : 8));
  }

 private:
  /// Steps between exchanges that they are wide enough for, `most` at most.
  index_t steps(index_t most) const {
    index_t steps = 0;
    while (steps < most && lacking_for(steps + 1) == 0) ++steps;
    return steps;
  }
  void check(index_t asked) const {
    for (int d = 0; d < grid_.cells.dims(); ++d)
      if (is_periodic_[d])
        refuse_run("fields are periodic along " + std::string(axis_of[d]) + ", which is cut into " +
                   std::to_string(grid_.cells.parts(d)) +
                   " parts, and an adopted block has no cells beyond the grid's ends; use "
                   "g.array<T>(), or cut other dims");
    if (const index_t lacking = lacking_for(asked); lacking > 0) {
      const callers_halo& halo = *step_.callers[narrow_];
      refuse_run("field " + std::to_string(narrow_) + ", " + step_.described[narrow_] +
                 ", was adopted with a halo of " + std::to_string(halo.width) + ", and " +
                 (asked == 1 ? "a step needs " : std::to_string(asked) + " steps need ") +
                 std::to_string(halo.width + lacking) +
                 (asked == 1
                      ? ""
                      : ": at most " + std::to_string(steps(asked)) + " between two exchanges"));
    }
  }

  /// Cells by which the narrowest one is too narrow for so many steps; it is field narrow_.
  index_t lacking_for(index_t steps) const {
    const step_reach reach = reach_of(step_.table, step_.more, step_.residual, steps);
    index_t lacking = 0;
    for (int rank = 0; rank < grid_.cells.ranks(); ++rank) {
      const padded_part part = padded(grid_.cells, rank, reach, is_periodic_);
      for (std::size_t f = 0; f < step_.callers.size(); ++f) {
        if (!step_.callers[f]) continue;
        const stagger& more = step_.more[f];
        const grid_box held =
            step_.callers[f]->around(grid_.cells.own(rank, more), grid_.cells, more);
        for (int d = 0; d < grid_.cells.dims(); ++d) {
          const cell_range& needed = part.box.of[d];
          const index_t by =
              std::max(held.of[d].begin - needed.begin, needed.end + more.of[d] - held.of[d].end);
          if (by <= lacking) continue;
          lacking = by;
          narrow_ = f;
        }
      }
    }
    return lacking;
  }

  const grid_state& grid_;
  const step_on_grid& step_;
  const bool (&is_periodic_)[3];
  mutable std::size_t narrow_ = 0;
};

/// Deep passes and seldom exchanges, as long as few cells are computed twice.
index_t period_by_rule(const grid_state& grid, const step_on_grid& step, index_t longest) {
  constexpr index_t cells_of_part_for_one_of_halo = 16;
  index_t most = step.table.rank == 3 ? 4 : 8;
  const step_reach reach = reach_of(step.table, step.more, {}, 1);
  for (int d = 0; d < grid.cells.dims(); ++d)
    if (grid.cells.is_cut(d))
      for (const index_t halo : reach.halo.of[d])
        if (halo > 0)
          most = std::min(most, grid.cells.least_part(d) / (cells_of_part_for_one_of_halo * halo));
  index_t steps = 8;  // as passes are deep
  while (steps > 1 && steps > std::min(most, longest)) steps /= 2;
  return steps;
}

/// The most steps for which a halo comes from the next rank alone.
index_t most_steps_of_halo(const grid_state& grid, const step_on_grid& step, index_t longest) {
  const std::vector<index_t> periods = periods_to_weigh(longest);
  index_t most = 1;
  for (const index_t steps : periods) {
    const step_reach reach = reach_of(step.table, step.more, step.residual, steps);
    for (int d = 0; d < grid.cells.dims(); ++d)
      if (grid.cells.is_cut(d))
        for (const index_t halo : reach.halo.of[d])
          if (halo > grid.cells.least_part(d)) return most;
    most = steps;
  }
  return most;
}

/// What the plans of a step take in a part that is small, timed: in a cache, or where a pass has
/// few tasks, a model does not know them. Of large parts it does, and timing them would take long.
std::vector<timed_plan> timed_in_part(const grid_state& grid, const iterate_options& options,
                                      const period_choice& by, const step_facts& facts,
                                      const padded_part& part) {
  const double most_bytes = grid.dev.is_cpu() ? 4e6 : 6e8;  // some ms
  const bool is_open = options.schedule == schedule::automatic && options.depth == 0;
  if (!by.timed || !is_open || facts.a_eff_bytes > most_bytes) return {};
  try {
    return by.timed(part);
  } catch (const error&) {  // it is said where the run begins
    return {};
  }
}

/// The fastest with no more steps a pass than these; null where none was timed.
const timed_plan* fastest_of(const std::vector<timed_plan>& timed, index_t steps) {
  const timed_plan* best = nullptr;
  for (const timed_plan& one : timed)
    if (one.plan.depth <= steps && (best == nullptr || one.step_s < best->step_s)) best = &one;
  return best;
}

/// What a run costs by the steps between exchanges, in this rank's view.
std::vector<period_cost> costs_of(const grid_state& grid, const step_on_grid& step,
                                  const iterate_options& options, const grid_plan& plan,
                                  const step_facts& facts, const std::vector<timed_plan>& timed,
                                  index_t most) {
  const device_info mine = share_of_device(grid);
  std::vector<period_cost> costs;
  for (const index_t steps : periods_to_weigh(most)) {
    period_cost one{.steps = steps};
    iterate_options asked = options;
    asked.steps = steps;
    const timed_plan* const fastest = fastest_of(timed, steps);
    const step_plan passes = fastest != nullptr ? fastest->plan : plan_steps(mine, asked, facts);
    one.depth = passes.depth;
    const double step_s = fastest != nullptr
                              ? step_s_in_period(fastest->step_s, passes.depth, steps)
                              : predicted_step_s(mine, passes, steps, facts);
    one.cell_s = step_s / std::max(facts.cells, 1.0);
    const step_reach reach = reach_of(step.table, step.more, step.residual, steps);
    for (int rank = 0; rank < grid.cells.ranks(); ++rank) {
      const padded_part part = padded(grid.cells, rank, reach, plan.is_periodic);
      const auto held = static_cast<double>(part.box.cells());
      one.cells = std::max(one.cells, held);
      double bytes = 0;
      for (std::size_t f = 0; f < step.described.size(); ++f)
        if (step.table.evolves(static_cast<int>(f)))
          bytes +=
              (held - static_cast<double>(grid.cells.own(rank, {}).cells())) * facts.cell_bytes;
      one.bytes = std::max(one.bytes, bytes);
    }
    costs.push_back(one);
  }
  return costs;
}

/// Every rank takes what the slowest one says.
void agree_on(const ranks& on, std::vector<period_cost>& costs) {
  std::vector<double> mine;
  for (const period_cost& one : costs) mine.push_back(one.cell_s);
  const auto all = on.through().all_gather("iterate", mine.data(), mine.size() * sizeof(double));
  for (const std::vector<std::byte>& words : *all)
    for (std::size_t i = 0; i < std::min(costs.size(), words.size() / sizeof(double)); ++i) {
      double cell_s = 0;
      std::copy_n(words.data() + i * sizeof(double), sizeof(double),
                  reinterpret_cast<std::byte*>(&cell_s));
      costs[i].cell_s = std::max(costs[i].cell_s, cell_s);
    }
}

/// By the model of exchange_model.hpp; ranks agree.
void choose_period(const grid_state& grid, const step_on_grid& step, const iterate_options& options,
                   const period_choice& by, grid_plan& plan) {
  const index_t longest = std::max<index_t>(longest_stretch(options), 1);
  const index_t most = most_steps_of_halo(grid, step, longest);
  if (most == 1) return;
  plan.speed = grid.known->speed;
  plan.is_measured = plan.speed.has_value();
  iterate_options same = options;  // wherever it begins
  same.first_step = 0;
  same.steps = std::min<index_t>(options.steps, most);
  const std::string run = text_to_agree_on(step, same);
  if (const auto found = grid.known->periods.find(run); found != grid.known->periods.end()) {
    plan.exchange_every = found->second.steps;
    plan.hides_exchange = found->second.hides_exchange;
    plan.of_part = found->second.of_part;
    return;
  }
  const padded_part part =
      padded(grid.cells, 0, reach_of(step.table, step.more, step.residual, 1), plan.is_periodic);
  step_facts facts;
  try {
    facts = by.facts(part);
  } catch (const error&) {  // it is said where the run begins
    plan.exchange_every = std::min(period_by_rule(grid, step, longest), most);
    return;
  }
  const std::vector<timed_plan> timed = timed_in_part(grid, options, by, facts, part);
  std::vector<period_cost> costs = costs_of(grid, step, options, plan, facts, timed, most);
  if (by.is_collective) {
    agree_on(grid.on, costs);
    if (!plan.speed) plan.speed = grid.known->speed = measured_exchange(grid.on, grid.dev);
    plan.is_measured = true;
  } else if (!plan.speed) {
    plan.speed = assumed_exchange(grid.on);
  }
  const period_cost& best = best_period(costs, *plan.speed);
  plan.exchange_every = best.steps;
  plan.hides_exchange = can_be_hidden(best, *plan.speed);
  if (const timed_plan* const fastest = fastest_of(timed, plan.exchange_every)) {
    plan.of_part = fastest->plan;
    plan.of_part->reason = "timed: " + milliseconds_text(fastest->step_s) + " a step";
  }
  if (by.is_collective)
    grid.known->periods[run] = {plan.exchange_every, plan.hides_exchange, plan.of_part};
}

}  // namespace

grid_plan plan_on_grid(const grid_state& grid, const step_on_grid& step,
                       const iterate_options& options, const period_choice& by) {
  grid_plan plan;
  if (options.exchange_every < 0)
    refuse_run("exchange_every must be 1 or more (0: chosen), got " +
               std::to_string(options.exchange_every));
  if (!step.table.reads_only_fields())
    refuse_run(
        "on a grid a time step reads the fields that iterate() is given, and no captured "
        "arrays, device scalars or slices");
  for (std::size_t f = 0; f < step.described.size(); ++f) plan.fields.push_back({step.more[f]});
  for (int d = 0; d < grid.cells.dims(); ++d) {
    if (!grid.cells.is_cut(d)) continue;
    const periods along(grid, step, d);
    plan.is_periodic[d] = along.are_there();
    if (!along.are_there()) continue;
    along.check();
    along.add_to(plan.fields);
  }
  if (const callers_halos callers(grid, step, plan.is_periodic); callers.are_there())
    plan.exchange_every = callers.period(options);
  else if (options.exchange_every > 0)
    plan.exchange_every = std::min(options.exchange_every, std::max<index_t>(options.steps, 1));
  else
    choose_period(grid, step, options, by, plan);
  plan.reach = reach_of(step.table, step.more, step.residual, plan.exchange_every);
  for (int rank = 0; rank < grid.cells.ranks(); ++rank)
    plan.parts.push_back(padded(grid.cells, rank, plan.reach, plan.is_periodic));
  return plan;
}

std::string text_to_agree_on(const step_on_grid& step, const iterate_options& options) {
  std::string text =
      std::to_string(options.steps) + " steps from " + std::to_string(options.first_step) +
      " on, checked every " + std::to_string(options.check_every) + ", to a tolerance of " +
      decimal(options.tolerance, 17) + ", on_step every " + std::to_string(options.on_step.every) +
      (options.on_step.call ? " called" : "") + ", " +
      (options.watch.call ? "watched every " + decimal(options.watch.every_s, 17) + " s"
                          : "not watched") +
      ", exchanged every " + std::to_string(options.exchange_every) + ", of";
  for (const std::string& field : step.described) text += " " + field + ",";
  return text + " the formula " + step.table.key() + " (type " +
         std::to_string(std::hash<std::string>{}(step.formula)) + ")";
}

std::string grid_line(const grid_state& grid, const grid_plan& plan) {
  std::string text =
      "  grid: " + grid.cells.extents_text() + " cells on " + std::to_string(grid.on.count()) +
      " ranks" + (grid.dev.is_cuda() ? std::string(" (") + grid.on.through().name() + ")" : "") +
      ", cut " + grid.cells.parts_text() + "; an exchange every ";
  text += plan.exchange_every == 1 ? "step" : std::to_string(plan.exchange_every) + " steps";
  for (int d = 0; d < grid.cells.dims(); ++d) {
    if (!grid.cells.is_cut(d)) continue;
    const index_t(&halo)[2] = plan.reach.halo.of[d];
    text += std::string(", a halo along ") + axis_of[d] + " of " + std::to_string(halo[0]) +
            " cells below and " + std::to_string(halo[1]) + " above";
    if (plan.is_periodic[d]) text += ", round the ends";
  }
  if (plan.speed)
    text += ", chosen for an exchange of " + plan.speed->text() +
            (plan.is_measured ? " (measured)" : " (assumed: a run measures it)");
  return text + "\n";
}

}  // namespace teff::runtime

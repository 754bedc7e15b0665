// SPDX-License-Identifier: MIT
#include <algorithm>
#include <iterator>
#include <limits>

#include <teff/base/decimal.hpp>
#include <teff/base/error.hpp>
#include <teff/base/for_tasks.hpp>
#include <teff/stencil/way.hpp>

namespace teff {

const char* schedule_name(schedule s) {
  return s == schedule::automatic ? "automatic" : runtime::way_of(s).name();
}

const std::vector<schedule>& schedules() {
  static const std::vector<schedule> all = [] {
    std::vector<schedule> found{schedule::automatic};
    for (const runtime::way* one : runtime::ways())
      if (one->schedule() != found.back()) found.push_back(one->schedule());
    return found;
  }();
  return all;
}

bool takes_depth(schedule s) {
  return s == schedule::automatic || runtime::way_of(s).has_depths();
}

std::string short_text(const step_plan& plan) {
  return runtime::way_of(plan.schedule).short_text(plan.depth);
}

std::string plan_text(const step_plan& plan) {
  return runtime::way_of(plan.schedule).text(plan.depth);
}

namespace runtime {

void add(way_facts&& one, std::vector<way_facts>& to) {
  to.push_back(std::move(one));
}

const way_facts* step_facts::of(schedule s) const {
  const auto found = std::find_if(ways.begin(), ways.end(),
                                  [&](const way_facts& one) { return one.way->schedule() == s; });
  return found == ways.end() ? nullptr : &*found;
}

const way_facts* step_facts::deep() const {
  const auto found = std::find_if(ways.begin(), ways.end(),
                                  [](const way_facts& one) { return one.way->has_depths(); });
  return found == ways.end() ? nullptr : &*found;
}

std::string step_facts::levels_text() const {
  const bool some =
      std::any_of(ways.begin(), ways.end(), [](const way_facts& one) { return one.flop > 0; });
  return some ? "; levels" : "";
}

double step_facts::overlap(teff::schedule schedule, int depth) const {
  double overlap = 1;
  if (const way_facts* way = of(schedule))
    for (const depth_choice& choice : way->choices) {
      overlap = choice.overlap;
      if (choice.depth >= depth) break;
    }
  return overlap;
}

namespace {

/// f(way, depth) of all that a run could take, one step per pass first.
template <class F>
void each_possible(const step_facts& facts, const F& f) {
  const way& stepwise = way_of(single_steps().schedule);
  f(stepwise, 1);
  for (const way_facts& one : facts.ways) {
    if (one.refused || one.way == &stepwise) continue;
    bool has_all = false;  // a pass has all steps until a parameter follows
    for (const depth_choice& choice : one.choices) {
      has_all = has_all || choice.depth == facts.cut_every;
      f(*one.way, choice.depth);
    }
    if (one.way->has_depths() && one.cost_of_fewer == 0 && !one.choices.empty() &&
        facts.cut_every > 1 && facts.cut_every < one.choices.back().depth && !has_all)
      f(*one.way, static_cast<int>(facts.cut_every));
  }
}

}  // namespace

std::vector<step_plan> possible_plans(const step_facts& facts) {
  std::vector<step_plan> plans;
  each_possible(facts, [&](const way& by, int depth) { plans.push_back({by.schedule(), depth}); });
  return plans;
}

bool has_several_plans(const step_facts& facts) {
  int plans = 0;
  each_possible(facts, [&](const way&, int) { ++plans; });
  return plans > 1;
}

index_t least_steps_of_known_plan(const step_facts& facts) {
  index_t least = std::numeric_limits<index_t>::max();
  each_possible(facts, [&](const way& by, int depth) {
    if (by.schedule() != single_steps().schedule)
      least = std::min(least, by.least_steps_if_known(depth));
  });
  return least;
}

namespace {

/// Where the cores' own caches hold the fields, about half of what a step reads and writes, memory
/// costs next to nothing, and the rows that a pass keeps only cost: heat, Gray-Scott and sound of
/// 64^2 to 256^2 took 1.03 to 1.85 times as long in the best passes as in single steps, of 512^2
/// 0.66 to 1.03.
device_model model_of_cpu(const device_info& on, const step_facts& facts) {
  const bool is_in_parallel = facts.cells >= static_cast<double>(parallel_cells);
  const double threads = is_in_parallel ? on.processors : 1;
  const bool is_in_cache =
      facts.a_eff_bytes / 2 < threads * static_cast<double>(on.core_cache_bytes);
  const double rate = (facts.cell_bytes == 8 ? 8.4 : 16.8) * threads;
  return {(is_in_cache ? 1000 : 10) * threads,
          rate,
          is_in_parallel ? 2e-6 : 0.1e-6,
          1,
          rate / 2,
          false,
          is_in_cache ? 1.5 : 1,
          1};
}

device_model model_of(const device_info& on, const step_facts& facts) {
  const int cell_bytes = facts.cell_bytes;
  if (on.max_threads_per_block > 0) {
    const double copy = (on.nominal_gb_per_s > 0 ? on.nominal_gb_per_s : 2000) * 0.89;
    const bool is_3d = facts.dims == 3;
    // In 3-D rows go through shared memory, and warps wait for each other.
    const double of_f32 = 40800 * (is_3d ? 0.5 : 1) * (on.processors / 132.0);
    return {copy,
            cell_bytes == 8 ? of_f32 / on.f32_per_f64 : of_f32,
            4e-6,
            0.8,
            of_f32 / 2 * 4 / cell_bytes,
            true,
            1,
            is_3d ? 1.15 : 1};  // results/h200/readings/depths_in_3d.txt
  }
  return model_of_cpu(on, facts);
}

/// Of the possible plans, of a way and a depth, that `may` take; single steps if it takes none.
template <class May>
step_plan fastest_of(const device_info& on, index_t steps, const step_facts& facts,
                     const May& may) {
  const device_model model = model_of(on, facts);
  step_plan best = single_steps();
  double best_s = std::numeric_limits<double>::infinity();
  each_possible(facts, [&](const way& by, int depth) {
    if (!may(by, depth) || by.least_steps(depth) > steps) return;
    const double s = by.seconds(model, facts, depth, facts.overlap(by.schedule(), depth), steps);
    if (s >= best_s) return;
    best_s = s;
    best.schedule = by.schedule();
    best.depth = depth;
  });
  return best;
}

/// The reason of a schedule that was asked for and has no use for a depth.
std::string without_depth(const iterate_options& asked) {
  if (asked.depth <= 1) return "asked for";
  return "asked for, but not with " + std::to_string(asked.depth) +
         " steps per pass: a depth is for temporal";
}

/// Several steps per pass, as far as they go. @param deep what can do that
step_plan as_deep_as_asked(const device_info& on, const iterate_options& asked,
                           const step_facts& facts, const way_facts& deep) {
  const way& of_one_step = deep.way->of_one_step();
  const way_facts* const at_once = facts.of(of_one_step.schedule());
  const bool is_fusable = at_once != nullptr && !at_once->refused && !at_once->choices.empty();
  if (deep.refused && !is_fusable) return single_steps(deep.refused.why());
  int wished = asked.depth;
  if (wished == 0)
    wished = fastest_of(on, longest_stretch(asked, facts), facts, [&](const way& by, int) {
               return &by == deep.way || &by == &of_one_step;
             }).depth;
  const int possible = std::clamp(wished, 1, deep.refused ? 1 : deep.deepest);
  int depth = static_cast<int>(std::min<index_t>(possible, std::max<index_t>(asked.steps, 1)));
  if (depth < possible && deep.cost_of_fewer > 0) {  // a pass that is whole, where one is
    const auto beyond = std::find_if(deep.choices.begin(), deep.choices.end(),
                                     [&](const depth_choice& one) { return one.depth > depth; });
    if (beyond != deep.choices.begin()) depth = std::prev(beyond)->depth;
  }
  std::string reason = "asked for";
  if (possible != wished)
    reason += " " + std::to_string(wished) + " steps per pass, possible are at most " +
              std::to_string(possible);
  if (deep.refused) reason += ": " + deep.refused.why();
  const way& by = depth == 1 && is_fusable ? of_one_step : *deep.way;
  return {by.schedule(), depth, reason};
}

}  // namespace

double predicted_step_s(const device_info& on, const step_plan& plan, index_t steps,
                        const step_facts& facts) {
  return way_of(plan.schedule)
      .seconds(model_of(on, facts), facts, plan.depth, facts.overlap(plan.schedule, plan.depth),
               steps);
}

step_plan fastest_plan(const device_info& on, index_t steps, const step_facts& facts) {
  return fastest_of(on, steps, facts, [](const way&, int) { return true; });
}

std::vector<steps_by_plan> parts_of_stretch(const device_info& on, index_t steps,
                                            const step_plan& plan, const step_facts& facts,
                                            const std::vector<step_plan>& single) {
  const way_facts* const by = facts.of(plan.schedule);
  if (by == nullptr || by->cost_of_fewer == 0 || steps % plan.depth == 0) return {{plan, steps}};
  struct pass {
    step_plan plan;
    double seconds;
    index_t steps = 0;
  };
  std::vector<pass> passes;  // shallow ones first
  const auto add = [&](const step_plan& one) {
    passes.push_back({one, one.depth * predicted_step_s(on, one, one.depth, facts)});
  };
  for (const step_plan& one : single) add(one);
  for (const depth_choice& choice : by->choices)
    if (choice.depth < plan.depth) add({.schedule = plan.schedule, .depth = choice.depth});
  add(plan);

  // The fastest way to make n steps ends in this pass, which may have fewer of them than its
  // kernel.
  struct fastest {
    double seconds = 0;
    pass* last = nullptr;
  };
  const index_t rest = steps % plan.depth;
  std::vector<fastest> ways(static_cast<std::size_t>(rest + 1));
  for (index_t n = 1; n <= rest; ++n)
    for (pass& last : passes) {
      fastest& best = ways[static_cast<std::size_t>(n)];
      const index_t before = n - last.plan.depth;
      const double s = before < 0 ? by->cost_of_fewer * static_cast<double>(-before) * last.seconds
                                  : ways[static_cast<std::size_t>(before)].seconds + last.seconds;
      if (best.last == nullptr || s < best.seconds) best = {s, &last};
    }

  passes.back().steps = steps - rest;
  for (index_t n = rest; n > 0;) {
    pass& last = *ways[static_cast<std::size_t>(n)].last;
    const index_t count = std::min<index_t>(n, last.plan.depth);
    last.steps += count;
    n -= count;
  }
  std::vector<steps_by_plan> parts;
  for (const pass& one : passes)
    if (one.steps > 0) parts.push_back({one.plan, one.steps});
  return parts;
}

step_plan second_choice::next(const std::string& why, const device_info& on,
                              const iterate_options& asked, const step_facts& facts) {
  why_ += (why_.empty() ? "" : "; ") + why;
  const auto may = [&](const way& by, int depth) {
    return std::none_of(refused_.begin(), refused_.end(), [&](const step_plan& other) {
      return by.schedule() == other.schedule && depth == other.depth;
    });
  };
  step_plan next = fastest_of(on, longest_stretch(asked, facts), facts, may);
  next.reason = why_;
  next.is_second_choice = true;
  return next;
}

step_plan second_choice::instead_of(const step_plan& refused, const std::string& why,
                                    const device_info& on, const iterate_options& asked,
                                    const step_facts& facts) {
  refused_.push_back(refused);
  return next(why, on, asked, facts);
}

step_plan second_choice::with_less_memory(const step_plan& refused, const std::string& why,
                                          const device_info& on, const iterate_options& asked,
                                          const step_facts& facts) {
  const way_facts* failed = facts.of(refused.schedule);
  for (const step_plan& plan : possible_plans(facts))
    if (const way_facts* other = facts.of(plan.schedule);
        failed != nullptr && other != nullptr && other->extra_bytes >= failed->extra_bytes)
      refused_.push_back(plan);
  return instead_of(refused, why, on, asked, facts);
}

std::string predictions_text(const device_info& on, const step_facts& facts) {
  const std::vector<step_plan> plans = possible_plans(facts);
  if (plans.size() == 1) return "";
  std::string text;
  const index_t steps = longest_stretch({.steps = 1000}, facts);
  for (const step_plan& plan : plans)
    text += (text.empty() ? "  model: " : ", ") + plan_text(plan) + " " +
            milliseconds_text(predicted_step_s(on, plan, steps, facts));
  return text + " a step\n";
}

step_plan plan_steps(const device_info& on, const iterate_options& asked, const step_facts& facts) {
  if (asked.depth < 0)
    throw error(failure::usage,
                "iterate: the depth must be 1 or more (0: chosen by the model), got " +
                    std::to_string(asked.depth));
  const way_facts* const deep = facts.deep();
  if (asked.schedule == schedule::automatic && asked.depth == 0) {
    if (!has_several_plans(facts)) return single_steps(deep != nullptr ? deep->refused.why() : "");
    const index_t stretch = longest_stretch(asked, facts);
    step_plan best = fastest_plan(on, stretch, facts);
    const auto predicted = [&](const step_plan& plan) {
      return milliseconds_text(predicted_step_s(on, plan, stretch, facts));
    };
    best.reason = "model: " + predicted(best) + " a step at " + plan_text(best) + ", ";
    if (best.schedule == single_steps().schedule)
      best.reason += "the least of all schedules";
    else
      best.reason += predicted(single_steps()) +
                     (best.schedule == schedule::fused ? " stage by stage" : " at 1");
    return best;
  }
  const way_facts* const one =
      asked.schedule == schedule::automatic ? deep : facts.of(asked.schedule);
  if (one == nullptr) return single_steps(without_depth(asked));
  if (one->way->has_depths()) return as_deep_as_asked(on, asked, facts, *one);
  if (one->refused) return single_steps(one->refused.why());
  return {asked.schedule, one->choices.empty() ? 1 : one->choices.front().depth,
          without_depth(asked)};
}

index_t checked_every(const iterate_options& asked) {
  if (asked.check_every > 0) return asked.check_every;
  return asked.tolerance > 0 ? 100 : 0;
}

index_t longest_stretch(const iterate_options& asked) {
  index_t most = asked.steps;
  for (const index_t every : {checked_every(asked), asked.on_step.every})
    if (every > 0) most = std::min(most, every);
  return most;
}

index_t longest_stretch(const iterate_options& asked, const step_facts& facts) {
  const index_t most = longest_stretch(asked);
  return facts.cut_every > 0 ? std::min(most, facts.cut_every) : most;
}

}  // namespace runtime
}  // namespace teff

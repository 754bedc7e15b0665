// SPDX-License-Identifier: MIT
#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <new>
#include <set>
#include <utility>

#include <teff/base/error.hpp>
#include <teff/base/words.hpp>
#include <teff/solve/plan.hpp>
#include <teff/solve/run_of_any_fields.hpp>
#include <teff/solve/shared_run.hpp>

namespace teff::solve {

namespace {

[[noreturn]] void refuse(const std::string& why) {
  throw error(failure::usage, why);
}

std::vector<std::string> names_of(const std::vector<solver_number>& numbers) {
  std::vector<std::string> names;
  names.reserve(numbers.size());
  for (const solver_number& n : numbers) names.push_back(n.name);
  return names;
}

struct assignment {
  std::string name;
  double value;
};

/// "lam=1"; what is no number after the sign is NaN. @throws error (usage)
assignment parse_assignment(const std::string& text) {
  const std::size_t sign = text.find('=');
  double value = 0;
  const char *begin = text.data() + sign + 1, *end = text.data() + text.size();
  if (sign == std::string::npos || sign == 0)
    refuse("--set: expected NAME=NUMBER, got '" + text + "'");
  const auto [rest, failed] = std::from_chars(begin, end, value);
  if (failed != std::errc{} || rest != end) value = std::numeric_limits<double>::quiet_NaN();
  return {text.substr(0, sign), value};
}

void set_numbers(std::vector<solver_number>& numbers, const spec& what,
                 const std::vector<std::string>& words) {
  std::set<std::string> given;
  for (const std::string& word : words) {
    const assignment a = parse_assignment(word);
    const auto n = std::ranges::find(numbers, a.name, &solver_number::name);
    if (n == numbers.end())
      throw runtime::unknown_name("number of " + what.name, a.name, names_of(numbers));
    if (!given.insert(a.name).second) refuse("--set: '" + a.name + "' is given twice");
    if (!n->takes(a.value)) refuse("--set: '" + word + "': expected " + n->expected());
    n->value = a.value;
  }
}

std::vector<index_t> shape_for(const spec& what, const std::string& text) {
  static const char* const counts[] = {"", "one extent", "two extents", "three extents"};
  std::vector<index_t> shape = runtime::parse_shape(text);
  if (shape.size() != what.rank())
    refuse("shape '" + text + "': " + what.name + " takes a shape of " + counts[what.rank()]);
  return shape;
}

teff::schedule schedule_for(const std::string& name) {
  std::vector<std::string> names;
  for (const auto s : schedules()) {
    if (name == schedule_name(s)) return s;
    names.emplace_back(schedule_name(s));
  }
  throw runtime::unknown_name("schedule", name, names);
}

[[noreturn]] void contradict(const solve_arguments& asked, const std::string& option,
                             const std::string& here, const std::string& there) {
  refuse(option + " " + here + " contradicts the checkpoint '" + asked.resume + "', which has " +
         there + "; leave the option out, or start anew");
}

/// What its checksums can not tell: that a solver can be made of it. Sizes first: the solver
/// allocates by them.
void check_state(const io::checkpoint& from, const spec& what, const std::string& file) {
  const auto is_taken = [&](const io::named_number& n) {
    const auto own = std::ranges::find(what.numbers, n.name, &solver_number::name);
    return own == what.numbers.end() ? n.value > 0 : own->takes(n.value);
  };
  const char* wrong = nullptr;
  if ((what.rank() > 0 && from.shape.size() != what.rank()) || from.fields.empty() ||
      from.fields.front().shape != from.shape)
    wrong = "its shape is not that of its leading field";
  else if (from.numbers.size() != what.numbers.size() ||
           !std::ranges::all_of(from.numbers, is_taken))
    wrong = "its numbers are not those of the solver in this version";
  else if (what.has_dt && from.dt == 0)
    wrong =
        "it has no time step, or one that followed the flow; the solver in this version has one";
  else if (what.has_dt && !(from.dt > 0))
    wrong = "its time step is not above 0";
  else if (!what.has_dt && from.dt > 0)
    wrong = "it has a time step; the solver in this version has none, or one that follows the flow";
  if (wrong != nullptr) throw error("checkpoint '" + file + "' of " + from.solver + ": " + wrong);
}

/// What the state depends on comes from the checkpoint; an option may only repeat it.
void take_state(solve_plan& plan, const solve_arguments& asked) {
  const io::checkpoint& from = *plan.resumed;
  const spec& what = *plan.what;
  check_state(from, what, asked.resume);
  setup& s = plan.setup;
  if (asked.type && *asked.type != from.type) contradict(asked, "--type", *asked.type, from.type);
  s.type = from.type;
  if (what.rank() > 0) s.shape = from.shape;
  if (asked.shape && shape_for(*plan.what, *asked.shape) != from.shape)
    contradict(asked, "--shape", *asked.shape, shape_text(from.shape));
  std::vector<solver_number> given = s.numbers;
  for (solver_number& n : given) {
    const auto there = std::ranges::find(from.numbers, n.name, &io::named_number::name);
    if (there == from.numbers.end())
      throw error("checkpoint '" + asked.resume + "': it has no number '" + n.name + "'");
    n.value = there->value;
  }
  s.numbers = given;
  set_numbers(given, *plan.what, asked.numbers);
  for (std::size_t i = 0; i < given.size(); ++i)
    if (given[i].value != s.numbers[i].value)
      contradict(asked, "--set", given[i].name + "=" + number_text(given[i].value),
                 given[i].name + "=" + number_text(s.numbers[i].value));
  if (asked.dt) {
    const double rounded = from.type == "f32" ? static_cast<float>(*asked.dt) : *asked.dt;
    if (rounded != from.dt)
      contradict(asked, "--dt", number_text(*asked.dt), "dt = " + number_text(from.dt));
  }
  s.dt = from.dt;
  s.takes_unstable = true;  // it was accepted when the run began
}

double setting(const io::checkpoint& from, const std::string& name, double otherwise) {
  for (const io::named_number& n : from.settings)
    if (n.name == name) return n.value;
  return otherwise;
}

index_t steps_setting(const io::checkpoint& from, const std::string& name, index_t otherwise) {
  const double value = setting(from, name, static_cast<double>(otherwise));
  constexpr double most = 9007199254740992;  // beyond it f64 does not hold all whole numbers
  if (!(value >= 0 && value <= most && value == std::floor(value)))
    throw error("a checkpoint's setting '" + name + "' is " + number_text(value) +
                ", expected a number of steps");
  return static_cast<index_t>(value);
}

/// Values of numbers that follow the flow, as a run left them, go beside its settings.
std::string name_of_follower(std::size_t number) {
  return "follows " + std::to_string(number + 1);
}

/// @throws error for a checkpoint without them: the bits would be other ones
void take_followers(const solver_run& run, const io::checkpoint& from) {
  const runtime::flow_rules rules = run.rules();
  for (std::size_t i = 0; i < rules.size(); ++i) {
    const auto kept =
        std::ranges::find(from.settings, name_of_follower(i), &io::named_number::name);
    if (kept == from.settings.end())
      throw error("the checkpoint of " + from.solver + " has no value of the number that follows " +
                  rules[i]->text());
    rules[i]->become(kept->value);
  }
}

/// How far, and how: these may be changed on the way.
void take_settings(solve_plan& plan, const solve_arguments& asked) {
  const spec& what = *plan.what;
  plan.steps = what.steps_on(plan.setup.dev);
  plan.tolerance = what.tolerance;
  plan.check_every = asked.check_every;
  if (plan.resumed) {
    const io::checkpoint& from = *plan.resumed;
    plan.steps = steps_setting(from, "steps", plan.steps);
    plan.tolerance = setting(from, "tolerance", plan.tolerance);
    const bool has_checks =
        std::ranges::count(from.settings, "check_every", &io::named_number::name) > 0;
    if (!asked.check_every && has_checks) plan.check_every = steps_setting(from, "check_every", 0);
  }
  if (asked.steps) plan.steps = *asked.steps;
  if (asked.tolerance) plan.tolerance = *asked.tolerance;
  if (what.tolerance == 0 && plan.tolerance > 0)
    refuse("--tolerance: " + what.name + " has no residual; it makes all of its steps");
  // With a tolerance a run ends at one of its checks, so they may not depend on the clock.
  if (plan.tolerance > 0 && asked.check_every == 0)
    refuse("--check-every 0: without checks no tolerance is met; give --tolerance 0, too");
  if (plan.tolerance > 0 && plan.check_every.value_or(0) == 0) plan.check_every = what.check_every;
  plan.schedule = schedule_for(asked.schedule);
  plan.depth = asked.depth.value_or(0);
  if (asked.depth && (plan.depth < 1 || plan.depth > 64))
    refuse("--depth: expected 1 to 64, got " + std::to_string(plan.depth));
}

/// @throws error for a dt that was asked for and is above the solver's limit
void check_dt(const spec& what, const setup& s) {
  if (!what.dt_limit || s.dt == 0 || s.takes_unstable) return;
  const double limit = what.dt_limit(s);
  if (!(s.dt <= limit))
    refuse("--dt " + number_text(s.dt) + " is above the stability limit of " + what.name + ", " +
           number_text(limit) + "; take a smaller one, none (the solver then chooses), or add " +
           "--force-dt");
}

/// What a solver of somebody's makes, and whether it is what was asked for: nothing that a command
/// line says is passed over in silence. @throws error whatever `make` throws
std::unique_ptr<solver_run> made(const spec& what, const setup& s, other_ranks* others) {
  std::unique_ptr<solver_run> run;
  const std::string failed = "the solver could not be made: ";
  try {
    run = others != nullptr ? others->make(what, s) : what.make(s);
  } catch (const error&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& e) {
    throw error(failed + e.what());
  } catch (...) {
    throw error(failed + "what was thrown is no std::exception");
  }
  if (run == nullptr || run->fields().empty()) throw error(failed + "it has no fields");
  const solver_field& first = run->fields().front();
  if (what.rank() > 0 && first.shape != s.shape)
    throw error("the shape is " + shape_text(s.shape) + ", but that of its first field, " +
                first.name + ", is " + shape_text(first.shape));
  if (const auto* own = dynamic_cast<const run_of_any_fields*>(run.get())) {
    if (own->type() != s.type)
      throw error(failure::usage, "--type " + s.type + ": " + what.name + " has fields of " +
                                      std::string(own->type()));
    if (what.has_dt && own->following_dt())
      throw error("the solver's dt follows the flow; say .has_dt = false");
    if (what.has_dt && own->dt() == 0)
      throw error("the solver's dt is 0; where time has no meaning say .has_dt = false");
    const double rounded = s.type == "f32" ? static_cast<float>(s.dt) : s.dt;
    if (s.dt > 0 && own->dt() != s.dt && own->dt() != rounded)
      throw error(failure::usage, "--dt " + number_text(s.dt) + ": " + what.name + " takes " +
                                      number_text(own->dt()));
  }
  return run;
}

}  // namespace

solve_plan plan_solve(const solve_arguments& asked, device dev, const spec_finder& find) {
  solve_plan plan;
  if (!asked.resume.empty()) {
    plan.resumed = io::read_checkpoint(asked.resume);
    if (plan.resumed->solver.empty())
      throw error("checkpoint '" + asked.resume + "' is of a program's own run, of no solver here");
    if (!asked.name.empty() && asked.name != plan.resumed->solver)
      contradict(asked, "the solver", asked.name, plan.resumed->solver);
  }
  plan.what = &find(plan.resumed ? plan.resumed->solver : asked.name);
  const spec& what = *plan.what;
  setup& s = plan.setup;
  s.dev = dev;
  s.numbers = what.numbers;
  if (asked.dt && !what.has_dt)
    refuse("--dt: " + what.name +
           " takes none: it iterates to a steady state, or its time step follows the flow");
  if (asked.type && std::ranges::find(what.types, *asked.type) == what.types.end())
    throw runtime::unknown_name("type of " + what.name, *asked.type, what.types);
  if (plan.resumed) {
    take_state(plan, asked);
  } else {
    s.type = asked.type.value_or(what.types.front());
    s.shape = asked.shape ? shape_for(what, *asked.shape) : what.shape_on(dev);
    set_numbers(s.numbers, what, asked.numbers);
    s.dt = asked.dt.value_or(0);
    s.takes_unstable = asked.force_dt || asked.force_cfl;
    check_dt(what, s);
  }
  take_settings(plan, asked);
  if (plan.resumed && plan.steps < plan.resumed->step)
    contradict(asked, "--steps", std::to_string(plan.steps),
               "made " + std::to_string(plan.resumed->step) + " steps");
  return plan;
}

std::unique_ptr<solver_run> start(solve_plan& plan, other_ranks* others) {
  std::unique_ptr<solver_run> run = made(*plan.what, plan.setup, others);
  plan.setup.shape = run->fields().front().shape;
  if (!plan.resumed) return run;
  const std::vector<io::field_bytes> saved = std::exchange(plan.resumed->fields, {});
  const std::vector<solver_field>& fields = run->fields();
  bool fits = saved.size() == fields.size();
  for (std::size_t i = 0; fits && i < fields.size(); ++i)
    fits = saved[i].name == fields[i].name && saved[i].type == plan.setup.type &&
           saved[i].shape == fields[i].shape;
  if (!fits)
    throw error("the checkpoint's fields are not those of " + plan.what->name + " of " +
                shape_text(plan.setup.shape) + " in this version");
  for (std::size_t i = 0; i < fields.size(); ++i) run->write(i, saved[i].cells.data());
  take_followers(*run, *plan.resumed);
  return run;
}

io::field_bytes field_now(const solver_run& run, std::size_t field, const std::string& type) {
  const solver_field& f = run.fields()[field];
  io::field_bytes now{f.name, type, f.shape, std::string(io::bytes_of_field(type, f.shape), '\0')};
  run.read(field, now.cells.data());
  return now;
}

io::checkpoint state_of(const solve_plan& plan, const solver_run& run, index_t step,
                        const std::optional<double>& residual) {
  const setup& s = plan.setup;
  io::checkpoint state{plan.what->name, s.type, s.shape, {}, {}, run.dt(), step, {}};
  for (const solver_number& n : s.numbers) state.numbers.push_back({n.name, n.value});
  state.settings = {{"steps", static_cast<double>(plan.steps)}, {"tolerance", plan.tolerance}};
  if (plan.check_every)
    state.settings.push_back({"check_every", static_cast<double>(*plan.check_every)});
  if (residual) state.settings.push_back({"residual", *residual});
  const runtime::flow_rules rules = run.rules();
  for (std::size_t i = 0; i < rules.size(); ++i)
    state.settings.push_back({name_of_follower(i), rules[i]->value()});
  for (std::size_t i = 0; i < run.fields().size(); ++i)
    state.fields.push_back(field_now(run, i, s.type));
  return state;
}

}  // namespace teff::solve

// SPDX-License-Identifier: MIT
#include <algorithm>
#include <utility>

#include <teff/base/error.hpp>
#include <teff/expr/survey.hpp>
#include <teff/stencil/field_stepper.hpp>
#include <teff/stencil/step_error.hpp>
#include <teff/stencil/way.hpp>

namespace teff::runtime {

namespace {

/// "field 1, array 'T' of 10x8 f64,".
std::string numbered(int slot, const bound_field& field) {
  return "field " + std::to_string(slot) + ", " + field.description();
}

}  // namespace

field_stepper::field_stepper(const step_table& table, bool is_optimized,
                             std::vector<bound_field> fields)
    : table_(table), is_optimized_(is_optimized), fields_(std::move(fields)) {}
field_stepper::~field_stepper() = default;

void field_stepper::bind(std::vector<field_memory*> memory,
                         std::vector<const field_conditions*> conditions) {
  memory_ = std::move(memory);
  conditions_ = std::move(conditions);
  rings_ = memory_rings(table_, fields_, memory_);
  for (int s = 0; s < table_.fields; ++s) check_field(s);
}

/// On the same device as the leading field; and nothing that evolves shares memory with another
/// field.
void field_stepper::check_field(int s) const {
  const bound_field& field = fields_[static_cast<std::size_t>(s)];
  if (field.on.dev() != dev())
    throw error("arrays on different devices: the evolving field, " + leading().description() +
                ", is on " + dev().name() + ", " + field.description() + " is on " +
                field.on.dev().name() + "; copy(target, source) moves an array between devices");
  if (!table_.evolves(s)) return;
  const auto refuse = [&](const std::string& why) {
    throw error(failure::usage, "iterate: " + numbered(s, field) + ", evolves" + why);
  };
  if (!is_nested(field.cells)) refuse(std::string(", and ") + detail::shares_cells);
  for (int o = 0; o < table_.fields; ++o) {
    const bound_field& other = fields_[static_cast<std::size_t>(o)];
    if (o != s && may_overlap(field.cells, other.cells))
      refuse(" and shares memory with " + numbered(o, other) +
             "; every field that evolves needs memory of its own");
  }
}

void field_stepper::capture(int stage, const region& whole, const region& read,
                            const std::string& description) {
  captured_.push_back({stage, read, whole, description});
  for (int s = 0; s < table_.fields; ++s) {
    const bound_field& field = fields_[static_cast<std::size_t>(s)];
    // It holds the field's values now and then only.
    if (table_.evolves(s) && may_overlap(whole, field.cells))
      throw error(failure::usage, "iterate: the formula captures " + description +
                                      ", which shares memory with " + numbered(s, field) +
                                      ", that evolves; read it through the formula's own "
                                      "parameter");
  }
}

std::vector<flow_field> field_stepper::fields_of_flow() const {
  settle();
  std::vector<flow_field> all;
  for (std::size_t s = 0; s < fields_.size(); ++s) {
    const bound_field& field = fields_[s];
    if (field.is_own()) continue;
    const region now = memory_[s]->current();
    flow_field read{memory_[s]->handle(), const_cast<void*>(now.first)};
    for (int d = 0; d < field.rank; ++d) {
      read.n[d] = now.count[d];
      read.stride[d] = now.stride_bytes[d] / now.cell_bytes;
    }
    read.real_bytes = field.is_real ? static_cast<int>(now.cell_bytes) : 0;
    read.description = field.description();
    all.push_back(std::move(read));
  }
  return all;
}

void field_stepper::take_rules(const flow_rules& of_formula) {
  rules_ = of_formula;
  for (const field_conditions* one : conditions_) one->add_rules(rules_);
  if (rules_.empty()) return;
  const std::vector<flow_field> given = fields_of_flow();
  for (const auto& rule : rules_) rule->check(given);
}

index_t field_stepper::follow(index_t most) {
  std::vector<flow_field> now;
  for (const auto& rule : rules_) {
    most = std::min(most, rule->steps_left(step_));
    if (!rule->is_due(step_)) continue;
    if (now.empty()) now = fields_of_flow();
    rule->evaluate(now, step_);
  }
  return most;
}

void field_stepper::throw_in_step(const error& e, const std::string& place) const {
  std::vector<named_field> named;
  for (const bound_field& field : fields_)
    if (!field.is_own()) named.push_back({field.label, field.description()});
  throw error_in_step(e, place, named);
}

void field_stepper::throw_in_stage(const error& e, int stage) const {
  throw_in_step(e, table_.stage_text(stage));
}

// ---- asked

traffic field_stepper::per_step() const {
  if (!has_traffic_) per_step_ = traffic_of_step(table_, fields_, captured_);
  has_traffic_ = true;
  return per_step_;
}

const step_facts& field_stepper::facts() const {
  if (has_facts_) return facts_;
  const bound_field& field = leading();
  const traffic moved = per_step();
  step_facts f;
  f.a_eff_bytes = moved.a_eff_bytes();
  f.cells = moved.cells;
  f.flop = moved.flop;
  f.stepwise_bytes = bytes_stage_by_stage(table_, fields_, captured_, rings_.are_used());
  f.stages = table_.stages;
  f.slabs = table_.rank > 1 ? field.extent(table_.rank - 1) : 1;
  f.cell_bytes = static_cast<int>(field.cells.cell_bytes);
  f.dims = table_.rank;
  f.ways = facts_of_ways();
  for (const auto& rule : rules_)
    f.cut_every = f.cut_every == 0 ? rule->every() : std::min(f.cut_every, rule->every());
  for (way_facts& one : f.ways)
    if (!one.refused) one.extra_bytes = scratch_bytes({one.way->schedule(), one.deepest});
  facts_ = std::move(f);
  has_facts_ = true;
  return facts_;
}

std::string field_stepper::borders_text() const {
  std::string text;
  for (std::size_t k = 0; k < conditions_.size(); ++k)
    if (!conditions_[k]->keeps_all())
      text += "; stage " + std::to_string(k + 1) + " sets borders: " + conditions_[k]->text();
  return text;
}

std::string field_stepper::key() const {
  const device_info& on = known_device(dev());
  std::string text = on.name + ", " + std::to_string(on.processors) + " processors" +
                     (is_optimized_ ? "\t" : ", not optimized\t");
  for (std::size_t s = 0; s < fields_.size(); ++s)
    text += (s > 0 ? " " : "") + fields_[s].extents() + ":" + fields_[s].type;
  text += "\t" + table_.key() + borders_text() + facts().levels_text();
  for (const auto& rule : rules_) text += "; follows every " + std::to_string(rule->every());
  return text;
}

bool field_stepper::is_empty() const {
  for (int s = 0; s < table_.fields; ++s)
    if (table_.evolves(s) && !fields_[static_cast<std::size_t>(s)].cells.is_empty()) return false;
  return true;
}

bool field_stepper::is_of_one_block(int k) const {
  if (!dev().is_cuda() || table_.is_in_place(k)) return false;
  const auto slot = static_cast<std::size_t>(table_.stage[k].slot);
  return table_.fits_one_block(k, fields_[slot].cells.count);
}

/// Single steps do: some stage that writes the field can not do so in place.
bool field_stepper::steps_between_two(int field) const {
  for (int k = 0; k < table_.stages; ++k)
    if (table_.stage[k].slot == field && !is_in_place(k)) return true;
  return false;
}

bool field_stepper::needs_scratch(const step_plan& plan, int field) const {
  switch (way_of(plan.schedule).second_arrays()) {
    case second_arrays::where_stages_need_them:
      return steps_between_two(field);
    case second_arrays::all_that_last:
      return carries(field);
    default:
      return false;
  }
}

bool field_stepper::hands_on(const step_plan& plan) const {
  return rings_.are_used() &&
         way_of(plan.schedule).second_arrays() == second_arrays::where_stages_need_them;
}

/// Stage by stage; else they are where the way keeps what stages make.
bool field_stepper::needs_own(const step_plan& plan, int field) const {
  return fields_[static_cast<std::size_t>(field)].is_own() &&
         way_of(plan.schedule).second_arrays() == second_arrays::where_stages_need_them;
}

double field_stepper::scratch_bytes(const step_plan& plan) const {
  double taken = extra_bytes_of(plan) + (hands_on(plan) ? rings_.bytes() : 0);
  for (int s = 0; s < table_.fields; ++s) {
    const auto at = static_cast<std::size_t>(s);
    const int copies = needs_scratch(plan, s) + memory_[at]->is_kept() + needs_own(plan, s);
    taken += copies * static_cast<double>(fields_[at].cells.bytes());
  }
  return taken;
}

// ---- advanced

void field_stepper::start(const step_plan& plan, index_t first_step) {
  step_ = first_step;
  rings_.use_for(expected_);
  take_over();
  for (const auto& rule : rules_) rule->forget_fault();
  resume(plan);
}

void field_stepper::take_over() {
  for (const bound_field& field : fields_) leading().on.wait_for(field.on);
  for (int s = 0; s < table_.fields; ++s)
    if (memory_[static_cast<std::size_t>(s)]->is_made()) take_frame(s);
  for (const auto& rule : rules_) rule->be_on(leading().on);
  hold_conditions(step_);
}

void field_stepper::take_frame(int field) {
  const auto own = static_cast<std::size_t>(field);
  for (int k = 0; k < table_.stages; ++k)
    if (table_.stage[k].slot == field)
      memory_[own]->take_frame(table_.stage[k],
                               *memory_[static_cast<std::size_t>(fields_[own].owner)]);
}

void field_stepper::resume(const step_plan& plan) {
  if (hands_on(plan)) {
    settle();
    rings_.allocate();
  } else {
    rings_.bring_home();
    rings_.release();
  }
  for (int s = 0; s < table_.fields; ++s) {
    field_memory& memory = *memory_[static_cast<std::size_t>(s)];
    if (needs_own(plan, s) && !memory.is_made()) {
      memory.make();
      take_frame(s);
    } else if (!needs_own(plan, s) && memory.is_made()) {
      memory.unmake();
    }
    if (needs_scratch(plan, s)) {
      memory.allocate();
    } else if (memory.has_scratch()) {
      land(s);
      memory.release();
    }
  }
  // An odd number of single steps ends in the array that was given, if it begins in the other one.
  const bool is_odd = std::exchange(expected_, 0) % 2 == 1;
  if (way_of(plan.schedule).second_arrays() == second_arrays::where_stages_need_them)
    keep_frames(is_odd);
}

void field_stepper::keep_frames(bool is_odd) {
  for (int k = 0; k < table_.stages; ++k) {
    if (is_in_place(k)) continue;
    const int field = table_.stage[k].slot;
    field_memory& memory = *memory_[static_cast<std::size_t>(field)];
    if (memory.keep_frame(table_.stage[k]) && is_odd && carries(field) &&
        table_.writers(field) == 1)
      memory.turn();
  }
}

bool field_stepper::has_memory_for(const step_plan& other, const step_plan& plan) const {
  if (hands_on(other) || extra_bytes_of(other) > 0) return false;
  for (int s = 0; s < table_.fields; ++s)
    if (needs_own(other, s) || (needs_scratch(other, s) && !needs_scratch(plan, s))) return false;
  return true;
}

std::vector<steps_by_plan> field_stepper::parts_of(index_t steps, const step_plan& plan) const {
  const bool is_whole = steps % plan.depth == 0;
  const way_facts* const deep = is_whole ? nullptr : facts().of(plan.schedule);
  if (deep == nullptr || deep->cost_of_fewer == 0)
    return {{{.schedule = plan.schedule, .depth = plan.depth}, steps}};
  std::vector<step_plan> single;
  for (const schedule s :
       {single_steps().schedule, way_of(plan.schedule).of_one_step().schedule()}) {
    const way_facts* const by = facts().of(s);
    if (s != plan.schedule && by != nullptr && !by->refused && !by->choices.empty() &&
        has_memory_for({.schedule = s}, plan))
      single.push_back({.schedule = s});
  }
  return parts_of_stretch(known_device(dev()), steps, plan, facts(), single);
}

void field_stepper::change_to(const step_plan& part, const step_plan& plan) {
  if (part.schedule != plan.schedule &&
      way_of(part.schedule).second_arrays() == second_arrays::where_stages_need_them)
    keep_frames(false);
}

void field_stepper::throw_failed(const launch_error& failed, const step_plan& part,
                                 const step_plan& plan) const {
  if (part.schedule != plan.schedule && table_.stages > 1 &&
      part.schedule == single_steps().schedule)
    throw error(failed.what());
  throw;
}

void field_stepper::land(int field) {
  if (carries(field)) memory_[static_cast<std::size_t>(field)]->finish();
}

void field_stepper::finish() {
  rings_.bring_home();
  for (int s = 0; s < table_.fields; ++s) land(s);
  for (const bound_field& field : fields_) field.on.wait_for(leading().on);
}

// ---- checked

bool field_stepper::carries(int field) const {
  return table_.evolves(field) && !fields_[static_cast<std::size_t>(field)].is_own();
}

bool field_stepper::is_finite() const {
  settle();
  bool finite = true;
  for (int s = 0; s < table_.fields; ++s)
    if (carries(s)) finite = finite && memory_[static_cast<std::size_t>(s)]->is_finite();
  return finite;
}

void field_stepper::keep_state() {
  settle();
  for (int s = 0; s < table_.fields; ++s)
    if (carries(s)) memory_[static_cast<std::size_t>(s)]->keep();
  for (const auto& rule : rules_) rule->keep();
  kept_step_ = step_;
}

void field_stepper::go_back() {
  rings_.forget();
  for (int s = 0; s < table_.fields; ++s)
    if (carries(s)) memory_[static_cast<std::size_t>(s)]->go_back();
  for (const auto& rule : rules_) rule->go_back();
  step_ = kept_step_;
}

flow_fault field_stepper::fault_of_rules() const {
  flow_fault first;
  for (const auto& rule : rules_) {
    const flow_fault one = rule->fault();
    if (one.step >= 0 && (first.step < 0 || one.step < first.step)) first = one;
  }
  return first;
}

std::string field_stepper::non_finite_text(bool matters) const {
  settle();
  for (int s = 0; s < table_.fields; ++s) {
    if (!carries(s) || (matters && !table_.has_history(s))) continue;
    const field_memory& memory = *memory_[static_cast<std::size_t>(s)];
    if (memory.is_finite()) continue;
    const bound_field& field = fields_[static_cast<std::size_t>(s)];
    const non_finite_cell cell = memory.first_non_finite();
    std::string where;
    index_t rest = cell.number;
    for (int d = 0; d < field.rank; ++d) {
      where += (d == 0 ? "" : ", ") + std::to_string(rest % field.extent(d));
      rest /= field.extent(d);
    }
    return numbered(s, field) + ", is " + std::to_string(cell.value) + " at (" + where + ")";
  }
  return "";
}

// ---- compared

bool field_stepper::has_bits_of(const stepper& other) const {
  settle();
  const auto& with = static_cast<const field_stepper&>(other);
  with.settle();
  const auto& others = with.memory_;
  for (std::size_t s = 0; s < memory_.size(); ++s)
    if (!fields_[s].is_own() && !memory_[s]->has_bits_of(*others[s])) return false;
  return true;
}

}  // namespace teff::runtime

// SPDX-License-Identifier: MIT
#pragma once

#include <exception>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <teff/stencil/array_facts.hpp>
#include <teff/stencil/field_memory.hpp>
#include <teff/stencil/memory_ring.hpp>
#include <teff/stencil/step_traffic.hpp>
#include <teff/stencil/stepper.hpp>

namespace teff::runtime {

/// What of a stepper needs no types: its fields and conditions in numbers, the memory that it steps
/// between, what it allows. bound_stepper.hpp adds the formula.
class field_stepper : public stepper {
 public:
  ~field_stepper() override;

  const step_table& table() const override { return table_; }
  const std::vector<bound_field>& fields() const override { return fields_; }
  const std::vector<captured_part>& captured() const override { return captured_; }
  traffic per_step() const override;
  const step_facts& facts() const override;
  std::string key() const override;
  std::string borders_text() const override;
  double scratch_bytes(const step_plan& plan) const override;
  bool is_empty() const override;
  flow_rules rules() const override { return rules_; }

  void expect(index_t steps) override { expected_ = steps; }
  void start(const step_plan& plan, index_t first_step) override;
  void take_over() override;
  void resume(const step_plan& plan) override;
  void finish() override;
  index_t step() const override { return step_; }

  bool is_finite() const override;
  void keep_state() override;
  void go_back() override;
  std::string non_finite_text(bool matters = false) const override;
  flow_fault fault_of_rules() const override;

  bool has_bits_of(const stepper& other) const override;

  /// The current values of a field that lasts, between advance() and advance(): who changes them
  /// there changes the state.
  region current(int field) const {
    settle();
    return memory_[static_cast<std::size_t>(field)]->current();
  }
  /// What a pass writes, before it is current.
  region upcoming(int field) const { return memory_[static_cast<std::size_t>(field)]->upcoming(); }

 protected:
  /// @param is_optimized the formula's kernels are, as compiled
  field_stepper(const step_table& table, bool is_optimized, std::vector<bound_field> fields);
  field_stepper(const field_stepper&) = delete;
  field_stepper& operator=(const field_stepper&) = delete;

  /// Once, when the stepper is made. @param memory by field @param conditions by stage
  /// @throws error for fields that can not be stepped together
  void bind(std::vector<field_memory*> memory, std::vector<const field_conditions*> conditions);
  /// An array that a formula captures. @param stage of the step; -1: the residual
  /// @throws error if it shares memory with a field that evolves
  void capture(int stage, const region& whole, const region& read, const std::string& description);
  /// Once, after bind(): rules of the formula's parameters, and of its conditions'.
  /// @throws error for fields that a rule does not fit
  void take_rules(const flow_rules& of_formula);
  /// Parameters keep the values that they have.
  void drop_rules() { rules_.clear(); }
  /// Evaluates what is due before the next step. Returns the steps until one is due again, of so
  /// many at most.
  index_t follow(index_t most);
  /// How so many steps at a stretch are made by a plan that has been started.
  std::vector<steps_by_plan> parts_of(index_t steps, const step_plan& plan) const;
  /// Before such a part.
  void change_to(const step_plan& part, const step_plan& plan);
  /// A launch of it failed, as the error says that is being handled. Where single steps make some
  /// of their stages before, no other plan can go on: then it is an error of no launch.
  [[noreturn]] void throw_failed(const launch_error& failed, const step_plan& part,
                                 const step_plan& plan) const;
  /// The error that is being handled, of an expression over placeholders, with its place.
  [[noreturn]] void throw_in_step(const error& e, const std::string& place) const;
  [[noreturn]] void throw_in_stage(const error& e, int stage) const;

  /// A stage needs no second array: it writes over what it reads, or in a ring.
  bool is_in_place(int stage) const {
    return table_.is_in_place(stage) || is_of_one_block(stage) ||
           (rings_.are_used() && table_.is_in_ring(stage));
  }
  /// It has so few cells that one block of a GPU computes all before it stores any: a second array
  /// would take a launch more, which fills it.
  bool is_of_one_block(int stage) const;

  memory_rings& rings() const { return rings_; }
  /// Between steps, before current values are read: all of them are where they belong.
  void settle() const { rings_.settle(); }

  const std::vector<const field_conditions*>& conditions() const { return conditions_; }
  array_facts arrays() const { return {table_, fields_, conditions_}; }

  /// What each way can do, in the order of ways().
  virtual std::vector<way_facts> facts_of_ways() const = 0;
  /// Memory that the plan's way takes besides fields and second arrays.
  virtual double extra_bytes_of(const step_plan& plan) const = 0;
  /// The conditions that hold after every step, in the state after so many.
  virtual void hold_conditions(index_t state) = 0;

  index_t step_ = 0;

 private:
  void check_field(int s) const;
  /// The current values, as rules read them.
  std::vector<flow_field> fields_of_flow() const;
  bool needs_scratch(const step_plan& plan, int field) const;
  bool steps_between_two(int field) const;
  /// Its steps hand on arrays of rings.
  bool hands_on(const step_plan& plan) const;
  /// A field that is the step's own has an array.
  bool needs_own(const step_plan& plan, int field) const;
  /// It evolves, and its values last from step to step.
  bool carries(int field) const;
  /// Steps by `other` need no memory but that of a plan that has been started.
  bool has_memory_for(const step_plan& other, const step_plan& plan) const;
  /// Cells that stages leave alone are in second arrays, too.
  void keep_frames(bool is_odd);
  /// The cells outside its target to the array of a field that is the step's own.
  void take_frame(int field);
  /// A field's current values to the array that was given, if they last.
  void land(int field);

  const step_table& table_;
  bool is_optimized_;
  std::vector<bound_field> fields_;
  std::vector<field_memory*> memory_;
  std::vector<const field_conditions*> conditions_;
  std::vector<captured_part> captured_;
  flow_rules rules_;
  mutable memory_rings rings_;                            // where values are is not what they are
  mutable bool has_facts_ = false, has_traffic_ = false;  // those below are found
  mutable step_facts facts_;
  mutable traffic per_step_;
  index_t kept_step_ = 0;
  index_t expected_ = 0;  // steps after the start that is to come; then 0
};

}  // namespace teff::runtime

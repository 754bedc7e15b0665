// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <teff/formula/flow_rule.hpp>
#include <teff/formula/table.hpp>
#include <teff/stencil/bound_field.hpp>
#include <teff/stencil/plan.hpp>
#include <teff/stencil/sides_first.hpp>
#include <teff/stencil/step_traffic.hpp>
#include <teff/traffic/traffic.hpp>

namespace teff::runtime {

/// A time step bound to its fields: it can be asked, and advanced. A run (run.hpp) drives one,
/// whatever formula, types and device are behind it; so a run is compiled once, and costs a virtual
/// call for each stretch between two looks at the fields, none for a step.
class stepper {
 public:
  virtual ~stepper() = default;

  // ---- asked

  virtual const step_table& table() const = 0;
  /// In the order of the formula's parameters.
  virtual const std::vector<bound_field>& fields() const = 0;
  /// The first field that evolves: it stands for the step in reports, and its stream runs it.
  const bound_field& leading() const { return fields()[static_cast<std::size_t>(table().leading)]; }
  device dev() const { return leading().on.dev(); }
  /// Arrays that the formula captures, as each part of it reads them.
  virtual const std::vector<captured_part>& captured() const = 0;
  /// Of one ideal step: 2 D_u + D_k.
  virtual traffic per_step() const = 0;
  /// What a plan is made from, and which ways can not be taken, and why.
  virtual const step_facts& facts() const = 0;
  /// What the fastest plan is remembered by: device, fields, what the formula's cost depends on.
  virtual std::string key() const = 0;
  /// What kernels depend on besides the formula: "; stage 1 sets borders: x keeps keeps, ...".
  virtual std::string borders_text() const = 0;
  /// That a plan launches; none on a CPU.
  virtual std::vector<kernel_facts> kernels(const step_plan& plan) const = 0;
  /// What a verdict on its kernels is known by (compare_with_single_steps.hpp), as long as the
  /// program runs: a formula that was compiled has a table of its own.
  virtual const void* identity_of_kernels() const { return table().stage; }
  /// Bytes besides the fields: second arrays, the way's own, and the copy for checks, if one was
  /// made.
  virtual double scratch_bytes(const step_plan& plan) const = 0;
  /// Every field that evolves has no cells: there is nothing to do.
  virtual bool is_empty() const = 0;
  virtual bool has_residual() const = 0;
  /// By which parameters follow the flow; most steps have none.
  virtual flow_rules rules() const { return {}; }

  // ---- advanced

  /// Before start(): so many steps are to come before the fields that were given are read, if
  /// nothing ends the run earlier.
  virtual void expect(index_t /*steps*/) {}
  /// Before the first step, which has number `first_step`.
  virtual void start(const step_plan& plan, index_t first_step) = 0;
  /// Waits for the fields' own streams, then sets the border cells whose conditions hold after
  /// every step.
  virtual void take_over() = 0;
  /// Prepares for steps by `plan` from the current values: makes the second arrays it needs, frees
  /// the others.
  virtual void resume(const step_plan& plan) = 0;
  /// So many steps more, in passes that end where a rule is evaluated. Returns the passes made.
  /// @param last slabs that the last pass makes first, if it can; null: it has no order
  virtual double advance(index_t steps, const step_plan& plan,
                         const sides_first* last = nullptr) = 0;
  /// The current values to the fields that were given, for whatever comes next on their streams.
  virtual void finish() = 0;
  /// Steps made, first_step included.
  virtual index_t step() const = 0;

  // ---- checked; all of this waits for the run

  virtual bool is_finite() const = 0;
  virtual void keep_state() = 0;
  virtual void go_back() = 0;
  /// The first field and cell of the current values that are not finite; "" if there are none.
  /// @param matters only fields whose values the next step needs
  virtual std::string non_finite_text(bool matters = false) const = 0;
  /// Of a step that has one.
  virtual double residual() const = 0;
  /// The first value of a parameter that follows, since start() or go_back(), by which no step can
  /// be made.
  virtual flow_fault fault_of_rules() const { return {}; }

  // ---- followed

  /// Another stepper of the same formula may follow this one within a run (relay.hpp).
  virtual bool awaits_successor() const { return false; }
  virtual bool has_successor() { return false; }
  /// It gets the current values, and is what is asked, and started, from now on.
  virtual void hand_over() {}

  // ---- compared

  /// The same step over copies of the fields without so many cells at their ends, roughened where
  /// they evolve.
  virtual std::unique_ptr<stepper> over_part(const index_t (&left_out)[3]) const = 0;
  /// @param other made by the same call
  virtual bool has_bits_of(const stepper& other) const = 0;
};

}  // namespace teff::runtime

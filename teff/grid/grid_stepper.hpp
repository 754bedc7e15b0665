// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <teff/grid/grid_plan.hpp>
#include <teff/stencil/field_memory.hpp>
#include <teff/stencil/field_stepper.hpp>

/// A time step over fields of a grid as a stepper: a run (stencil/run.hpp) drives it on every rank,
/// and all that it asks has the same answer on all of them, so that they take the same steps.
namespace teff::runtime {

struct exchange_seconds;
struct held_cells;
class packer;

/// Steps of one rank's part, with exchanges in between. What depends on types is in
/// bound_grid_stepper.hpp.
class grid_stepper : public stepper {
 public:
  /// @param part the same step over this rank's arrays, by the plan @param messages the stream of
  /// these, beside the part's @param by copies boxes in its order
  grid_stepper(const grid_state& grid, const grid_plan& plan, const step_on_grid& step,
               field_stepper& part, const stream& messages, std::shared_ptr<packer> by);

  const step_table& table() const override { return part_.table(); }
  const std::vector<bound_field>& fields() const override { return part_.fields(); }
  const std::vector<captured_part>& captured() const override { return part_.captured(); }
  /// Of the whole grid.
  traffic per_step() const override;
  const step_facts& facts() const override { return part_.facts(); }
  std::string key() const override { return part_.key(); }
  std::string borders_text() const override { return part_.borders_text(); }
  std::vector<kernel_facts> kernels(const step_plan& plan) const override {
    return part_.kernels(plan);
  }
  double scratch_bytes(const step_plan& plan) const override;
  bool is_empty() const override { return false; }
  bool has_residual() const override { return step_.has_residual; }
  flow_rules rules() const override { return part_.rules(); }

  void start(const step_plan& plan, index_t first_step) override;
  void take_over() override;
  void resume(const step_plan& plan) override { part_.resume(plan); }
  /// (No other part waits for the sides of a whole grid's pass.)
  double advance(index_t steps, const step_plan& plan, const sides_first*) override;
  void finish() override;
  index_t step() const override { return part_.step(); }

  bool is_finite() const override;
  void keep_state() override;
  void go_back() override;
  std::string non_finite_text(bool matters = false) const override;
  double residual() const override;

  std::unique_ptr<stepper> over_part(const index_t (&left_out)[3]) const override;
  bool has_bits_of(const stepper& other) const override;

  /// What has just been thrown was thrown by this rank's own work: others may know nothing of it.
  bool has_thrown_alone() const { return is_alone_; }
  /// In exchanges of halos on this rank since the run began, waiting for others included.
  double exchange_s() const { return exchange_s_; }
  /// Of some of them, in the streams of a GPU. @sync waits for them
  exchange_seconds timed_exchanges() const;

 protected:
  /// Of this rank's own cells; nothing where all are finite.
  virtual std::optional<non_finite_cell> first_non_finite(int field) const = 0;
  /// Of the whole, from current values and halos.
  virtual double residual_of_all() const = 0;

  const ranks& on() const { return grid_.on; }
  const padded_part& part() const { return plan_.parts[static_cast<std::size_t>(grid_.on.rank())]; }
  const grid_state& grid() const { return grid_; }
  const stagger& more(int field) const { return step_.more[static_cast<std::size_t>(field)]; }
  /// A rank's own cells of a field, in numbers of what the rank holds.
  grid_box own_in_part(const stagger& more) const;

 private:
  struct exchanges;

  void exchange(bool is_of_all) const;
  /// @param is_next as a pass has just written them
  std::vector<held_cells> held(const std::vector<int>& fields, bool is_next = false) const;
  std::optional<sides_first> sides_of_periods();
  bool shares_planes() const;
  void send_sides();
  void receive() const;
  std::string put_aside();
  void exchange_all();
  std::string place() const;

  const grid_state& grid_;
  const grid_plan& plan_;
  const step_on_grid& step_;
  field_stepper& part_;
  std::shared_ptr<exchanges> with_;
  mutable index_t left_ = 0;  // steps for which halos are wide enough
  index_t kept_left_ = 0;
  mutable index_t exchanges_ = 0;
  mutable double exchange_s_ = 0;
  mutable bool is_under_way_ = false;  // what the next exchange brings
  bool has_begun_ = false;
  mutable bool is_alone_ = false;  // it makes steps, or exchanges
};

}  // namespace teff::runtime

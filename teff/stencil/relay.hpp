// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>

#include <teff/stencil/stepper.hpp>

namespace teff::runtime {

/// A stepper that another one of the same formula, over the same fields, follows within a run: as
/// soon as it is compiled. No bit depends on when.
class relay : public stepper {
 public:
  /// @param successor null as long as there is none @throws error if there will be none
  using awaited = std::function<std::shared_ptr<stepper>()>;
  relay(std::shared_ptr<stepper> first, awaited successor)
      : now_(std::move(first)), successor_(std::move(successor)) {}

  bool awaits_successor() const override { return successor_ != nullptr; }
  bool has_successor() override;
  void hand_over() override;

  const step_table& table() const override { return now_->table(); }
  const std::vector<bound_field>& fields() const override { return now_->fields(); }
  const std::vector<captured_part>& captured() const override { return now_->captured(); }
  traffic per_step() const override { return now_->per_step(); }
  const step_facts& facts() const override { return now_->facts(); }
  std::string key() const override { return now_->key(); }
  std::string borders_text() const override { return now_->borders_text(); }
  std::vector<kernel_facts> kernels(const step_plan& plan) const override {
    return now_->kernels(plan);
  }
  const void* identity_of_kernels() const override { return now_->identity_of_kernels(); }
  double scratch_bytes(const step_plan& plan) const override { return now_->scratch_bytes(plan); }
  bool is_empty() const override { return now_->is_empty(); }
  bool has_residual() const override { return now_->has_residual(); }
  flow_rules rules() const override { return now_->rules(); }

  void expect(index_t steps) override { now_->expect(steps); }
  void start(const step_plan& plan, index_t first_step) override { now_->start(plan, first_step); }
  void take_over() override { now_->take_over(); }
  void resume(const step_plan& plan) override { now_->resume(plan); }
  double advance(index_t steps, const step_plan& plan, const sides_first* last) override {
    return now_->advance(steps, plan, last);
  }
  void finish() override { now_->finish(); }
  index_t step() const override { return now_->step(); }

  bool is_finite() const override { return now_->is_finite(); }
  void keep_state() override { now_->keep_state(); }
  void go_back() override { now_->go_back(); }
  std::string non_finite_text(bool matters) const override {
    return now_->non_finite_text(matters);
  }
  double residual() const override { return now_->residual(); }
  flow_fault fault_of_rules() const override { return now_->fault_of_rules(); }

  std::unique_ptr<stepper> over_part(const index_t (&left_out)[3]) const override {
    return now_->over_part(left_out);
  }
  bool has_bits_of(const stepper& other) const override { return now_->has_bits_of(other); }

 private:
  std::shared_ptr<stepper> now_, next_;
  awaited successor_;
};

}  // namespace teff::runtime

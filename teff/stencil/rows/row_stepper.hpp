// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <teff/stencil/field_stepper.hpp>
#include <teff/stencil/rows/row_field.hpp>
#include <teff/stencil/rows/row_fused.hpp>
#include <teff/stencil/rows/row_passes.hpp>
#include <teff/stencil/rows/row_resident.hpp>
#include <teff/stencil/rows/row_step.hpp>

namespace teff::runtime {

/// A time step that is data, over fields with cells side by side along x: single steps, stage by
/// stage, and with all stages at once, several per pass, or by blocks that stay on the chip, where
/// kernels for that are compiled; with the bits of a bound_stepper of the same formula.
class row_stepper : public field_stepper {
 public:
  /// @throws error for fields that can not be stepped together
  row_stepper(std::shared_ptr<const row_step> step, std::vector<std::unique_ptr<row_field>> fields,
              compiled_kernels kernels = {});

  /// More kernels may be compiled later, so what was the fastest of those that there are is
  /// remembered as that.
  std::string key() const override;
  bool has_residual() const override { return of_->residual.has_value(); }
  double residual() const override;
  double advance(index_t steps, const step_plan& plan, const sides_first* last) override;
  std::vector<kernel_facts> kernels(const step_plan& plan) const override;
  /// Its table is made anew by each bind, loaded kernels stay.
  const void* identity_of_kernels() const override { return kernels_.identity(); }
  std::unique_ptr<stepper> over_part(const index_t (&left_out)[3]) const override;

 private:
  std::vector<way_facts> facts_of_ways() const override;
  double extra_bytes_of(const step_plan& plan) const override;
  void hold_conditions(index_t state) override;

  double advance_by(const step_plan& plan, index_t steps);
  void make_step();
  void compute(int first, int end);
  void show_new(int stage);
  bool begins_ring(int stage) const;
  field_memory& memory(int stage) const;

  std::shared_ptr<const row_step> of_;
  std::vector<std::unique_ptr<row_field>> cells_;
  std::vector<std::unique_ptr<row_conditions>> conditions_of_;  // by stage
  compiled_kernels kernels_;
  std::optional<row_fused> fused_;  // these where there are kernels
  std::optional<row_passes> passes_;
  std::optional<row_resident> resident_;
};

}  // namespace teff::runtime

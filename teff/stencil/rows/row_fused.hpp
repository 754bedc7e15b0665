// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include <teff/stencil/plan.hpp>
#include <teff/stencil/rows/compiled_kernel.hpp>
#include <teff/stencil/rows/kernel_parameter.hpp>

namespace teff::runtime {

struct array_facts;

/// All stages at once of a step that is data. Twin: fused_steps of fused/way.hpp.
class row_fused {
 public:
  /// @param kernel of the step @param table of the step @param fields of it; these and the numbers
  /// stay where they are
  row_fused(std::shared_ptr<const fused_kernel> kernel, const step_table& table,
            const std::vector<std::unique_ptr<row_field>>& fields, const stream& on,
            const double* reals, const i64* integers);

  /// What it can do in a run over these arrays.
  way_facts facts(const array_facts& arrays) const;
  kernel_facts kernel() const;
  /// One step; the fields' values are turned.
  void run();

 private:
  std::shared_ptr<const fused_kernel> kernel_;
  const step_table& table_;
  const std::vector<std::unique_ptr<row_field>>& fields_;
  stream on_;
  const double* reals_;
  const i64* integers_;
  std::vector<std::byte> parameter_;  // when first used
};

}  // namespace teff::runtime

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

/// Shapes of which kernels can be compiled, of more and more steps, as long as the device has room
/// for a block. -1: of none, though nvcc makes passes of the formula.
int shapes_to_compile(const pass_facts& facts, device dev);

/// Several steps per pass of a step that is data: launches kernels of one formula, of all shapes
/// that are compiled for it. Twin: launch_warps() of warps/kernel.hpp.
class row_passes {
 public:
  /// @param kernels at least one, those of fewer levels first @param table of the step @param
  /// fields and conditions of it; these and the numbers stay where they are
  row_passes(std::vector<std::shared_ptr<const pass_kernel>> kernels, const step_table& table,
             const std::vector<std::unique_ptr<row_field>>& fields,
             const std::vector<std::unique_ptr<row_conditions>>& conditions, const stream& on,
             const double* reals, const i64* integers);

  /// What they can do in a run over these arrays, as warp_steps says it.
  way_facts facts(const array_facts& arrays) const;
  kernel_facts kernel(int depth) const;
  /// So many steps, at most those of the deepest, from step number `step` on; the fields' values
  /// are turned.
  void run(int steps, index_t step);

 private:
  const pass_kernel& with_levels(int steps, std::vector<std::byte>** parameter);

  std::vector<std::shared_ptr<const pass_kernel>> kernels_;
  std::vector<std::vector<std::byte>> parameters_;
  table_of_kernels table_;
  const std::vector<std::unique_ptr<row_field>>& fields_;
  const std::vector<std::unique_ptr<row_conditions>>& conditions_;
  stream on_;
  const double* reals_;
  const i64* integers_;
};

}  // namespace teff::runtime

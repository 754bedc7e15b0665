// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <teff/stencil/plan.hpp>
#include <teff/stencil/resident/messages.hpp>
#include <teff/stencil/rows/compiled_kernel.hpp>
#include <teff/stencil/rows/kernel_parameter.hpp>

namespace teff::runtime {

struct array_facts;

/// Steps of a step that is data by blocks that stay on the chip. Twin: resident_steps of
/// resident/way.hpp.
class row_resident {
 public:
  /// @param kernel of the step @param table of the step @param fields and conditions of it; these
  /// and the numbers stay where they are
  row_resident(std::shared_ptr<const resident_kernel> kernel, const step_table& table,
               const std::vector<std::unique_ptr<row_field>>& fields,
               const std::vector<std::unique_ptr<row_conditions>>& conditions, const stream& on,
               const double* reals, const i64* integers);

  /// What it can do in a run over these arrays.
  way_facts facts(const array_facts& arrays) const;
  kernel_facts kernel() const;
  double extra_bytes() const;
  /// So many steps in one launch, in place.
  void run(int steps);

 private:
  resident_cut cut() const;
  void make_messages(const resident_cut& cut);

  std::shared_ptr<const resident_kernel> kernel_;
  table_of_kernels table_;
  const std::vector<std::unique_ptr<row_field>>& fields_;
  const std::vector<std::unique_ptr<row_conditions>>& conditions_;
  stream on_;
  const double* reals_;
  const i64* integers_;
  std::vector<std::byte> parameter_;        // when first used
  std::optional<message_memory> messages_;  // likewise
};

}  // namespace teff::runtime

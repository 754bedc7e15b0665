// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstring>
#include <vector>

#include <teff/array/region.hpp>
#include <teff/kernel/block_options.hpp>
#include <teff/stencil/refusal.hpp>
#include <teff/stencil/rows/row_field.hpp>

/// What hosts of a compiled_kernel.hpp have in common: how they set what changes in its parameter.
namespace teff::runtime {

/// Bytes of a kernel's parameter from an offset on.
template <class T>
void set_bytes(std::vector<std::byte>& parameter, int offset, const T& value) {
  std::memcpy(parameter.data() + offset, &value, sizeof(T));
}

/// As device_leaf and device_target begin: the first cell, and strides in cells.
struct cells_in_memory {
  const void* data;
  index_t stride[3];
};
inline cells_in_memory of_region(const region& cells, int rank) {
  cells_in_memory made{cells.first, {1, 0, 0}};
  for (int d = 0; d < rank; ++d) made.stride[d] = cells.stride_bytes[d] / cells.cell_bytes;
  return made;
}

/// Of a block.
inline std::size_t shared_bytes_of(device dev) {
  return dev.is_cpu() ? emulated_shared_bytes : known_device(dev).shared_bytes_per_block;
}

/// Why they make no steps of a formula that has the number of the step.
inline refusal step_number_refused() {
  return "compiled by NVRTC, which makes single steps of a formula with step_index";
}

/// A step's table as kernels have it that were compiled with or without conditions.
class table_of_kernels {
 public:
  table_of_kernels(const step_table& whole, bool has_conditions)
      : stages_(whole.stage, whole.stage + whole.stages), table_(whole) {
    for (stage_table& stage : stages_)
      stage.has_conditions = stage.has_conditions && has_conditions;
    table_.stage = stages_.data();
  }
  table_of_kernels(table_of_kernels&&) = delete;
  table_of_kernels& operator=(table_of_kernels&&) = delete;
  const step_table& operator*() const { return table_; }
  const step_table* operator->() const { return &table_; }

 private:
  std::vector<stage_table> stages_;
  step_table table_;
};

}  // namespace teff::runtime

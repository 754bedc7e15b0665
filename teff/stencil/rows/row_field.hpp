// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include <teff/array/array_handle.hpp>
#include <teff/stencil/bound_field.hpp>
#include <teff/stencil/conditions/field_conditions.hpp>
#include <teff/stencil/field_memory.hpp>
#include <teff/stencil/rows/row_step.hpp>

namespace teff::runtime {

/// The conditions of one stage over its field, whatever the field's type.
class row_conditions {
 public:
  virtual ~row_conditions() = default;
  virtual field_conditions& facts() = 0;
  /// Sets the border cells of the current values, in the state after so many steps.
  /// @param but for those among these cells, or that follow from such
  virtual void apply(index_t state, const std::vector<cell_box>& but) = 0;
  /// Their rules for a kernel, a pass_edges of levels/edges.hpp with formulas' values of so many
  /// steps, filled for `depth` steps. @param rank dims of the fields
  virtual void set_pass_edges(void* to, int rank, int steps, int depth) const = 0;
};

/// A field of a run, whatever its type. All have three dims, of which some may have one cell.
class row_field {
 public:
  virtual ~row_field() = default;
  virtual field_memory& memory() = 0;
  virtual bound_field facts() const = 0;
  /// @throws error for conditions that do not fit
  virtual std::unique_ptr<row_conditions> conditions(const field_conditions::all_sides& sides,
                                                     const stage_table& stage,
                                                     const std::vector<bound_field>& fields) = 0;
  /// A copy without so many cells at its ends. @param evolves then it is roughened
  virtual std::unique_ptr<row_field> part(const index_t (&left_out)[3], bool evolves) const = 0;
};

/// An array of any type, of three dims; so it goes between units of C++ and of CUDA.
struct row_array {
  cell_type type;
  array_handle handle;
  void* data;
  index_t extent[3], stride[3];  ///< in cells
};

/// @param rank dims that the field has @param on the stream of the run
std::unique_ptr<row_field> row_field_of(const row_array& cells, int rank, const stream& on);

}  // namespace teff::runtime

// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <teff/formula/boundary.hpp>
#include <teff/formula/side_condition.hpp>
#include <teff/formula/table.hpp>
#include <teff/stencil/conditions/field_conditions.hpp>
#include <teff/stencil/rows/row_kernel.hpp>

/// A time step as data: of each stage a function that computes cells of a row, what it reads, and
/// its conditions. Who has it needs no types of the formula.
namespace teff::runtime {

enum class cell_type { f64, f32, i64, i32, u8 };
class row_program;

/// Computes cells that lie side by side along x.
struct row {
  /// @param from by row that is read: its cell beside the first one that is computed
  /// @param at ix, iy, iz of that one, counted from the target's first cell, and step_index
  using function = void (*)(void* to, const void* const* from, index_t cells, const index_t* at,
                            const double* reals, const i64* integers);
  struct source {
    int field, y, z;  ///< so many rows and planes away
  };

  function compute = nullptr;
  const double* reals = nullptr;  ///< the formula's numbers
  const i64* integers = nullptr;
  cell_type type = cell_type::f64;  ///< that it computes
  std::vector<source> from;
  const row_kernel* kernel = nullptr;  ///< over fields on a GPU instead of the function
  std::shared_ptr<const row_program> program = nullptr;  ///< instead of it where none is compiled

  /// On a CPU, as the function. Defined in row_cells.cpp.
  void compute_cells(void* to, const void* const* from_rows, index_t cells,
                     const index_t* at) const;
};

/// The condition at one side, from numbers that are known when the step is bound.
class row_side : public side_condition {
 public:
  row_side() = default;
  row_side(kind k, double a, double b, double c) : side_condition(k, a, b) { c_ = c; }
  row_side(kind k, double a, double b, i64 c) : row_side(k, a, b, static_cast<double>(c)) {
    is_whole_ = true;
    whole_ = c;
  }
  /// @param formula f64, or i64 where it is made of integers
  row_side(kind k, double a, double b, const row& formula);
};

struct row_stage {
  row computed;
  field_conditions::all_sides sides;
};

/// What is checked: the largest magnitude, or the root of the sum of squares.
struct row_residual {
  row computed;  ///< f64 or f32
  bool is_norm2 = false;
  int shape_of = 0;               ///< it has the extents of this field
  int shape_less[3] = {0, 0, 0};  ///< but for so many cells
};

struct row_step {
  std::vector<cell_type> types;     ///< by field
  std::vector<stage_table> tables;  ///< by stage
  std::vector<row_stage> stages;
  std::optional<row_residual> residual;
  step_table table;         ///< over `tables`
  std::string interpreted;  ///< why its rows are programs; empty if they are compiled
};

}  // namespace teff::runtime

// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <teff/formula/side_condition.hpp>
#include <teff/formula/table.hpp>
#include <teff/stencil/bound_field.hpp>
#include <teff/stencil/conditions/cell_box.hpp>

namespace teff::runtime {

/// A layer of border cells and the one that it follows from: indices along the dim.
struct edge_layer {
  index_t at, source;
};

/// The boundary conditions of one stage over the field that it writes, in numbers; what sets cells
/// by them is in edges.hpp.
class field_conditions {
 public:
  /// By dim, then low and high side.
  using all_sides = side_condition[3][2];

  /// @throws error for conditions that do not fit the field that the stage writes
  field_conditions(const all_sides& sides, const stage_table& stage,
                   const std::vector<bound_field>& fields);

  bool keeps_all() const { return keeps_all_; }
  /// "x keeps keeps, y slope value formula": the kinds of the conditions, low and high side.
  std::string text() const;
  bool is_periodic(int dim) const { return sides_[dim][0].is_periodic(); }
  void add_rules(flow_rules& to) const;
  /// Some value or slope is a formula of position or step: along one of the first so many dims.
  bool has_formula(int dims = 3) const;
  /// Layers of border cells that a condition sets; 0 where they keep their values.
  int width(int dim, bool upper) const { return width_[dim][upper ? 1 : 0]; }
  /// Layer 0 is the one next to the inner cells.
  edge_layer layer(int dim, bool upper, int number) const;
  /// Cells that the stage leaves out at a side.
  int left_out(int dim, bool upper) const { return upper ? high_[dim] : low_[dim]; }
  /// Cells that it writes along a dim.
  index_t inner(int dim) const { return n_[dim] - low_[dim] - high_[dim]; }

  /// Room for the formulas' values in so many states, and the values in states first, first + 1,
  /// ...
  void fill(index_t first, int states);

  /// Cells of layers along a dim: of earlier dims the border ones, too; sides of later dims come
  /// later.
  cell_box cells_of_side(int dim, index_t begin, index_t end) const;
  /// What is to be set of a layer at a side. @param but for those among these cells, or that follow
  /// from such
  std::vector<cell_box> cells_of_layer(int dim, bool upper, const edge_layer& layer,
                                       const std::vector<cell_box>& but) const;
  /// Adds the cells that the stage writes, and those that its conditions set.
  void add_changed(std::vector<cell_box>& cells) const;

 protected:
  const side_condition& at(int dim, bool upper) const { return sides_[dim][upper ? 1 : 0]; }
  /// Null where the condition there is no formula.
  const side_values* values(int dim, bool upper) const { return values_[dim][upper ? 1 : 0].get(); }
  index_t extent(int dim) const { return n_[dim]; }

 private:
  void check(int dim, bool upper, const bound_field& field, int slot) const;

  side_condition sides_[3][2];
  int rank_, low_[3], high_[3], width_[3][2];
  bool keeps_all_ = true;
  index_t n_[3];
  std::shared_ptr<side_values> values_[3][2];  // of formulas
};

}  // namespace teff::runtime

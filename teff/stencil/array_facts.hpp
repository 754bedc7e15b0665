// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include <teff/formula/table.hpp>
#include <teff/stencil/bound_field.hpp>
#include <teff/stencil/conditions/field_conditions.hpp>
#include <teff/stencil/levels/levels.hpp>
#include <teff/stencil/refusal.hpp>

namespace teff::runtime {

/// What arrays and conditions allow, found once a run.
struct array_facts {
  const step_table& table;
  const std::vector<bound_field>& fields;
  const std::vector<const field_conditions*>& conditions;  ///< by stage

  device dev() const { return fields[static_cast<std::size_t>(table.leading)].on.dev(); }
  bool keep_all_borders() const;
  bool have_formulas() const;
  bool are_periodic() const;

  /// Why no pass can take several stages or steps of the formula, whatever the arrays.
  refusal formula_refused() const;
  /// Why no pass can take several stages or steps over these arrays: neither registers nor the
  /// reach of a formula decide it.
  /// @param farthest_reach of a pass beyond its tiles on a GPU
  refusal refused(int farthest_reach) const;

 private:
  /// What the stages say of one dim.
  struct periods {
    index_t cells = 0;    // of a period; 0: no field that evolves is periodic
    refusal not_all;      // they do not all repeat themselves alike
    bool is_near = true;  // known fields are read at one cell only, seen from the one updated

    refusal refused(const std::string& axis, int least) const;
  };
  periods periods_along(int dim) const;
  bool follows_periods(int stage, int dim, index_t extent, index_t period) const;
  refusal borders_refused(int farthest_reach) const;
  refusal periods_refused(int farthest_reach) const;
  bool have_close_extents() const;
  refusal layout_refused() const;
};

}  // namespace teff::runtime

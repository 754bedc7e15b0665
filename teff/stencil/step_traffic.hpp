// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <teff/formula/table.hpp>
#include <teff/stencil/bound_field.hpp>
#include <teff/traffic/traffic.hpp>

/// The bytes of a time step: of one ideal pass, and stage by stage.
namespace teff::runtime {

/// What a stage reads of an array that its formula captures.
struct captured_part {
  int stage;  ///< -1: the residual
  region read;
  region array;       ///< the array, or the slice of it, that was captured
  std::string words;  ///< that describe it
};

/// 2 D_u + D_k: whole arrays, boundary included, and what formulas capture; each array once, in
/// whichever of these ways it comes. A field whose old values no step needs is only written,
/// and one of the step's own is not counted.
traffic traffic_of_step(const step_table& table, const std::vector<bound_field>& fields,
                        const std::vector<captured_part>& captured);

/// What the stages read and write, one after the other. @param hands_on the table's rings do
double bytes_stage_by_stage(const step_table& table, const std::vector<bound_field>& fields,
                            const std::vector<captured_part>& captured, bool hands_on);

}  // namespace teff::runtime

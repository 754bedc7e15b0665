// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <teff/io/any_field.hpp>

/// Values of a run at some cells, kept in a file with which later runs are compared: a test of a
/// whole solver, whose numbers do not stand in its source.
namespace teff::io {

struct reference_options {
  index_t steps = 0;      ///< that led to the values: each may round a value once more
  double tolerance = -1;  ///< of the largest kept value; below 0: by the types and the steps
  int cells = 40;         ///< of each field that are kept, where the file is written
};

/// Compares the fields with a file of some of their values; where the environment says
/// TEFF_RECORD=1, writes that file instead. Values may differ by (10 + steps) * epsilon of the
/// largest kept one, epsilon being that of the less exact of both types: f32 may be compared with a
/// file of f64. Integers are equal, and what is not finite is not finite alike.
/// @sync waits for the arrays' streams, and copies whole fields to the host
/// @throws error (verification) with the cell that differs most; for a file that is not there, is
/// none of these, or holds other fields or extents
void compare_with_reference(const std::string& path, const std::vector<named_field>& fields,
                            const reference_options& options = {});

}  // namespace teff::io

// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <teff/base/error.hpp>

namespace teff::runtime {

/// A field of a run, for messages.
struct named_field {
  std::string label;        ///< "" if it has none
  std::string description;  ///< "array 'T' of 20x20 f64"
};

/// What an expression over placeholders threw, with the place in the time step, labels in place of
/// "field 0", and what every field is.
error error_in_step(const error& e, const std::string& place,
                    const std::vector<named_field>& fields);

}  // namespace teff::runtime

// SPDX-License-Identifier: MIT
#include <teff/stencil/bound_field.hpp>

namespace teff::runtime {

std::string bound_field::extents() const {
  std::string text;
  for (int d = 0; d < rank; ++d) text += (d > 0 ? "x" : "") + std::to_string(extent(d));
  return text;
}

std::string bound_field::description() const {
  return (label.empty() ? "an array" : "array '" + label + "'") + " of " + extents() + " " + type;
}

}  // namespace teff::runtime

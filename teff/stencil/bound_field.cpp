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

std::string label_of_own(const std::string& owner, int slot, int stage) {
  return (owner.empty() ? "field " + std::to_string(slot) : owner) + " after stage " +
         std::to_string(stage);
}

}  // namespace teff::runtime

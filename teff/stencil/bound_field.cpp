// SPDX-License-Identifier: MIT
#include <teff/stencil/bound_field.hpp>

namespace teff::runtime {

namespace {

std::string extents_text(const bound_field& field, const index_t (&more)[3]) {
  std::string text;
  for (int d = 0; d < field.rank; ++d)
    text += (d > 0 ? "x" : "") + std::to_string(field.extent(d) + more[d]);
  return text;
}

}  // namespace

std::string bound_field::extents() const {
  return extents_text(*this, {0, 0, 0});
}

std::string bound_field::description() const {
  return (label.empty() ? "an array" : "array '" + label + "'") + " of " +
         extents_text(*this, place.more) + " " + type;
}

std::string label_of_own(const std::string& owner, int slot, int stage) {
  return (owner.empty() ? "field " + std::to_string(slot) : owner) + " after stage " +
         std::to_string(stage);
}

}  // namespace teff::runtime

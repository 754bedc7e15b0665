// SPDX-License-Identifier: MIT
#include <cmath>

#include <teff/base/conversion.hpp>
#include <teff/formula/side_condition.hpp>

namespace teff::runtime {

side_condition::relation side_condition::as_relation(bool upper) const {
  const double outwards = upper ? 1 : -1;
  switch (kind_) {
    case kind::slope:
      return {1, outwards};
    case kind::mixed:
      return {outwards * b_ / (a_ + outwards * b_), 1 / (a_ + outwards * b_)};
    default:
      return {0, 1};
  }
}

std::string side_condition::value_text() const {
  return is_whole_ ? number_text(whole_) : number_text(c_);
}

bool side_condition::is_singular(bool upper) const {
  return kind_ == kind::mixed && !(std::abs(a_ + (upper ? b_ : -b_)) > 0);
}

bool side_condition::is_beyond(i64 low, i64 high) const {
  if (kind_ != kind::value || formula_) return false;
  if (is_whole_) return whole_ < low || whole_ > high;
  if (c_ != std::trunc(c_) || !detail::holds<i64>(c_)) return true;
  return static_cast<i64>(c_) < low || static_cast<i64>(c_) > high;
}

std::string side_condition::text() const {
  constexpr const char* names[] = {"keeps", "value", "slope", "mixed", "periodic"};
  return names[static_cast<int>(kind_)] + std::string(formula_ ? " formula" : "");
}

}  // namespace teff::runtime

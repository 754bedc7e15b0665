// SPDX-License-Identifier: MIT
#include <cmath>

#include <teff/base/conversion.hpp>
#include <teff/formula/side_condition.hpp>

namespace teff::runtime {

namespace {

const char* name_of(side_condition::kind k) {
  using kind = side_condition::kind;
  switch (k) {
    case kind::keeps:
      return "keeps";
    case kind::value:
      return "value";
    case kind::slope:
      return "slope";
    case kind::mixed:
      return "mixed";
    case kind::periodic:
      return "periodic";
  }
  return "";
}

}  // namespace

side_condition::relation side_condition::as_relation(bool upper) const {
  const double outwards = upper ? 1 : -1;
  switch (kind_) {
    case kind::slope:
      return {1, outwards};
    case kind::mixed:
      return {outwards * b_ / (a_ + outwards * b_), 1 / (a_ + outwards * b_)};
    case kind::keeps:
    case kind::value:
    case kind::periodic:
      break;
  }
  return {0, 1};
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
  return name_of(kind_) + std::string(formula_ ? " formula" : "");
}

}  // namespace teff::runtime

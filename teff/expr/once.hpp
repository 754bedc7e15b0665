// SPDX-License-Identifier: MIT
#pragma once

#include <teff/expr/functions.hpp>

namespace teff::inline TEFF_MODE {

namespace ops {

/// What once() applies.
struct value_once {
  static constexpr const char* name = "once";
  static constexpr int flops = 0;
  template <class T>
  TEFF_INLINE T operator()(T a) const {
    return a;
  }
};

}  // namespace ops

/// e as a value of its own: it is rounded, as a value that is read through an operator is, so a
/// product in it does not fuse with a sum around it (arithmetic.hpp). All else has the bits that it
/// has without. It is computed where it is used, at each neighbour that is read.
/// `auto D = once(c * T); return update(inn(T), inn(D) + dt * d2_xi(D));`
template <lazy_operand A>
auto once(const A& e) {
  return map(ops::value_once{}, e);
}

}  // namespace teff::inline TEFF_MODE

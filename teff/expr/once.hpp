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
/// has without.
/// `auto D = once(exp(-T)); return update(inn(T), inn(T) + dt * (d2_xi(D) + d2_yi(D)));`
///
/// In a time step it also says what is worth to be kept: a pass computes e once for each cell, as a
/// level of its own that no memory holds (formula/once_levels.hpp). `explain` tells the operations.
/// In single steps and in other statements e is computed where it is used, at each neighbour that
/// is read. So it is in a pass where computing it once saves less than some 8 additions a cell;
/// where an index (ix), stage_time, an array or a function that is not pure is in it; where it is
/// no real value of the step's dims; where another once() of the same type has other numbers in it;
/// and where it reads known fields and the sides are periodic. A step without a mark has such
/// levels where they pay; one with a mark has those that it asks for.
template <lazy_operand A>
auto once(const A& e) {
  return map(ops::value_once{}, e);
}

}  // namespace teff::inline TEFF_MODE

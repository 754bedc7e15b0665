// SPDX-License-Identifier: MIT
#pragma once

#include <teff/formula/boundary.hpp>

#include "../../generator.hpp"

/// Generated boundary conditions.
namespace teff::inline TEFF_MODE::test {

/// A condition that sets border cells. Its numbers are short, so that nothing is rounded that the
/// kernel might not round.
inline side any_set_side(generator& g, bool has_formulas = false) {
  switch (g.between(0, has_formulas ? 5 : 3)) {
    case 0:
      return fixed(0.5);
    case 1:
      return gradient(0.25);
    case 2:
      return robin(3, 1, 2);
    case 3:
      return gradient(0);
    case 4:
      return fixed(0.25 * ix - 0.5 * iy + 0.125 * iz + step_index);
    default:
      return gradient(0.125 * step_index + 0.0625 * iy);
  }
}

/// Or one that keeps them.
inline side any_side(generator& g, bool has_formulas = false) {
  return g.chance(20) ? side(fixed) : any_set_side(g, has_formulas);
}

inline sides any_sides(generator& g, bool has_formulas = false) {
  return {any_side(g, has_formulas), any_side(g, has_formulas)};
}

/// Sides that are periodic with each other, set their cells, or keep them.
inline sides any_kind(generator& g) {
  return g.chance(25) ? sides(periodic) : any_sides(g, true);
}

}  // namespace teff::inline TEFF_MODE::test

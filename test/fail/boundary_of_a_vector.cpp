// expect: The right-hand side of a boundary condition is made of numbers, ix, iy, iz, step_index and, in a rate, stage_time.
// SPDX-License-Identifier: MIT
#include <teff/array/array.hpp>
#include <teff/formula/boundary.hpp>

teff::side wrong(const teff::array<double, 1>& vector) {
  return teff::fixed(teff::along<0>(vector));
}

// expect: A grid array has no slices and no single cells: A.own() is this rank's part, gather(A) brings all cells to the root.
#include <teff/grid/grid.hpp>

auto misuse(const teff::grid_array<double, 2>& T) {
  return T(teff::range(1, 3), teff::whole);
}

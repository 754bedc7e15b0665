// expect: A grid array stands in pointwise statements over arrays of its grid, in full reductions (sum, min, max, max_abs, any, all, mean, dot, norm2) and in iterate(); for all else A.own() is this rank's part, and gather(A) brings all cells to the root.
#include <teff/grid/grid_statement.hpp>

void misuse(teff::array<double, 2>& A, const teff::grid_array<double, 2>& T) {
  A = T + 1.0;
}

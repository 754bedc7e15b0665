// expect: A grid array stands in pointwise statements over arrays of its grid, in full reductions (sum, min, max, max_abs, any, all, mean, dot, norm2) and in iterate(); for all else A.own() is this rank's part, and gather(A) brings all cells to the root.
#include <teff/grid/grid_reduce.hpp>

auto misuse(const teff::grid_array<double, 2>& T) {
  return sum(T, 1);
}

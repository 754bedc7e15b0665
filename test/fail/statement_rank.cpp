// expect: The two sides of a statement must have the same number of dims.
#include <teff/teff.hpp>

void misuse(teff::array<double, 2>& A, const teff::array<double, 1>& row) {
  A = 2.0 * row;
}

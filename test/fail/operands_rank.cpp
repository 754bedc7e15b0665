// expect: The operands of an expression must have the same number of dims.
#include <teff/teff.hpp>

auto misuse(const teff::array<double, 2>& A, const teff::array<double, 1>& row) {
  return A + row;
}

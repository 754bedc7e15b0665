// expect: A slice takes one argument for each dim of the expression.
#include <teff/teff.hpp>

auto misuse(const teff::array<double, 2>& A) {
  return (A * A)(teff::range(0, 3));
}

// expect: argmin and argmax take one dim, or none.
#include <teff/algo/reduce.hpp>

auto misuse(const teff::array<double, 3>& A) {
  return teff::argmin(A, 0, 1);
}

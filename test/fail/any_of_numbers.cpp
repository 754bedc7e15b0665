// expect: any and all take conditions, such as A > 0.
#include <teff/algo/reduce.hpp>

auto misuse(const teff::array<double, 2>& A) {
  return teff::any(A);
}

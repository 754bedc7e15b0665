// expect: An operator of fd1, fd2 or fd3 takes operands of one, two or three dims.
#include <teff/teff.hpp>

auto misuse(const teff::array<double, 2>& A) {
  return teff::fd3::inn(A);
}

// expect: An operator of fd1, fd2 or fd3 takes operands of one, two or three dims.
#include <teff/teff.hpp>

auto misuse(const teff::array<double, 1>& A) {
  return teff::fd2::d_xa(A);
}

// expect: sbp<6> has no d(b du/dx)/dx: orders 2 and 4 have it.
#include <teff/solver/sbp.hpp>
#include <teff/teff.hpp>

auto misuse(const teff::sbp<6, 1>& d, const teff::array<double, 1>& u) {
  return d.d2x(u, u);
}

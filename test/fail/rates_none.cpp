// expect only: rates(...) takes rates and, as its last entry, a residual
#include <teff/teff.hpp>

void misuse(teff::array<double, 1>& T) {
  teff::iterate(teff::rk4([](auto) { return teff::rates(); }, 0.1), 3, T);
}

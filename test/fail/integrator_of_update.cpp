// expect only: euler, rk2, ssp_rk3 and rk4 make the updates themselves: their lambda returns the time derivative, as rate(target, e) or rates(rate(...), ...).
#include <teff/teff.hpp>

void misuse(teff::array<double, 1>& T) {
  teff::iterate(teff::rk4([](auto t) { return update(t, 0.5 * t); }, 0.1), 3, T);
}

// expect only: A time integrator's dt is a number or a param.
#include <teff/teff.hpp>

void misuse(teff::array<double, 1>& T) {
  teff::iterate(teff::rk4([](auto t) { return rate(t, -1.0 * t); }, T), 3, T);
}

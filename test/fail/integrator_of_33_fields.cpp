// expect only: A time step takes at most 32 fields, and a time integrator's own are among them: for each unknown rk4 keeps three, ssp_rk3 two, rk2 one.
#include <teff/teff.hpp>

void misuse(teff::array<double, 1>& T) {
  teff::iterate(teff::rk4([](auto... t) { return rates(rate(t, -1.0 * t)...); }, 0.1), 3, T, T, T,
                T, T, T, T, T, T);
}

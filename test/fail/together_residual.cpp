// expect only: together(...) takes updates and nothing else
#include <teff/teff.hpp>

void misuse(teff::array<double, 2>& T, teff::array<double, 2>& C) {
  teff::iterate(teff::timestep([](auto t, auto c) {
                  return together(update(t, t + c), update(c, 1.0 * c), residual(max_abs(t)));
                }),
                3, T, C);
}

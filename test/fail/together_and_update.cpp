// expect only: Several updates are stages(update(...), update(...)).
#include <teff/teff.hpp>

void misuse(teff::array<double, 2>& T, teff::array<double, 2>& C) {
  teff::iterate(teff::timestep([](auto t, auto c) {
                  return together(update(t, 1.0 * c), update(c, 1.0 * t)), update(t, t + 1.0);
                }),
                3, T, C);
}

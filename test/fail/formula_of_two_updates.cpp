// expect only: Several updates are stages(update(...), update(...)).
#include <teff/teff.hpp>

void misuse(teff::array<double, 2>& T, teff::array<double, 2>& C) {
  teff::iterate(teff::timestep([](auto t, auto c) { return update(t, t + c), update(c, t); }), 3, T,
                C);
}

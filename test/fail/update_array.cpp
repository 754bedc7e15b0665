// expect only: A time step's lambda must return update(target, rhs) with a field as its target.
#include <teff/teff.hpp>

void misuse(teff::array<double, 2>& T) {
  teff::iterate(teff::timestep([&](auto t) { return update(T, t + 1.0); }), 3, T);
}

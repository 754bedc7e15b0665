// expect only: A time step's lambda must return update(target, rhs)
// absent: as many fields
// absent: incomplete type
#include <teff/teff.hpp>

void misuse(teff::array<double, 2>& T) {
  teff::iterate(teff::timestep([](auto t) { update(t, t + 1.0); }), 3, T);
}

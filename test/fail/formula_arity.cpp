// expect only: A time step's lambda takes as many fields as iterate() is given arrays, each
#include <teff/teff.hpp>

void misuse(teff::array<double, 2>& T) {
  teff::iterate(teff::timestep([](auto t, auto c) { return update(t, t + c); }), 3, T);
}

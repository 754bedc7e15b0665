// expect only: A time step takes at most 32 fields.
#include <teff/teff.hpp>

void misuse(teff::array<double, 1>& T) {
  teff::iterate(teff::timestep([](auto t, auto... more) { return update(t, (t + ... + more)); }), 3,
                T, T, T, T, T, T, T, T, T, T, T, T, T, T, T, T, T, T, T, T, T, T, T, T, T, T, T, T,
                T, T, T, T, T);
}

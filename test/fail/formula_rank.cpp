// expect: update(target, rhs): both must have the same number of dims.
#include <teff/teff.hpp>

void misuse(teff::array<double, 2>& T, teff::array<double, 1>& row) {
  teff::iterate(teff::timestep([](auto t, auto c) { return update(t, 2.0 * c); }), 3, T, row);
}

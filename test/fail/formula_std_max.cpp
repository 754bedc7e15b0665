// expect first: no matching function for call to
// absent: as many fields
// absent: must return update
#include <algorithm>

#include <teff/teff.hpp>

void misuse(teff::array<double, 2>& T) {
  teff::iterate(teff::timestep([](auto t) { return update(t, std::max(t + 1.0, 0.0)); }), 3, T);
}

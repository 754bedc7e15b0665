// expect first: instead of if, ?: and std::max write where(condition, a, b)
// absent: as many fields
// absent: must return update
#include <teff/teff.hpp>

void misuse(teff::array<double, 2>& T) {
  teff::iterate(teff::timestep([](auto t) { return update(t, t > 0.5 ? t : 0.0); }), 3, T);
}

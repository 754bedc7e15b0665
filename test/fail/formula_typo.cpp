// expect first: d2_x
// absent: as many fields
// absent: must return update
#include <teff/teff.hpp>

using namespace teff::fd2;

void misuse(teff::array<double, 2>& T) {
  teff::iterate(teff::timestep([](auto t) { return update(inn(t), d2_x(t)); }), 3, T);
}

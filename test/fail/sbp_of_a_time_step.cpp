// expect: The fields of a time step have no extents before it runs
#include <teff/solver/sbp.hpp>
#include <teff/teff.hpp>

void misuse(const teff::sbp<2, 1>& d, teff::array<double, 1>& T) {
  teff::iterate(teff::timestep([=](auto t) { return update(t, t + d.d2x(t)); }), 3, T);
}

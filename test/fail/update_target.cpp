// expect: update(target, rhs): the target must be a field or its inner part, as inn(T) or around<2>(T)().
#include <teff/teff.hpp>

void misuse(teff::array<double, 2>& T) {
  teff::iterate(teff::timestep([](auto t) { return update(2.0 * t, t); }), 3, T);
}

// expect only: rate(target, e): a field that has a rate must be of f64 or f32.
#include <teff/teff.hpp>

void misuse(teff::array<int, 1>& T) {
  teff::iterate(teff::euler([](auto t) { return rate(t, 0.5 * t); }, 0.1), 3, T);
}

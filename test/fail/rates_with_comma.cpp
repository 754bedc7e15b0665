// expect: Several rates are rates(rate(...), rate(...)).
#include <teff/teff.hpp>

void misuse(teff::array<double, 1>& T, teff::array<double, 1>& C) {
  teff::iterate(teff::rk4([](auto t, auto c) { return rate(t, 0.5 * t), rate(c, 1.0 * t); }, 0.1),
                3, T, C);
}

// expect only: together(...): two updates write one field; which value would it have?
#include <teff/teff.hpp>

void misuse(teff::array<double, 2>& T, teff::array<double, 2>& C) {
  teff::iterate(teff::timestep([](auto t, auto c) {
                  return together(update(t, t + c), update(c, 1.0 * c), update(t, 1.0 * t));
                }),
                3, T, C);
}

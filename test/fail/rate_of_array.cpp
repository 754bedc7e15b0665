// expect only: rate(target, e): the target must be one of the lambda's fields or its inner part, as inn(T); what the lambda captures is known, and has no rate.
#include <teff/teff.hpp>

void misuse(teff::array<double, 2>& T, teff::array<double, 2>& C) {
  teff::iterate(teff::rk4([&](auto t) { return rate(C, 0.5 * t); }, 0.1), 3, T);
}

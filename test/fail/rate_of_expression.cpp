// expect only: rate(target, e): the target must be one of the lambda's fields or its inner part, as inn(T); what the lambda captures is known, and has no rate.
#include <teff/teff.hpp>

void misuse(teff::array<double, 2>& T) {
  teff::iterate(teff::rk2([](auto t) { return rates(rate(2 * t, 0.5 * t)); }, 0.1), 3, T);
}

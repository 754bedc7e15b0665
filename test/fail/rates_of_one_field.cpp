// expect only: rates(...): two rates of one field; write their sum as one rate.
#include <teff/teff.hpp>

void misuse(teff::array<double, 1>& T) {
  teff::iterate(
      teff::ssp_rk3([](auto t) { return rates(rate(t, 0.5 * t), rate(t, 1.0 * t)); }, 0.1), 3, T);
}

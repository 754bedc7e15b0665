// expect only: The lambda of a time integrator must return rate(target, e), rates(rate(...), ...), or an expression, the rate of the first field.
#include <teff/teff.hpp>

void misuse(teff::array<double, 1>& T) {
  teff::iterate(teff::euler([](auto t) { (void)rate(t, 0.5 * t); }, 0.1), 3, T);
}

// expect only: A rate without a target is that of the first field's inner part, as many cells off at both sides; this one has an odd number fewer: name the target, as in rate(inn_x(T), e).
#include <teff/teff.hpp>

void misuse(teff::array<double, 2>& T) {
  teff::iterate(teff::rk4([](auto t) { return teff::fd2::d_xa(t); }, 0.1), 3, T);
}

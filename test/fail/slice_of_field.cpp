// expect: a formula can not slice
#include <teff/teff.hpp>

auto misuse() {
  teff::array<double, 2> T(teff::device::cpu(), {8, 8});
  return teff::iterate(teff::timestep([](auto u) {
                         return teff::update(teff::fd2::inn(u),
                                             u(teff::range(1, 7), teff::range(0, 6)));
                       }),
                       2, T);
}

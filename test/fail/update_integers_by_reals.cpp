// expect: update(target, rhs): the field holds integers and rhs is real, so every step would cut
// off the
#include <teff/teff.hpp>

void misuse(teff::array<teff::i32, 1>& T) {
  using namespace teff::fd1;
  teff::iterate(teff::timestep([](auto t) { return update(inn(t), inn(t) + 0.4 * d2(t)); }), 3, T);
}

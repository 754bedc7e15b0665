// expect: The lambda of follows must return one number that is on the device, made of reductions of its fields
#include <teff/stencil/iterate.hpp>

void misuse(const teff::parameter<double>& dt) {
  dt.follows(10, [](auto u) { return 0.4 / u; });
}

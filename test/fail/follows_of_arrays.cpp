// expect: The lambda of follows takes the fields of the call of iterate, in their order, each as a parameter
#include <teff/stencil/iterate.hpp>

void misuse(const teff::parameter<double>& dt) {
  dt.follows(10, [](const teff::array<double, 2>& u) { return 0.4 / teff::max_abs(u); });
}

// expect: follows: make the parameter of a real number, as in auto dt = param(0.1).
#include <teff/stencil/iterate.hpp>

void misuse() {
  const auto dt = teff::param(1);
  dt.follows(10, [](auto u) { return 0.4 / max_abs(u); });
}

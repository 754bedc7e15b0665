// SPDX-License-Identifier: MIT
#include <teff/kernel/launch.hpp>

bool is_contracted_unit() {
#if defined(__FMA__) || !defined(__x86_64__)
  return true;
#else
  return false;
#endif
}

void launch_of_contracted_unit(const teff::stream& on) {
  teff::launch(on, teff::extents<1>(9), [](auto) {});
}

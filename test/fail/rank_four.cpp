// expect: Teff arrays have one, two or three dims.
#include <teff/teff.hpp>

void misuse() {
  teff::array<double, 4> A(teff::device::cpu(), teff::extents<4>(1, 2, 3, 4));
}

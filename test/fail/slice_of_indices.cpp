// expect: Only an expression with extents of its own (with an array in it) can be sliced.
#include <teff/teff.hpp>

auto misuse() {
  return (teff::ix + 1)(teff::range(0, 3));
}

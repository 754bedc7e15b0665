// expect: along<D>: a dim is 0, 1 or 2.
#include <teff/teff.hpp>

auto misuse(const teff::array<double, 1>& row) {
  return teff::along<5>(row);
}

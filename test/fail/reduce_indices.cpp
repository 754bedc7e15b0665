// expect: A reduction needs an expression with an array in it.
#include <teff/teff.hpp>

auto misuse() {
  return teff::sum(teff::ix * 2);
}

// expect: A slice of an expression takes range(...) and whole; one index is for arrays.
#include <teff/teff.hpp>

auto misuse(const teff::array<double, 2>& A) {
  return (A * A)(3, teff::whole);
}

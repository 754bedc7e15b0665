// expect: A cell that has a name is the number that was read; write to the array, as in
#include <teff/teff.hpp>

void misuse(teff::array<double, 2>& A) {
  auto corner = A(0, 0);
  corner = 1.0;
}

// expect only: An expression or a field has no values before a statement
#include <iostream>

#include <teff/teff.hpp>

void misuse(teff::array<double, 2>& A) {
  std::cout << A + 1.0;
}

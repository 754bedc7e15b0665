// expect: Ordinary arrays do not stand beside grid arrays, since a rank has but a part of these: scatter(T, A) makes a grid array of the root's A.
#include <teff/grid/grid_statement.hpp>

void misuse(const teff::grid_array<double, 2>& T, const teff::array<double, 2>& A) {
  T = T + A;
}

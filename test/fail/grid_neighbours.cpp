// expect: A statement over grid arrays reads no neighbours and no slices: what reads neighbours is a time step, for iterate().
#include <teff/expr/fd2.hpp>
#include <teff/grid/grid_statement.hpp>

void misuse(const teff::grid_array<double, 2>& T, const teff::grid_array<double, 2>& q) {
  q = 2.0 * teff::fd2::d_xa(T);
}

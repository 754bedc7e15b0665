// expect only: of two arrays, cell by cell, use maximum(A, B) or minimum(A, B).
#include <teff/teff.hpp>

using namespace teff;

void misuse(array<double, 2>& H) {
  using namespace fd2;
  iterate(timestep([](auto h) { return update(inn(h), max(inn(h) + 0.1 * d2_xi(h), 0.0)); }), 3, H);
}

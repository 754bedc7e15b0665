// expect: Ordinary arrays do not stand beside grid arrays in a run: make all of them by g.array<T>(), and scatter(T, A) gives them the root's cells.
#include <teff/grid/iterate.hpp>

void misuse(const teff::grid_array<double, 2>& T, const teff::array<double, 2>& A) {
  const auto step = teff::timestep([](auto t, auto a) { return update(t, t + a); });
  teff::iterate(step, 3, T, A);
}

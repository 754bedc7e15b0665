// SPDX-License-Identifier: MIT
// Heat on a grid that many ranks share: the program of one device, with a grid in front. Ranks are
// the processes that `mpirun -n 2 ./22_grid` starts; `./22_grid 2` makes them of threads instead.
#include <cstdlib>
#include <iostream>

#include <teff/teff.hpp>

using namespace teff;
using namespace teff::fd2;

void simulate(const grid_options& options) {
  const index_t nx = 700, ny = 600, nt = 200;  // of the whole grid, on any number of ranks
  const double lam = 1, dx = 10.0 / (nx - 1), dy = 10.0 / (ny - 1), _dx = 1 / dx, _dy = 1 / dy;
  const double dt = dx * dx / lam / 0.5 / 4.1;

  grid g({nx, ny}, options);
  auto T = g.array<double>("T"), Ci = g.array<double>("Ci");
  Ci = 0.5;
  T = 10.0 * exp(-sq((ix * dx - 5) / 2) - sq((iy * dy - 5) / 2));  // ix, iy: of the whole grid

  auto heat = timestep([=](auto T, auto Ci) {
    auto qx = -lam * d_xi(T) * _dx;
    auto qy = -lam * d_yi(T) * _dy;
    auto dTdt = inn(Ci) * (-d_xa(qx) * _dx - d_ya(qy) * _dy);
    return update(inn(T), inn(T) + dt * dTdt);
  });
  const auto run = iterate(heat, nt, T, Ci);  // exchanges, as seldom as pays
  const double hottest = max(T);              // of the whole grid: every rank calls it
  if (g.is_root()) std::cout << run << ", hottest " << hottest << '\n';
  if (!(hottest > 9 && hottest < 10)) throw error("the hottest cell is not what it should be");
}

int main(int argc, char** argv) try {
  if (argc > 1)
    run_on(cpu_ranks(std::atoi(argv[1])), [](const ranks& r) { simulate({.on = r}); });
  else
    simulate({});
} catch (const error& e) {
  std::cerr << e.what() << '\n';
  return e.exit_status();
}

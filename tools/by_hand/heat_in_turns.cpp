// SPDX-License-Identifier: MIT
// The C++ program that tools/measure_python.py compares with, in turns: heat over n x n cells. For
// each line on stdin it makes so many steps and prints the seconds and the report's line.
// Arguments: cpu or cuda, n, steps.
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <string>

#include <teff/algo/random.hpp>
#include <teff/expr/fd2.hpp>
#include <teff/stencil/iterate.hpp>

using namespace teff;
using namespace teff::fd2;

int main(int argc, char** argv) {
  const device dev = parse_device(argv[1]);
  const index_t n = std::atoll(argv[2]), steps = std::atoll(argv[3]);
  const double lam = 1, dx = 10 / static_cast<double>(n - 1), _dx = 1 / dx, _dy = _dx;
  const double dt = dx * dx / lam / 0.5 / 4.1;
  array<double, 2> T(dev, {n, n}, "T"), Ci(dev, {n, n}, "Ci");
  fill_random(T, 0);
  fill_random(Ci, 1);
  const auto heat = timestep([=](auto T, auto Ci) {
    auto qx = -lam * d_xi(T) * _dx;
    auto qy = -lam * d_yi(T) * _dy;
    auto dTdt = inn(Ci) * (-d_xa(qx) * _dx - d_ya(qy) * _dy);
    return update(inn(T), inn(T) + dt * dTdt);
  });
  const int calls = argc > 4 ? std::atoi(argv[4]) : 0;
  for (std::string line; std::getline(std::cin, line);) {
    if (calls > 0) {
      const auto begin = std::chrono::steady_clock::now();
      for (int call = 0; call < calls; ++call) iterate(heat, steps, T, Ci);
      const std::chrono::duration<double, std::micro> took =
          std::chrono::steady_clock::now() - begin;
      T.on().synchronize();
      std::cout << took.count() / calls << std::endl;
      continue;
    }
    const auto run = iterate(heat, steps, T, Ci);
    std::cout << run.time_s() << ' ' << run << std::endl;
  }
  return 0;  // measure_python.py compiles it by another name, too
}

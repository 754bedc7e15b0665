// SPDX-License-Identifier: MIT
// c v - laplacian v = f on n x n points inside a border, f random, to a relative residual of 1e-8
// by Chebyshev's iteration, with bounds and without, and by conjugate gradients: iterations and
// seconds, medians of turns taken in turn. Writes JSON to stdout. Arguments: cpu or cuda, n, turns.
//   g++ -std=c++20 -O3 -fopenmp -ffp-contract=off -march=x86-64-v3 -I. \
//     -DCOMMIT=\"$(git rev-parse --short HEAD)\" tools/by_hand/chebyshev.cpp libteff.a \
//     -lboost_context -ldl
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <teff/algo/random.hpp>
#include <teff/expr/fd2.hpp>
#include <teff/solver/chebyshev.hpp>

using namespace teff;

int main(int, char** argv) {
  const device dev = parse_device(argv[1]);
  const index_t n = std::atoi(argv[2]);
  const int turns = std::atoi(argv[3]);
  const array<double, 2> f = random<double>(dev, {n, n}, 1);
  array<double, 2> u = zeros<double>(dev, {n + 2, n + 2});
  std::printf("{\"device\": \"%s\", \"commit\": \"%s\", \"points\": %d, \"rows\": [",
              describe(dev).name.c_str(), COMMIT, static_cast<int>(n));
  const char* between = "";
  for (const double c : {0.1, 0.01}) {
    const auto A = [c](const auto& v) {
      using namespace fd2;
      return c * inn(v) - (d2_xi(v) + d2_yi(v));
    };
    std::vector<double> seconds[3];
    index_t iterations[3];
    for (int turn = 0; turn < turns; ++turn)
      for (int how = 0; how < 3; ++how) {
        u = 0.0;
        f.on().synchronize();
        const auto from = std::chrono::steady_clock::now();
        if (how == 0)
          iterations[how] = conjugate_gradients(u, f, A, {.tolerance = 1e-8}).iterations;
        else if (how == 1)
          iterations[how] =
              chebyshev(u, f, A, {.tolerance = 1e-8, .least = c, .most = c + 8}).iterations;
        else
          iterations[how] = chebyshev(u, f, A, {.tolerance = 1e-8}).iterations;
        seconds[how].push_back(
            std::chrono::duration<double>(std::chrono::steady_clock::now() - from).count());
      }
    const char* names[] = {"conjugate gradients", "Chebyshev, bounds given",
                           "Chebyshev, bounds estimated"};
    for (int how = 0; how < 3; ++how) {
      std::sort(seconds[how].begin(), seconds[how].end());
      std::printf("%s\n  {\"c\": %g, \"method\": \"%s\", \"iterations\": %d, \"seconds\": %.4f}",
                  between, c, names[how], static_cast<int>(iterations[how]),
                  seconds[how][seconds[how].size() / 2]);
      between = ",";
    }
  }
  std::puts("\n]}");
}

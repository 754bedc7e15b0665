// SPDX-License-Identifier: MIT
// Poisson's equation on 1023 x 1023 points, f random, to a relative residual of 1e-10 by each
// method: iterations and seconds, the least of three turns (gradients alone: one). Writes JSON to
// stdout. Argument: cpu or cuda.
//   g++ -std=c++20 -O3 -fopenmp -ffp-contract=off -march=x86-64-v3 -I. \
//     -DCOMMIT=\"$(git rev-parse --short HEAD)\" tools/by_hand/poisson.cpp libteff.a \
//     -lboost_context -ldl
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <utility>

#include <teff/algo/random.hpp>
#include <teff/solver/poisson.hpp>

using namespace teff;

int main(int, char** argv) {
  const device dev = parse_device(argv[1]);
  constexpr index_t n = 1023;
  const array<double, 2> f = random<double>(dev, {n, n}, 1);
  std::printf("{\"device\": \"%s\", \"commit\": \"%s\", \"points\": %d, \"rows\": [",
              describe(dev).name.c_str(), COMMIT, static_cast<int>(n));
  using method = poisson_method;
  const char* between = "";
  for (const auto& [how, name] : {std::pair{method::multigrid, "V-cycles"},
                                  {method::preconditioned, "preconditioned"},
                                  {method::conjugate_gradients, "conjugate gradients"}}) {
    double least = 1e9;
    poisson_report report;
    for (int turn = 0; turn < (how == method::conjugate_gradients ? 1 : 3); ++turn) {
      array<double, 2> u = zeros<double>(dev, {n, n});
      const auto from = std::chrono::steady_clock::now();
      report = poisson2d(u, f, {.tolerance = 1e-10, .method = how});
      least = std::min(
          least, std::chrono::duration<double>(std::chrono::steady_clock::now() - from).count());
    }
    std::printf(
        "%s\n  {\"method\": \"%s\", \"iterations\": %d, \"seconds\": %.3f, \"residual\": "
        "%.3g}",
        between, name, static_cast<int>(report.iterations), least, report.residual);
    between = ",";
  }
  std::puts("\n]}");
}

// SPDX-License-Identifier: MIT
// V-cycles over coefficients that jump between regions: boxes at random, a fifth of them thin along
// each dim, on cells with sides of several kinds. By hand; prints a line of JSON for each kind of
// jump.
//   g++ -std=c++20 -O3 -fopenmp -ffp-contract=off -I. tools/by_hand/poisson_regions.cpp -lteff ...
#include <algorithm>
#include <iostream>
#include <random>
#include <string>
#include <vector>

#include <teff/algo/random.hpp>
#include <teff/array/host_copy.hpp>
#include <teff/solver/poisson_cells.hpp>

using namespace teff;

namespace {

std::mt19937_64 chance(7);
index_t below(index_t n) {
  return static_cast<index_t>(chance() % static_cast<std::uint64_t>(n));
}

struct interval {
  index_t from, to;
};
interval some_of(index_t n, bool is_thin) {
  const auto [from, to] = std::minmax({below(n + 1), below(n + 1)});
  return {from, is_thin ? std::min(n, from + 1 + below(4)) : to};
}

}  // namespace

int main() {
  constexpr int tries = 300;
  const extents<2> shapes[] = {{64, 64}, {37, 50}, {75, 100}, {128, 128}, {80, 33}};
  const sides fixed_both{fixed(0.0), fixed(0.0)};
  const boundary kinds[] = {{fixed_both, fixed_both},
                            {periodic, fixed_both},
                            {{fixed(0.0), gradient(0.0)}, {gradient(0.0), fixed(0.0)}},
                            {{}, fixed_both},
                            {}};
  for (const double jump : {1e3, 1e6}) {
    std::vector<double> factors;  // 1 where cycles alone do not converge
    int without = 0;
    index_t most = 0;
    for (int i = 0; i < tries; ++i) {
      const extents<2> n = shapes[below(5)];
      const boundary& b = kinds[below(5)];
      const double inside = below(2) == 0 ? jump : 1 / jump;
      array<double, 2> k(device::cpu(), n), f = random<double>(device::cpu(), n, 3), u = f;
      f = f - 0.5;
      fill(k, 1.0);
      for (index_t box = 1 + below(4); box > 0; --box) {
        const index_t thin = below(5);
        const interval x = some_of(n[0], thin == 0), y = some_of(n[1], thin == 1);
        if (x.to > x.from && y.to > y.from)
          fill(k(range(x.from, x.to), range(y.from, y.to)), inside);
      }
      poisson_cells_options options{.sides = b, .tolerance = 1e-8, .project = true};
      u = 0;
      const poisson_report all = poisson(u, f, k, options);
      without += !all.has_converged() && !all.is_stuck;
      most = std::max(most, all.iterations);
      options.method = poisson_method::multigrid;
      u = 0;
      const poisson_report cycles = poisson(u, f, k, options);
      factors.push_back(cycles.has_converged() || cycles.is_stuck ? cycles.factor : 1);
    }
    std::sort(factors.begin(), factors.end());
    const auto over =
        std::count_if(factors.begin(), factors.end(), [](double x) { return x > 0.4; });
    const auto lost = std::count(factors.begin(), factors.end(), 1.0);
    std::cout << "{\"jump\": " << jump << ", \"tries\": " << tries
              << ", \"median factor\": " << factors[tries / 2] << ", \"factors over 0.4\": " << over
              << ", \"cycles alone do not converge\": " << lost
              << ", \"automatic does not converge\": " << without
              << ", \"most iterations of automatic\": " << most << "}\n";
  }
}

// SPDX-License-Identifier: MIT
// A step of many fields, for the time that compilers take: FIELDS / 2 species that diffuse, each
// with a coefficient of its own, and react in a ring. By hand, with user seconds as the result:
//   time g++ -std=c++20 -O3 -fopenmp -ffp-contract=off -march=x86-64-v3 -I. -DFIELDS=32 -c FILE
#include <iostream>
#include <tuple>
#include <utility>

#include <teff/algo/random.hpp>
#include <teff/algo/reduce.hpp>
#include <teff/expr/fd2.hpp>
#include <teff/stencil/explain.hpp>
#include <teff/stencil/iterate.hpp>

using namespace teff;
using namespace teff::fd2;

template <int Species>
auto ring(double dt, double k) {
  return timestep([=](auto... fields) {
    const auto all = std::tuple(fields...);
    const auto rate = [&]<int S>(std::integral_constant<int, S>) {
      auto u = std::get<S>(all);
      auto D = std::get<S + Species>(all);
      auto before = std::get<(S + Species - 1) % Species>(all);
      auto behind = std::get<(S + 1) % Species>(all);
      return d_xa(av_xi(D) * d_xi(u)) + d_ya(av_yi(D) * d_yi(u)) +
             k * inn(u) * (inn(before) - inn(behind));
    };
    return [&]<int... S>(std::integer_sequence<int, S...>) {
      return together(
          update(inn(std::get<S>(all)),
                 inn(std::get<S>(all)) + dt * rate(std::integral_constant<int, S>()))...);
    }
    (std::make_integer_sequence<int, Species>());
  });
}

int main() {
  const auto field = [](index_t number) {
    return random<double>(default_device(), {130, 130}, static_cast<std::uint64_t>(number));
  };
  const auto run = [&]<int... F>(std::integer_sequence<int, F...>) {
    const auto step = ring<FIELDS / 2>(0.1, 0.05);
    auto fields = std::tuple(field(F)...);
    std::cout << explain(step, std::get<F>(fields)...) << '\n'
              << iterate(step, 300, std::get<F>(fields)...) << '\n'
              << sum(std::get<0>(fields)) << '\n';
  };
  run(std::make_integer_sequence<int, FIELDS>());
}

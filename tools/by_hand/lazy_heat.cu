// SPDX-License-Identifier: MIT
// The heat step as one statement of lazy values, as bench/stencil/diffusion2d.cpp has it, beside a
// copy of the same run on one GPU. JSON to stdout. Compiled as row.cu.
#include <cstdio>

#include <teff/solver/diffusion.hpp>
#include <teff/teff.hpp>

#include "timing.hpp"

using namespace teff;
using namespace teff::fd2;

namespace {

template <class T>
void measure(const char* type, index_t n, bool first) {
  const device dev = device::cuda(0);
  array<T, 2> from = random<T>(dev, {n, n}, 1), Ci = random<T>(dev, {n, n}, 2), to = from;
  const T lam = T(0.9), dt = T(0.05), _dx = T(1.1), _dy = T(0.9);
  const double copy = by_hand::median_seconds(9, 10, [&] { to = from; });
  const auto step = [&] {
    auto qx = -lam * d_xi(from) * _dx;
    auto qy = -lam * d_yi(from) * _dy;
    inn(to) = inn(from) + dt * (inn(Ci) * (-d_xa(qx) * _dx - d_ya(qy) * _dy));
  };
  step();
  array<T, 2> stepped = from;
  iterate(diffusion::step2d(lam, dt, _dx, _dy), {.steps = 1, .schedule = schedule::stepwise},
          stepped, Ci);
  const double differ = double(max_abs(to - stepped));
  const double s = by_hand::median_seconds(9, 10, step);
  std::printf(
      "%s{\"type\": \"%s\", \"copy_ms\": %.5f, \"ms\": %.5f, \"of_copy\": %.4f, \"differ\": %g}",
      first ? "" : ", ", type, 1e3 * copy, 1e3 * s, 1.5 * copy / s, differ);
}

}  // namespace

int main() {
  constexpr index_t n = 16384;
  std::printf("{\"row\": \"lazy_heat\", \"device\": \"%s\", \"commit\": \"%s\", ",
              known_device(device::cuda(0)).name.c_str(), BY_HAND_TEXT(COMMIT));
  std::printf("\"command\": \"tools/by_hand/lazy_heat.cu\", ");
  std::printf("\"cells_a_side\": %lld, \"types\": [", static_cast<long long>(n));
  measure<double>("f64", n, true);
  measure<float>("f32", n, false);
  std::printf("]}\n");
}

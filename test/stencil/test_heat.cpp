// SPDX-License-Identifier: MIT
#include <cmath>
#include <initializer_list>

#include <teff/algo/copy.hpp>
#include <teff/algo/random.hpp>
#include <teff/expr/fd2.hpp>
#include <teff/stencil/iterate.hpp>

#include "../compare.hpp"
#include "../generator.hpp"
#include "../message.hpp"

#include <bench/naive/diffusion2d.hpp>

using namespace teff;
using namespace teff::fd2;
using namespace teff::test;

namespace {

template <class V>
auto heat_step(V lam, V dt, V _dx, V _dy) {
  return timestep([=](auto T, auto Ci) {
    auto qx = -lam * d_xi(T) * _dx;
    auto qy = -lam * d_yi(T) * _dy;
    auto dTdt = inn(Ci) * (-d_xa(qx) * _dx - d_ya(qy) * _dy);
    return update(inn(T), inn(T) + dt * dTdt);
  });
}

/// The heat step by single steps and by several per pass: bits among schedules and devices, and
/// close to the naive loops.
template <class V>
void check_heat(generator& g, index_t nx, index_t ny, index_t steps,
                std::initializer_list<int> depths = {1, 2, 3, 4, 5, 6, 7, 8}) {
  const V lam = 1, _dx = static_cast<V>(nx) / 10, _dy = static_cast<V>(ny) / 10;
  const V dt = V(0.2) / (_dx * _dx + _dy * _dy);
  const auto step = heat_step<V>(lam, dt, _dx, _dy);
  const array<V, 2> start = random<V>(device::cpu(), {nx, ny}, g.next());
  const array<V, 2> Ci = random<V>(device::cpu(), {nx, ny}, g.next());
  std::vector<V> naive = to_host(start), expected;
  naive::diffusion2d<V>(naive, to_host(Ci), static_cast<std::size_t>(nx),
                        static_cast<std::size_t>(ny), {lam, dt, _dx, _dy}, static_cast<int>(steps));
  for (const device dev : test_devices()) {
    array<V, 2> known(dev, {nx, ny});
    copy(known, Ci);
    for (const int depth : depths) {
      array<V, 2> T(dev, {nx, ny});
      copy(T, start);
      const schedule s = depth == 1 ? schedule::stepwise : schedule::temporal;
      iterate(step, {.steps = steps, .schedule = s, .depth = depth == 1 ? 0 : depth}, T, known);
      const std::vector<V> got = to_host(T);
      if (expected.empty()) expected = got;
      const std::string bad = difference(got, expected);
      if (!bad.empty())
        FAIL_CHECK("heat on " << nx << "x" << ny << ", " << steps << " steps, depth " << depth
                              << " on " << dev.name() << ": " << bad);
      g.count();
    }
  }
  V worst = 0;
  for (std::size_t i = 0; i < naive.size(); ++i)
    worst = std::fmax(worst, std::fabs(naive[i] - expected[i]));
  CHECK(worst <= static_cast<V>(steps + 1) * 16 * std::numeric_limits<V>::epsilon());
}

}  // namespace

TEST_CASE("heat: every schedule and depth, against naive loops (generated)") {
  generator g("heat step");
  for (int round = 0; round < generator::long_rounds(24); ++round) {
    check_heat<f64>(g, g.between(2, 150), g.between(2, 150), g.between(0, 19));
    check_heat<f32>(g, g.between(2, 150), g.between(2, 150), g.between(0, 19));
  }
  if (is_quick()) return;
  for (const index_t n : {4093, 4096, 4099}) {
    check_heat<f64>(g, n, 13, 9);
    check_heat<f32>(g, 17, n, 9);
  }
}

TEST_CASE("heat: many strips and chunks at once") {
  if (is_quick()) return;
  generator g("large heat step");
  check_heat<f64>(g, 5000, 301, 5, {1, 2, 8});
  check_heat<f32>(g, 300, 2500, 7, {1, 3, 8});
}

TEST_CASE("heat: an unstable step grows, as it should") {
  array<f64, 2> T = random<f64>(device::cpu(), {20, 20}, 1);
  array<f64, 2> one(device::cpu(), {20, 20});
  one = 1.0;
  iterate(heat_step<f64>(1, 100, 1, 1), {.steps = 40}, T, one);  // far beyond the stable dt
  bool grew = false;
  for (const f64 v : to_host(T)) grew = grew || !(std::fabs(v) < 1e10);
  CHECK(grew);
}

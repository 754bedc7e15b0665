// SPDX-License-Identifier: MIT
#include <cmath>

#include <teff/algo/random.hpp>
#include <teff/array/host_copy.hpp>
#include <teff/solver/multigrid.hpp>

#include "../compare.hpp"
#include "../devices.hpp"
#include "../message.hpp"

using namespace teff;
using namespace teff::test;

namespace {

struct in_kernels {
  static constexpr bool has_kernels = true, takes_arrays = true;
  static bool uses_kernels(device) { return true; }
  static constexpr index_t cells_of_time_steps = index_t{1} << 22, cells_of_one_block = 300;
  static constexpr index_t most_blocks_along_y = 65535;
};
/// With all but the first level in one block, and the smoothing of large ones by time steps; rows
/// of tiles, but for two, go on along z.
struct in_few_kernels : in_kernels {
  static constexpr index_t cells_of_time_steps = 400, cells_of_one_block = 1000;
  static constexpr index_t most_blocks_along_y = 2;
};

/// Conductances at random, or even ones; along periodic dims the same at both ends.
template <class R, int N>
conductances<R, N> some_faces(device dev, const extents<N>& cells, const bool (&is_periodic)[N],
                              bool is_even, const double (&strength)[3]) {
  conductances<R, N> g;
  for (int d = 0; d < N; ++d) {
    extents<N> n = cells;
    ++n[d];
    array<R, N> of = random<R>(dev, n, 5 + static_cast<std::uint64_t>(d));
    const R c = static_cast<R>(strength[d]);
    if (is_even)
      fill(of, g.even[d] = c);
    else
      of = c * (R(0.5) + of);
    if (is_periodic[d]) detail::plane(of, d, cells[d]) = detail::plane(of, d, 0);
    g.is_periodic[d] = is_periodic[d];
    g.of.push_back(std::move(of));
  }
  return g;
}

/// The same as products; where they are not even, the last face of each dim is that of a wall.
template <class R, int N>
conductances<R, N> some_factors(device dev, const extents<N>& cells, const bool (&is_periodic)[N],
                                bool is_even, const double (&strength)[3]) {
  conductances<R, N> g;
  g.place = stream(dev);
  g.factors.emplace(cells.n, N);
  for (int d = 0; d < N; ++d) {
    std::vector<double>& of = g.factors->of[d][d];
    for (double& c : of) c = strength[d];
    g.is_periodic[d] = g.factors->is_periodic[d] = is_periodic[d];
    if (is_even)
      g.even[d] = static_cast<R>(strength[d]);
    else if (is_periodic[d] && cells[d] == 1)
      of.front() = of.back() = 0;
    else if (!is_periodic[d])
      of.front() = 0, of.back() = 2 * strength[d];
  }
  return g;
}

template <class R, class Way, int N, class Faces>
std::vector<R> after_cycles(device dev, const extents<N>& cells, const Faces& faces,
                            bool is_singular) {
  multigrid<R, N, Way> grid(faces(dev), is_singular);
  grid.f() = random<R>(dev, cells, 1);
  detail::inner(grid.u()) = random<R>(dev, cells, 2);
  for (int i = 0; i < 2; ++i) grid.cycle();
  return to_host(detail::inner(grid.u()));
}

template <class R, int N>
void check_kernels(const extents<N>& cells, const bool (&is_periodic)[N], bool is_even = false,
                   const double (&strength)[3] = {1, 1.5, 1}, bool is_singular = false) {
  CAPTURE(extents_text(cells));
  CAPTURE(is_even);
  const auto compare = [&](const auto& faces) {
    const auto expected =
        after_cycles<R, cycles_on_device, N>(device::cpu(), cells, faces, is_singular);
    const device dev = device_of_kernels();
    CHECK(difference(after_cycles<R, in_kernels, N>(dev, cells, faces, is_singular), expected) ==
          "");
    CHECK(difference(after_cycles<R, in_few_kernels, N>(dev, cells, faces, is_singular),
                     expected) == "");
  };
  compare([&](device dev) { return some_faces<R, N>(dev, cells, is_periodic, is_even, strength); });
  compare(
      [&](device dev) { return some_factors<R, N>(dev, cells, is_periodic, is_even, strength); });
}

}  // namespace

TEST_CASE("multigrid: a V-cycle by kernels has the bits of statements") {
  check_kernels<f64, 2>({33, 20}, {false, false});
  check_kernels<f32, 2>({33, 20}, {false, true});
  check_kernels<f64, 2>({31, 22}, {true, false}, false,
                        {1, 4, 1});  // pairs along y alone, at first
  check_kernels<f64, 2>({17, 17}, {true, true}, true, {1, 1, 1}, true);
  check_kernels<f64, 2>({40, 3}, {false, false}, true, {4, 1, 1});
  check_kernels<f64, 2>({16, 1}, {false, false}, false, {1, 1, 1}, true);
  check_kernels<f64, 2>({1, 1}, {false, false});
  check_kernels<f64, 2>({3, 96}, {false, true});  // three rows of tiles, the last along z
  check_kernels<f64, 3>({9, 6, 5}, {false, true, false});
  check_kernels<f64, 3>({12, 9, 7}, {false, false, false}, true, {1, 1, 1});
  if (is_quick()) return;
  // With tiles of which no cell is near a side
  check_kernels<f64, 2>({133, 67}, {false, true}, true, {1, 1, 1});
  check_kernels<f32, 3>({11, 10, 7}, {true, false, false}, true, {1, 1, 1});
  check_kernels<f64, 3>({5, 12, 6}, {false, false, true}, false, {1, 3, 1.5}, true);
}

TEST_CASE("multigrid: cycles by kernels end by themselves") {
  const extents<2> cells{33, 20};
  const auto made = [&](auto way, device dev, index_t most, double tolerance, double slow) {
    multigrid<f64, 2, decltype(way)> grid(
        some_factors<f64, 2>(dev, cells, {false, false}, false, {1, 1.5, 1}), false);
    grid.f() = random<f64>(dev, cells, 1);
    const double start = grid.residual_norm();
    runtime::cycle_rule rule{start, tolerance, slow, 1};
    std::vector<double> all;
    while (static_cast<index_t>(all.size()) < most) {
      const auto more = grid.cycles(most - static_cast<index_t>(all.size()), rule);
      all.insert(all.end(), more.begin(), more.end());
      const double before = rule.before;
      rule.before = all.back() / start;
      if (rule.before <= tolerance || rule.before > slow * before) break;
    }
    const auto u = to_host(detail::inner(grid.u()));
    all.insert(all.end(), u.begin(), u.end());
    return all;
  };
  const auto check = [&](index_t most, double tolerance, double slow, std::size_t expected) {
    const auto on_cpu = made(cycles_on_device{}, device::cpu(), most, tolerance, slow);
    CHECK(on_cpu.size() == expected + 33 * 20);
    CHECK(difference(made(in_kernels{}, device_of_kernels(), most, tolerance, slow), on_cpu) == "");
  };
  check(3, 1e-12, 0.4, 3);   // the most
  check(8, 1e-3, 0.4, 3);    // within the tolerance
  check(8, 1e-12, 1e-6, 1);  // slow
}

TEST_CASE("multigrid: the bytes of a V-cycle") {
  const auto grid = [](const extents<2>& cells, bool is_even, auto way) {
    return multigrid<f64, 2, decltype(way)>(
        some_faces<f64, 2>(device::cpu(), cells, {false, false}, is_even, {1, 1, 1}), false);
  };
  // Of 2x2 cells: u has 4x4, faces are 6 and 6, weights 2 + 2 along y and 1 + 1 along x; between
  // the levels are 4x3 cells, then 3x3 with 2 and 2 faces.
  const traffic two = grid({2, 2}, false, cycles_on_device{}).per_cycle();
  CHECK(two.read_bytes == 8 * (3 * 12 + 4 * 16 + 3 * 4 + 4 + 6 + 2 * 12 + (4 + 1 + 2 * 9)));
  CHECK(two.write_bytes == 8 * (3 * 16 + 4 + 12 + (1 + 2 * 9)));
  CHECK(two.cells == 4);
  const traffic by_kernels = grid({2, 2}, false, in_kernels{}).per_cycle();
  CHECK(by_kernels.read_bytes == 8 * (3 * 12 + 4 * 16 + 3 * 4 + 6 + (4 + 1 + 9)));
  CHECK(by_kernels.write_bytes == 8 * (3 * 16 + (1 + 2 * 9)));
  // Where conductances are factors, none are read: of 4x4 cells u, f | u, f next | u, f, next, and
  // the next level, in one block.
  const traffic separable =
      multigrid<f64, 2, in_kernels>(
          some_factors<f64, 2>(device::cpu(), {4, 4}, {false, false}, true, {1, 1, 1}), false)
          .per_cycle();
  CHECK(separable.read_bytes == 8 * (4 * 16 + 4 + 4));
  CHECK(separable.write_bytes == 8 * (2 * 16 + 4 + 4));
  // What docs/poisson.md says of large grids, in arrays
  if (is_quick()) return;
  const auto arrays = [&](bool is_even, auto way) {
    return grid({1024, 1024}, is_even, way).per_cycle().a_eff_bytes() / (1024. * 1024 * 8);
  };
  CHECK(std::abs(arrays(true, cycles_on_device{}) - 23) < 0.7);
  CHECK(std::abs(arrays(false, cycles_on_device{}) - 29) < 0.7);
  CHECK(std::abs(arrays(true, in_kernels{}) - 18) < 0.7);
  CHECK(std::abs(arrays(false, in_kernels{}) - 24) < 0.7);
  const double of_factors =
      multigrid<f64, 2, in_kernels>(
          some_factors<f64, 2>(device::cpu(), {1024, 1024}, {false, false}, true, {1, 1, 1}), false)
          .per_cycle()
          .a_eff_bytes();
  CHECK(std::abs(of_factors / (1024. * 1024 * 8) - 8.3) < 0.3);
}

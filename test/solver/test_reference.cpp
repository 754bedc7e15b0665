// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <teff/algo/random.hpp>
#include <teff/array/host_copy.hpp>
#include <teff/solver/diffusion.hpp>
#include <teff/solver/nonlinear_diffusion.hpp>
#include <teff/solver/poisson.hpp>
#include <teff/solver/pressure.hpp>
#include <teff/solver/wave.hpp>

#include "../devices.hpp"
#include "../message.hpp"
#include "reference_values.hpp"

using namespace teff;
using namespace teff::test;

namespace {

/// Where the sampled values are: spread over all cells, the same in every run.
std::size_t sampled_cell(int number, std::size_t cells) {
  const std::uint64_t mixed = static_cast<std::uint64_t>(number + 1) * 0x9E3779B97F4A7C15u;
  return static_cast<std::size_t>(static_cast<double>(mixed >> 11) * 0x1p-53 *
                                  static_cast<double>(cells));
}

/// A field in 22 numbers: 20 of its values, its norm, its largest magnitude.
template <class R>
std::vector<double> digest_of(const std::vector<R>& field) {
  std::vector<double> numbers;
  for (int s = 0; s < 20; ++s)
    numbers.push_back(static_cast<double>(field[sampled_cell(s, field.size())]));
  double squares = 0, largest = 0;
  for (const R v : field) {
    squares += static_cast<double>(v) * static_cast<double>(v);
    largest = std::max(largest, std::abs(static_cast<double>(v)));
  }
  numbers.push_back(std::sqrt(squares));
  numbers.push_back(largest);
  return numbers;
}

/// "" if the digest is the recorded one, bit by bit; where record_reference.py asks, it is printed.
std::string reference_difference(const std::string& name, const std::vector<double>& got) {
  if (std::getenv("TEFF_RECORD_REFERENCE") != nullptr) {
    std::printf("reference|%s", name.c_str());
    for (const double v : got) std::printf("|%a", v);
    std::printf("\n");
    return "";
  }
  for (const reference& known : reference_values) {
    if (known.name != name) continue;
    for (std::size_t i = 0; i < got.size(); ++i)
      if (got[i] != known.numbers[i])
        return name + ": number " + std::to_string(i) + " is " + std::to_string(got[i]) +
               ", recorded was " + std::to_string(known.numbers[i]);
    return "";
  }
  return name + " is not recorded: see record_reference.py";
}

template <class R, int N>
array<R, N> diffused(device dev, extents<N> points, const boundary& sides, bool is_constant) {
  diffusion_solver<R, N> heat(dev, points, {.lx = 3, .ly = 2, .lam = 0.75, .sides = sides});
  heat.temperature() = random<R>(dev, points, 21);
  if (is_constant) {
    iterate(heat.constant_step(), 30, heat.temperature());
  } else {
    heat.inverse_capacity() = R(0.25) * (1 + random<R>(dev, points, 22));
    heat.run({.steps = 30});
  }
  return heat.temperature();
}

template <class R>
array<R, 2> diffused_nonlinear(device dev, const sides& along_x) {
  nonlinear_diffusion2d<R, diffusion::one_plus_square, diffusion::harmonic_faces> heat(
      random<R>(dev, {40, 33}, 23), {}, {.lx = 2, .sides = {.x = along_x, .y = periodic}});
  heat.run({.steps = 30});
  return heat.temperature();
}

template <class R>
array<R, 2> solved(device dev) {
  array<R, 2> u = random<R>(dev, {31, 22}, 24);
  poisson2d(u, random<R>(dev, {31, 22}, 25),
            {.iterations = 12, .method = poisson_method::conjugate_gradients});
  return u;
}

/// Fluxes stay 0 in the walls; their histories are in the pressure.
template <class R>
array<R, 2> relaxed(device dev) {
  pressure2d<R> flow(dev, {37, 29}, {.lx = 3, .ly = 2, .k = 0.75});
  flow.pressure() = random<R>(dev, {37, 29}, 26);
  flow.run({.steps = 30});
  return flow.pressure();
}

/// A wave at rest at a random pressure.
template <class Wave, class Extents>
auto sounded(device dev, Extents cells) {
  Wave sound(dev, cells, {.lx = 3, .ly = 2, .lz = 2.5, .rho = 2, .K = 3});
  sound.pressure() = random<decltype(sound.dt())>(dev, cells, 27);
  sound.start_at_rest();
  sound.run({.steps = 30});
  return sound.pressure();
}

}  // namespace

// Start values are random() and all else is + - * /, so that no digit depends on a library's exp or
// sin: the same bits are expected on every machine and device.
TEST_CASE("reference values: every solver gives what was recorded, on every device") {
  const boundary mixed{
      .x = {robin(1, -2, 0.5), fixed(0.25)}, .y = {gradient(0.125), fixed}, .z = periodic};
  for (const device dev : test_devices()) {
    const auto check = [](const char* name, const auto& field) {
      CHECK(reference_difference(name, digest_of(to_host(field))) == "");
    };
    check("diffusion1d f64, mixed", diffused<f64, 1>(dev, {257}, {.x = mixed.x}, false));
    check("diffusion2d f64, mixed",
          diffused<f64, 2>(dev, {61, 45}, {.x = mixed.x, .y = mixed.y}, false));
    check("diffusion2d f32, periodic",
          diffused<f32, 2>(dev, {61, 45}, {.x = periodic, .y = periodic}, false));
    check("diffusion2d f64, constant", diffused<f64, 2>(dev, {61, 45}, {}, true));
    check("diffusion3d f64, mixed", diffused<f64, 3>(dev, {23, 18, 15}, mixed, false));

    check("diffusion1d f32, mixed", diffused<f32, 1>(dev, {257}, {.x = mixed.x}, false));
    check("diffusion3d f32, mixed", diffused<f32, 3>(dev, {23, 18, 15}, mixed, false));
    check("nonlinear_diffusion2d f64, 1 + T^2, harmonic", diffused_nonlinear<f64>(dev, mixed.x));
    check("nonlinear_diffusion2d f32, 1 + T^2, harmonic", diffused_nonlinear<f32>(dev, mixed.x));
    check("poisson2d f64, 12 iterations", solved<f64>(dev));
    check("poisson2d f32, 12 iterations", solved<f32>(dev));
    check("pressure2d f64", relaxed<f64>(dev));
    check("pressure2d f32", relaxed<f32>(dev));
    check("wave2d f64", sounded<wave2d<f64>>(dev, extents<2>{37, 29}));
    check("wave2d f32", sounded<wave2d<f32>>(dev, extents<2>{37, 29}));
    check("wave3d f64", sounded<wave3d<f64>>(dev, extents<3>{19, 14, 11}));
    check("wave3d f32", sounded<wave3d<f32>>(dev, extents<3>{19, 14, 11}));
  }
}

TEST_CASE("reference values: one bit in a sampled cell, or a swap elsewhere, is seen") {
  if (std::getenv("TEFF_RECORD_REFERENCE") != nullptr) return;
  std::vector<f64> field =
      to_host(diffused<f64, 2>(device::cpu(), {61, 45}, {.x = periodic, .y = periodic}, true));
  const char* const name = "diffusion2d f64, constant";
  CHECK(contains(reference_difference(name, digest_of(field)), "recorded was"));  // other borders
  field = to_host(diffused<f64, 2>(device::cpu(), {61, 45}, {}, true));
  CHECK(reference_difference(name, digest_of(field)) == "");
  f64& sampled = field[sampled_cell(7, field.size())];
  sampled = std::nextafter(sampled, 10.0);
  CHECK(contains(reference_difference(name, digest_of(field)), "number 7 is"));
  CHECK(contains(reference_difference("unheard of", digest_of(field)), "is not recorded"));
}

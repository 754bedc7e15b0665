// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <teff/algo/random.hpp>
#include <teff/array/host_copy.hpp>
#include <teff/solver/nonlinear_diffusion.hpp>
#include <teff/solver/poisson.hpp>
#include <teff/solver/pressure.hpp>
#include <teff/solver/wave.hpp>

#include "../devices.hpp"
#include "reference_check.hpp"

using namespace teff;
using namespace teff::test;

namespace {

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

TEST_CASE("reference values: other solvers give what was recorded, on every device") {
  const sides mixed{robin(1, -2, 0.5), fixed(0.25)};
  for (const device dev : test_devices()) {
    const auto check = [](const char* name, const auto& field) {
      CHECK(reference_difference(name, digest_of(to_host(field))) == "");
    };
    check("nonlinear_diffusion2d f64, 1 + T^2, harmonic", diffused_nonlinear<f64>(dev, mixed));
    check("nonlinear_diffusion2d f32, 1 + T^2, harmonic", diffused_nonlinear<f32>(dev, mixed));
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

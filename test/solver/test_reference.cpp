// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstdlib>
#include <vector>

#include <teff/algo/random.hpp>
#include <teff/array/host_copy.hpp>
#include <teff/solver/diffusion.hpp>

#include "../devices.hpp"
#include "../message.hpp"
#include "reference_check.hpp"

using namespace teff;
using namespace teff::test;

namespace {

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

}  // namespace

TEST_CASE("reference values: diffusion gives what was recorded, on every device") {
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

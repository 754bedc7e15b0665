// SPDX-License-Identifier: MIT
#include <teff/array/host_copy.hpp>
#include <teff/solver/diffusion.hpp>

#include <bench/stencil/diffused_gaussian.hpp>

namespace teff::bench {

std::vector<double> diffused_gaussian(device dev, index_t nx, index_t ny, int steps) {
  diffusion2d<double> heat(dev, {nx, ny});
  heat.run({.steps = steps});
  return to_host(heat.temperature());
}

}  // namespace teff::bench

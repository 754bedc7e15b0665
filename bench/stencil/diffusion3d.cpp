// SPDX-License-Identifier: MIT
#include <bench/grid/grid_case.hpp>
#include <bench/stencil/diffusion3d.hpp>
#include <bench/stencil/diffusion3d_problem.hpp>
#include <bench/stencil/heat_variants.hpp>

namespace teff::bench {

template <class T>
std::unique_ptr<lab::experiment> diffusion3d_problem<T>::make(
    step_fields<diffusion3d_problem>& fields, const std::string& variant,
    const lab::tuning&) const {
  if (variant == "fused") return std::make_unique<fused_statement<diffusion3d_problem>>(fields);
  if (variant == "kernel")
    return std::make_unique<step_kernel<diffusion3d_problem>>(fields, std::vector<int>{});
  return nullptr;
}

lab::bench_case diffusion3d_case() {
  return {.name = "diffusion3d",
          .about = "3-D heat diffusion with a coefficient by cell, one and several steps per pass",
          .axes = "a shape of three extents",
          .types = {"f64", "f32"},
          .least_rank = 3,
          .most_rank = 3,
          .cpu_shape = {384, 384, 384},
          .cuda_shape = {512, 512, 512},
          .arrays = 6,
          .moved_arrays = 3,
          .best = "temporal",
          .variants = {{"kernel", "a launch with one cell a thread"},
                       {"fused", "one array statement from T to T2"},
                       stepwise_variant(),
                       temporal_variant()},
          .prepare = prepare_steps<diffusion3d_problem>};
}

// Here, because its formula is the case's: it is compiled once.
lab::bench_case grid3d_case() {
  lab::bench_case c = grid_case(
      "grid3d", "3-D heat diffusion on a grid that ranks share, with wider faces for its cells",
      {384, 384, 384}, 16);
  c.prepare = prepare_on_grid<diffusion3d_problem>;
  return c;
}

}  // namespace teff::bench

// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <bench/stencil/step_case.hpp>

/// What cases of three unknowns on a staggered grid share.
namespace teff::bench {

/// Rungs from loops to several steps per pass. @param with_kernel the problem has launch_step
inline std::vector<lab::variant> flow_variants(bool with_kernel) {
  std::vector<lab::variant> rungs = {
      loop_variant("where one begins: a loop for each unknown, three passes over memory a step")};
  if (with_kernel)
    rungs.push_back({.name = "kernel",
                     .about = "two launches with one cell a thread: both fluxes, then the pressure",
                     .gain = "the lessons' two kernels: fluxes and pressure each go through memory "
                             "once as unknowns and once as what the other kernel reads",
                     .is_for_ladder_only = true});
  for (const lab::variant& rung :
       {stepwise_stages_rung(), fused_variant(), temporal_stages_rung(), resident_variant()})
    rungs.push_back(rung);
  return rungs;
}

inline lab::bench_case flow_case(std::string name, std::string about, bool with_kernel) {
  return {.name = std::move(name),
          .about = std::move(about),
          .axes = "a shape of two extents, in cells",
          .types = {"f64", "f32"},
          .least_rank = 2,
          .most_rank = 2,
          .cpu_shape = {8191, 8191},
          .cuda_shape = {16383, 16383},
          .small_shape = {511, 511},
          .sweep_less = 1,
          .arrays = 14,
          .moved_arrays = 6,
          .best = "temporal",
          .variants = flow_variants(with_kernel)};
}

}  // namespace teff::bench

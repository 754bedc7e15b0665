// SPDX-License-Identifier: MIT
#pragma once

#include <teff/lab/result.hpp>

// Not in result.hpp: nvcc writes a pointer to a member in a way that its host compiler warns of.
namespace teff::lab {

/// All six, by name.
struct limit {
  const char* name;
  std::optional<double> limits::*value;
  const char* unit;
};
inline constexpr limit all_limits[] = {
    {"copy", &limits::copy_gb_per_s, "GB/s"},     {"triad", &limits::triad_gb_per_s, "GB/s"},
    {"read", &limits::read_gb_per_s, "GB/s"},     {"write", &limits::write_gb_per_s, "GB/s"},
    {"f64", &limits::f64_gflop_per_s, "GFLOP/s"}, {"f32", &limits::f32_gflop_per_s, "GFLOP/s"}};

}  // namespace teff::lab

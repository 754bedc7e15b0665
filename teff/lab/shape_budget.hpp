// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include <teff/lab/selection.hpp>

namespace teff::lab {

/// How large the shapes of jobs may be.
struct shape_budget {
  double scale = 1;             ///< of the bytes of each, at most 1
  bool is_beyond_cache = true;  ///< no shape becomes so small that the last cache could serve it
};

/// So that all rungs of the jobs take about `budget_s` on a CPU that copies at so many GB/s. Shapes
/// stay beyond the cache where half of that time will do for the best variants; else cases would be
/// left out whole.
shape_budget shapes_for_budget(std::span<const job> jobs, double copy_gb_per_s, double budget_s);

}  // namespace teff::lab

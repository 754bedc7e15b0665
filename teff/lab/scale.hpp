// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include <teff/io/chart.hpp>
#include <teff/lab/result.hpp>
#include <teff/lab/selection.hpp>
#include <teff/lab/table.hpp>

/// A sweep over sizes: how T_eff grows until memory limits it.
namespace teff::lab {

/// The jobs of the one case that `wanted` names: the best variant, and one step per pass where it
/// takes several, unless variants are named. Sizes are those asked for, or else the lessons': n
/// points along each dim, n = 32 * 2^k (less the case's `sweep_less`) for k = 0, 1, ... up to as
/// many cells as its default shape has, where the arrays take at most `most_bytes`.
/// @throws error (usage) as plan() does, and unless there is one case
std::vector<job> plan_scale(std::span<const bench_case> cases, request wanted, double most_bytes);

/// One size a row, with the cells that were updated in a second.
table scale_table(const std::vector<result>& results);

/// T_eff over the first extent, a line for each variant and type, and T_peak across. Only verified
/// results; the title says how many points there are where some were left out.
io::chart scale_chart(const report& r);

}  // namespace teff::lab

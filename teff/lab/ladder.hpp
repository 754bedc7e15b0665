// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include <teff/lab/result.hpp>
#include <teff/lab/selection.hpp>
#include <teff/lab/table.hpp>

/// A ladder: the variants of a case from naive to best, with what each step gained.
namespace teff::lab {

/// The rungs of the case that `wanted` names: of each type the variants that take it and say what
/// they gain; if none does, all of them.
/// @throws error (usage) as plan() does, and unless there are one case and at most one shape
std::vector<job> plan_ladder(std::span<const bench_case> cases, request wanted);

/// The order of the ladders: by type as in the case's table, by dim, from naive to best.
void sort_as_ladders(const bench_case& c, std::vector<result>& results);

/// Sorted results for reading, one rung a row. The gain is T_eff over that of the last rung before
/// it that has a time, of the same type and dim.
table ladder_table(const bench_case& c, const std::vector<result>& results);

}  // namespace teff::lab

// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <teff/lab/case.hpp>
#include <teff/lab/energy.hpp>
#include <teff/lab/sampler.hpp>
#include <teff/lab/selection.hpp>

namespace teff::lab {

/// Less than so many times the last cache says nothing about memory.
inline constexpr double times_the_cache = 4;

struct measure_options {
  sampling_options sampling;
  bool cold_cache = false;
  energy_counter joules = {};  ///< asked before and after a batch of runs; empty: nobody
  double energy_s = 0.5;       ///< that batch: the counters are brought up to date every 0.1 s
};

/// Checks a variant, times it, checks it again. A variant whose first check fails is not timed; one
/// whose second fails keeps its time but is unverified. Knows no ceilings: see rate().
/// @throws error for what the variant itself throws (out of memory, an illegal launch shape)
result measure(const job& what, const rung& which, prepared_case& arrays,
               const measure_options& options);

struct result_pair {
  result a, b;
};

/// Measures two variants in turns, in pairs of random order, so that sample i of one and sample i
/// of the other met the same machine: for judge_pairs(). Both are checked before and after as by
/// measure(); if the first check of one fails, neither is timed. They may be the same variant.
result_pair measure_in_turns(const job& what, const rung& a, const rung& b, prepared_case& arrays,
                             const measure_options& options, const enough& is_enough = {});

/// Sets the fraction of the ceiling where no reason says that there is none, and the flag `above
/// ceiling` where the ceiling can not be true: more than 1.02 with one step per pass, on arrays
/// that do not fit in the cache. Where ceilings changed since, what was set is set anew.
void rate(result& r, const limits& ceilings);

/// The best verified result of each case, type, shape and dim: the one with the shortest median,
/// whatever its ceiling, which may have been measured while the machine was slower. Slow variants
/// on a smaller shape do not count.
std::vector<const result*> best_of(const std::vector<result>& results);

}  // namespace teff::lab

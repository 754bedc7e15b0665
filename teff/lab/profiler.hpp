// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <teff/lab/measure.hpp>

/// What NVIDIA's profiler ncu counts of one run of a variant: it runs this program again, around
/// that run. Nothing is timed in it, as ncu runs each kernel several times.
namespace teff::lab {

/// The range that a run to be counted is in, on the profiler's timeline.
inline constexpr const char* counted_range = "counted";

/// Runs a variant twice, the second time in the range; nothing is checked or timed.
/// @returns the steps of one run
int run_to_be_counted(const rung& which, prepared_case& arrays);
/// What a program says on stdout that was counted: "counted 8 steps".
std::string counted_text(int steps);

/// ncu's words before those of a program: what to count, and where.
std::vector<std::string> ncu_words();

/// What ncu --csv --page raw says: kernels' bytes added up, percentages weighed by time. Of one
/// step, if the program said how many a run has.
/// @throws error where it counted no kernel, may not count, or says what can not be read
counter_use parse_ncu(const std::string& said);

/// Runs `program`, the words of a command that makes one run, under ncu.
/// @throws error that says why nothing was counted, and what to do: ncu is not there, may not count
///         (ERR_NVGPUCTRPERM), or the program failed
counter_use count_by_ncu(const std::vector<std::string>& program);

/// "dram 92 %"; "" where nothing was counted.
std::string limit_text(const result& r);

}  // namespace teff::lab

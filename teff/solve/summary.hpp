// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <teff/solve/loop.hpp>

namespace teff::solve {

struct summary_line {
  std::string what, value;
};

/// What a run did, for people. @param written names of the files that it left
std::vector<summary_line> summary_of(const solve_plan& plan, const solver_run& run,
                                     const solve_facts& facts, const solve_outputs& outputs,
                                     const std::vector<std::string>& written);

/// The same for programs; numbers are never NaN: null, and a reason.
std::string json_of(const solve_plan& plan, const solver_run& run, const solve_facts& facts,
                    const solver_limits& range, const std::vector<std::string>& written);

/// What to say of values that are finite and can not be right, or "".
std::string doubt_of(const solve_plan& plan, const solver_run& run, const solver_limits& range);

}  // namespace teff::solve

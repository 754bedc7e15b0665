// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <vector>

#include <teff/lab/result.hpp>
#include <teff/lab/selection.hpp>
#include <teff/lab/session.hpp>
#include <teff/lab/table.hpp>

#include <apps/teff/cli/arguments.hpp>

namespace teff::app {

/// What a session found on a device, with this machine and the command line.
lab::report report_of(const arguments& all, device dev, const lab::session_results& found);

/// Measures jobs as the command line asks, and prints what `table_of` makes of the report (it may
/// sort the results), the ceilings, how many `noun` there are of those planned, and what was odd.
/// @returns the exit status
int measure_and_print(const arguments& all, device dev, std::vector<lab::job> jobs,
                      const std::function<lab::table(lab::report&)>& table_of,
                      const char* noun = "results");

/// Says how many results there are where some were left out; `noun` is what they are called.
void tell_count(std::size_t measured, std::size_t planned, const char* noun,
                const output_options& where);

/// That of the results; where a budget left none it is said, and the status is that of a failure.
int status_of_budget(const lab::session_results& found, double budget_s);

}  // namespace teff::app

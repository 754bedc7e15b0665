// SPDX-License-Identifier: MIT
#pragma once

#include <apps/teff/cli/arguments.hpp>

/// The subcommands of `teff`, each in a file of its own. They return the exit status and throw
/// teff::error, whose kind is the exit status.
namespace teff::app {

/// Any of them.
int run(const arguments& all);

int run_info(const arguments& all);
int run_peak(const arguments& all);
int run_list(const arguments& all);
int run_bench(const arguments& all);
int run_ladder(const arguments& all);
int run_scale(const arguments& all);
int run_compare(const arguments& all);
int run_rerun(const arguments& all);
int run_report(const arguments& all);
int run_solve(const arguments& all);
int run_ab(const arguments& all);
int run_lab(const arguments& all);
int run_completion(const arguments& all);
int run_document(const arguments& all);

}  // namespace teff::app

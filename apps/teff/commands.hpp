// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <teff/lab/report_html.hpp>

#include <apps/teff/cli/arguments.hpp>

/// The subcommands of `teff`, each in a file of its own. They return the exit status and throw
/// teff::error, whose kind is the exit status.
namespace teff::app {

int run_info(const arguments& all);
int run_peak(const arguments& all);
int run_list(const arguments& all);
int run_bench(const arguments& all);
int run_ladder(const arguments& all);
int run_scale(const arguments& all);
int run_compare(const arguments& all);
int run_report(const arguments& all);
int run_solve(const arguments& all);
int run_ab(const arguments& all);
int run_lab(const arguments& all);
int run_completion(const arguments& all);
int run_document(const arguments& all);

/// Writes a report as a page, and says on stderr if it has no charts.
void write_report(const std::string& path, const lab::report& what,
                  const std::vector<lab::report_picture>& pictures);

/// "teff 0.1.0 (commit unknown), g++ 12.2.0, CUDA 13.0"
std::string version_text();

}  // namespace teff::app

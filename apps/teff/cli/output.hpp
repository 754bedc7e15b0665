// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <teff/lab/compare.hpp>
#include <teff/lab/report_html.hpp>
#include <teff/lab/result.hpp>
#include <teff/lab/table.hpp>
#include <teff/solve/console.hpp>

#include <apps/teff/cli/arguments.hpp>

namespace teff::app {

using solve::complain;
using solve::flush_output;
using solve::remark;
using solve::stdout_columns;
using solve::to_stdout;

/// @throws error if the file that --json names could not be written: said before anything is
/// measured
void require_writable(const output_options& where);

/// True if stdout is for another program, so that remarks go to stderr.
bool is_for_machines(const output_options& where);

/// Prints the report as asked: `shown`, CSV of all that is known, Markdown or JSON to stdout, JSON
/// to a file.
void print(const lab::report& r, const lab::table& shown, const output_options& where);

/// Prints a table as asked.
void print(const lab::table& t, const output_options& where);

/// "teff 0.1.0 (commit unknown), g++ 12.2.0, CUDA 13.0"
std::string version_text();

/// Prints lines for humans, likewise: to stdout, or to stderr if stdout is for another program. A
/// text of a file must have gone through visible(), or it could forge one.
void remark(const std::string& line, const output_options& where);

/// Writes a report as a page.
void write_report(const std::string& path, const lab::report& what,
                  const lab::page_extras& extras = {});

/// Says on stderr what a comparison found besides: warnings, and results without a partner.
void tell_unmatched(const lab::comparison_report& found);

/// 3 if a result was wrong, else 0; says on stderr which.
int status_of(const std::vector<lab::result>& results);

}  // namespace teff::app

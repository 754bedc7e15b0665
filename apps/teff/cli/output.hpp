// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <teff/lab/compare.hpp>
#include <teff/lab/report_html.hpp>
#include <teff/lab/result.hpp>
#include <teff/lab/table.hpp>

#include <apps/teff/cli/arguments.hpp>

namespace teff::app {

/// Makes a stream that was closed from the start one that can not be used: else the next file that
/// is opened would take its place, and what is printed would go into that. Comes first of all.
void keep_streams_apart();

/// Writes to stdout: all that goes there does so here. What could not be written is said by
/// finish_output().
void to_stdout(std::string_view text);

/// What was written so far is to be seen now.
void flush_output();

/// Comes last. @throws error with the reason if not all went to stdout
void finish_output();

/// Prints "teff: " and a line on stderr; should it hold line breaks, what comes after them is
/// indented. Names in it may come from a file: what could steer a terminal is shown.
void complain(const std::string& line);

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

/// COLUMNS if it is set, else those of the terminal; 0 where stdout is none: any width.
std::size_t stdout_columns();

/// Prints lines for humans, likewise: to stdout, or to stderr if stdout is for another program. A
/// text of a file must have gone through visible(), or it could forge one.
void remark(const std::string& line, const output_options& where);

/// Writes a report as a page, and says on stderr if it has no charts.
void write_report(const std::string& path, const lab::report& what,
                  const std::vector<lab::report_picture>& pictures);

/// Says on stderr what a comparison found besides: warnings, and results without a partner.
void tell_unmatched(const lab::comparison_report& found);

/// 3 if a result was wrong, else 0; says on stderr which.
int status_of(const std::vector<lab::result>& results);

}  // namespace teff::app

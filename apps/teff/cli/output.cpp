// SPDX-License-Identifier: MIT
#include <teff/base/error.hpp>
#include <teff/base/visible.hpp>
#include <teff/io/atomic_file.hpp>
#include <teff/lab/compare.hpp>
#include <teff/lab/machine.hpp>
#include <teff/lab/report_json.hpp>
#include <teff/lab/report_table.hpp>

#include <apps/teff/cli/output.hpp>
#include <bench/cases.hpp>

namespace teff::app {

void require_writable(const output_options& where) {
  if (!where.json.empty() && where.json != "-") io::require_writable(where.json);
}

bool is_for_machines(const output_options& where) {
  return where.json == "-" || where.csv || where.markdown;
}

void print(const lab::table& t, const output_options& where) {
  if (where.csv || where.markdown) return to_stdout(where.csv ? t.csv() : t.markdown());
  const std::size_t columns = stdout_columns();
  const lab::fitted_table shown = t.fitted(columns);
  to_stdout(shown.text);
  if (!shown.about.empty())
    to_stdout("\n" + lab::wrapped(shown.about + "; `| less -S` shows all", columns) + "\n");
}

std::string version_text() {
  return "teff " + lab::teff_version() + " (commit " + lab::teff_commit() + "), " +
         lab::compiler_text() + ", CUDA " + bench::cuda_compiler();
}

void print(const lab::report& r, const lab::table& shown, const output_options& where) {
  if (where.json == "-") {
    to_stdout(to_json(r));
    return;
  }
  print(where.csv ? lab::full_table_of(r.results) : shown, where);
  if (!where.json.empty()) io::write_file(where.json, to_json(r));  // last: it may fail
}

void remark(const std::string& line, const output_options& where) {
  remark(line, is_for_machines(where));
}

void write_report(const std::string& path, const lab::report& what,
                  const lab::page_extras& extras) {
  std::vector<lab::bench_case> known = bench::cases();
  known.insert(known.end(), bench::probes().begin(), bench::probes().end());
  io::write_file(path, to_html(what, known, extras));
}

void tell_unmatched(const lab::comparison_report& found) {
  // All in one line each: a name with a line break could pass for a line of ours.
  for (const std::string& warning : found.warnings) complain(runtime::visible(warning));
  for (const std::string& name : found.only_in_a) complain("only in A: " + runtime::visible(name));
  for (const std::string& name : found.only_in_b) complain("only in B: " + runtime::visible(name));
}

int status_of(const std::vector<lab::result>& results) {
  int status = 0;
  for (const lab::result& r : results) {
    if (r.check.ok) continue;
    complain(runtime::visible("wrong result: " + identity_of(r) + ": " + r.check.reason));
    status = static_cast<int>(failure::verification);
  }
  return status;
}

}  // namespace teff::app

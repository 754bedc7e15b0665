// SPDX-License-Identifier: MIT
#include <cstdio>

#include <teff/base/error.hpp>
#include <teff/io/atomic_file.hpp>
#include <teff/lab/compare.hpp>
#include <teff/lab/report_json.hpp>
#include <teff/lab/report_table.hpp>
#include <teff/lab/visible.hpp>

#include <apps/teff/output.hpp>

namespace teff::app {

namespace {
void to_stdout(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
}

/// With blanks before all lines but the first, so that none can pass for another line of ours.
std::string indented(const std::string& lines) {
  std::string text;
  for (const char c : lines) text += c == '\n' ? std::string("\n  ") : std::string(1, c);
  return text;
}

}  // namespace

void complain(const std::string& line) {
  std::fflush(stdout);  // where both go to one file, lines stay whole
  std::fprintf(stderr, "teff: %s\n", indented(lab::visible(line, "\n")).c_str());
}

void require_writable(const output_options& where) {
  if (!where.json.empty() && where.json != "-") io::require_writable(where.json);
}

bool is_for_machines(const output_options& where) {
  return where.json == "-" || where.csv || where.markdown;
}

void print(const lab::table& t, const output_options& where) {
  to_stdout(where.csv ? t.csv() : where.markdown ? t.markdown() : t.text());
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
  std::fprintf(is_for_machines(where) ? stderr : stdout, "%s\n", lab::visible(line, "\n").c_str());
}

void tell_unmatched(const lab::comparison_report& found) {
  // All in one line each: a name with a line break could pass for a line of ours.
  for (const std::string& warning : found.warnings) complain(lab::visible(warning));
  for (const std::string& name : found.only_in_a) complain("only in A: " + lab::visible(name));
  for (const std::string& name : found.only_in_b) complain("only in B: " + lab::visible(name));
}

int status_of(const std::vector<lab::result>& results) {
  int status = 0;
  for (const lab::result& r : results) {
    if (r.check.ok) continue;
    complain(lab::visible("wrong result: " + identity_of(r) + ": " + r.check.reason));
    status = static_cast<int>(failure::verification);
  }
  return status;
}

}  // namespace teff::app

// SPDX-License-Identifier: MIT
#include <cstdio>

#include <teff/base/error.hpp>
#include <teff/io/atomic_file.hpp>
#include <teff/lab/compare.hpp>
#include <teff/lab/report_json.hpp>
#include <teff/lab/report_table.hpp>

#include <apps/teff/output.hpp>

namespace teff::app {

namespace {
void to_stdout(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
}
}  // namespace

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
  if (!where.json.empty()) io::write_file(where.json, to_json(r));
  print(where.csv ? lab::full_table_of(r.results) : shown, where);
}

void remark(const std::string& line, const output_options& where) {
  std::fprintf(is_for_machines(where) ? stderr : stdout, "%s\n", line.c_str());
}

int status_of(const std::vector<lab::result>& results) {
  int status = 0;
  for (const lab::result& r : results) {
    if (r.check.ok) continue;
    std::fprintf(stderr, "teff: wrong result: %s: %s\n", identity_of(r).c_str(),
                 r.check.reason.c_str());
    status = static_cast<int>(failure::verification);
  }
  return status;
}

}  // namespace teff::app

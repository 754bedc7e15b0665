// SPDX-License-Identifier: MIT
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <string_view>
#include <sys/ioctl.h>
#include <unistd.h>

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

namespace {

/// Why something could not be written to stdout, the first time; 0 if all was.
int stdout_failure = 0;

void note_failure_if(bool has_failed) {
  if (has_failed && stdout_failure == 0) stdout_failure = errno;
}

/// With blanks before all lines but the first, so that none can pass for another line of ours.
std::string indented(const std::string& lines) {
  std::string text;
  for (const char c : lines) text += c == '\n' ? std::string("\n  ") : std::string(1, c);
  return text;
}

}  // namespace

void keep_streams_apart() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(stream, F_GETFD) < 0 && errno == EBADF)  // gets the lowest number that is free
      (void)!::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

void to_stdout(std::string_view text) {
  note_failure_if(std::fwrite(text.data(), 1, text.size(), stdout) != text.size());
}

void flush_output() {
  note_failure_if(std::fflush(stdout) != 0);
}

void finish_output() {
  flush_output();
  if (std::ferror(stdout) != 0 && stdout_failure == 0) stdout_failure = EIO;
  // Some network file systems report a full disk only where a file is closed.
  const int copy = ::dup(STDOUT_FILENO);
  note_failure_if(copy >= 0 && ::close(copy) != 0);
  if (stdout_failure != 0)
    throw error(std::string("cannot write to stdout: ") + std::strerror(stdout_failure));
}

void complain(const std::string& line) {
  flush_output();  // where both go to one file, lines stay whole
  std::fprintf(stderr, "teff: %s\n", indented(runtime::visible(line, "\n")).c_str());
}

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

std::size_t stdout_columns() {
  std::size_t columns = 0;
  if (const char* asked = std::getenv("COLUMNS")) {
    const std::string_view text = asked;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), columns);
    if (read.ec == std::errc{} && read.ptr == text.data() + text.size() && columns > 0)
      return columns;
  }
  winsize size{};
  return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
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
  const std::string shown = runtime::visible(line, "\n") + "\n";
  if (is_for_machines(where))
    std::fputs(shown.c_str(), stderr);
  else
    to_stdout(shown);
}

void write_report(const std::string& path, const lab::report& what,
                  const std::vector<lab::report_picture>& pictures) {
  std::vector<lab::bench_case> known = bench::cases();
  known.insert(known.end(), bench::probes().begin(), bench::probes().end());
  const lab::html_page page = to_html(what, known, pictures);
  io::write_file(path, page.text);
  if (!page.without_charts.empty()) complain(path + " lacks charts: " + page.without_charts);
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

// SPDX-License-Identifier: MIT
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fcntl.h>
#include <new>
#include <sys/ioctl.h>
#include <unistd.h>

#include <teff/base/error.hpp>
#include <teff/base/visible.hpp>
#include <teff/solve/console.hpp>
#include <teff/solve/interrupt.hpp>

namespace teff::solve {

namespace {

/// Why something could not be written to stdout, the first time; 0 if all was.
int stdout_failure = 0;

void note_failure_if(bool has_failed) {
  if (has_failed && stdout_failure == 0) stdout_failure = errno;
}

std::string program_name = "teff";

/// With blanks before all lines but the first, so that none can pass for another line of ours.
std::string indented(const std::string& lines) {
  std::string text;
  for (const char c : lines) text += c == '\n' ? std::string("\n  ") : std::string(1, c);
  return text;
}

int status_of_run(const std::function<int()>& command) {
  try {
    watch_for_interrupt();
    return command();
  } catch (const interrupted&) {
    complain("interrupted; nothing was written");
    return interrupted::exit_status;
  } catch (const error& problem) {
    complain(problem.what());
    return problem.exit_status();
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "%s: out of host memory\n", program_name.c_str());
    return static_cast<int>(failure::out_of_memory);
  } catch (const std::exception& problem) {
    complain(problem.what());
    return static_cast<int>(failure::runtime);
  }
}

}  // namespace

int exit_status_of(const std::function<int()>& command) {
  keep_streams_apart();
  const int status = status_of_run(command);
  try {
    // A full disk or a closed pipe may show only now. Whatever else the run found: who reads stdout
    // did not get all of it.
    finish_output();
    return status;
  } catch (const error& problem) {
    complain(problem.what());
    return problem.exit_status();
  }
}

void keep_streams_apart() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(stream, F_GETFD) < 0 && errno == EBADF)  // gets the lowest number that is free
      (void)!::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

void speak_as(const std::string& program) {
  program_name = program;
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
  std::fprintf(stderr, "%s: %s\n", program_name.c_str(),
               indented(runtime::visible(line, "\n")).c_str());
}

void remark(const std::string& line, bool is_stdout_taken) {
  const std::string shown = runtime::visible(line, "\n") + "\n";
  if (is_stdout_taken)
    std::fputs(shown.c_str(), stderr);
  else
    to_stdout(shown);
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

}  // namespace teff::solve

// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <teff/base/error.hpp>

/// Other programs, run without a shell: no word of theirs is ever read as a command.
namespace teff::io {

struct child_result {
  /// What it returned; above 128 the signal that ended it, plus 128.
  int exit_status = 0;
  std::string output;      ///< what it wrote to stdout
  std::string complaints;  ///< what it wrote to stderr
};

/// A program that is not there, or may not be run.
class not_started : public error {
 public:
  using error::error;
};

/// Runs a program with the given arguments, `words[0]` being its name (looked up in PATH) or path,
/// and waits for it. `input` is what it finds on stdin, `folder` where it works ("" for where this
/// program does). A program that fails is no error here. No file is made for it, and it runs in the
/// C locale (LC_ALL), with all else of this program's environment.
///
/// It is in a process group of its own, so Ctrl-C in the terminal meets this program and not that
/// one. `is_unwanted` is asked while it runs, some twenty times a second: once true, SIGTERM ends
/// the program and those that it started.
/// @throws not_started; error if it writes more than `most_bytes` to either stream, which ends it,
///         or if how it ended can not be found out
child_result run_program(std::vector<std::string> words, std::string_view input = {},
                         std::size_t most_bytes = std::size_t{64} << 20,
                         const std::function<bool()>& is_unwanted = {},
                         const std::string& folder = "");

}  // namespace teff::io

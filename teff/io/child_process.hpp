// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
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
/// and waits for it. `input` is what it finds on stdin. A program that fails is no error here.
/// @throws not_started; error if it writes more than `most_bytes` to either stream
child_result run_program(std::vector<std::string> words, std::string_view input = {},
                         std::size_t most_bytes = std::size_t{64} << 20);

}  // namespace teff::io

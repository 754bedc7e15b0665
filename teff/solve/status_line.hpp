// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace teff::solve {

/// Columns of the terminal that stderr is, or 80.
int stderr_columns();

/// A line on stderr that is written over again and again. It appears only on a terminal and is
/// wiped away at the end, so it never mixes with results.
class status_line {
 public:
  /// `shown`: usually on_terminal().
  explicit status_line(bool shown) : shown_(shown) {}
  ~status_line() { clear(); }
  status_line(status_line&&) = delete;
  status_line& operator=(status_line&&) = delete;

  static bool on_terminal();

  /// As much of the text as the terminal is wide.
  void show(const std::string& text);
  /// Wipes the line, so that something else can be printed.
  void clear();

 private:
  bool shown_, is_there_ = false;
};

}  // namespace teff::solve

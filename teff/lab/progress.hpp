// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <string>

#include <teff/base/readable.hpp>
#include <teff/solve/status_line.hpp>

namespace teff::lab {

using runtime::duration_text;
using solve::status_line;

/// How far a long run of several parts is: "[ 3/25] copy array f64  12 %  about 40 s left".
class progress {
 public:
  /// `shown`: usually progress::on_terminal().
  progress(int steps, bool shown) : steps_(steps), line_(shown) {}

  static bool on_terminal() { return status_line::on_terminal(); }

  /// Says what comes now. The first call starts step 1.
  void next(const std::string& what);
  /// Says that `done` steps are done, in the middle of what next() said; draws it a few times a
  /// second.
  void reach(int done, const std::string& what);
  /// Further steps turned out to be needed.
  void add_steps(int more) { steps_ += more; }
  void clear() { line_.clear(); }

  /// The line for step `done + 1` of `steps` after `elapsed_s`; at most `columns` wide.
  static std::string line(int done, int steps, double elapsed_s, const std::string& what,
                          int columns);

 private:
  using clock = std::chrono::steady_clock;
  void draw(const std::string& what);

  int steps_;
  status_line line_;
  int done_ = -1;
  clock::time_point start_ = clock::now(), drawn_ = {};
};

}  // namespace teff::lab

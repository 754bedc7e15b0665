// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <string>

namespace teff::lab {

/// One line on stderr that says how far a long run is: "[ 3/25] copy array f64  12 %  about 40 s
/// left". It appears only on a terminal and is wiped away at the end, so it never mixes with
/// results.
class progress {
 public:
  /// `shown`: usually progress::on_terminal().
  progress(int steps, bool shown);
  ~progress();
  progress(progress&&) = delete;
  progress& operator=(progress&&) = delete;

  static bool on_terminal();

  /// Says what comes now. The first call starts step 1.
  void next(const std::string& what);
  /// Further steps turned out to be needed.
  void add_steps(int more) { steps_ += more; }
  /// Wipes the line, so that something else can be printed.
  void clear();

  /// The line for step `done + 1` of `steps` after `elapsed_s`; at most `columns` wide.
  static std::string line(int done, int steps, double elapsed_s, const std::string& what,
                          int columns);

 private:
  using clock = std::chrono::steady_clock;
  int steps_;
  bool shown_;
  int done_ = -1;
  clock::time_point start_ = clock::now();
};

}  // namespace teff::lab

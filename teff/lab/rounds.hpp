// SPDX-License-Identifier: MIT
#pragma once

#include <deque>
#include <string>
#include <vector>

#include <teff/lab/compare.hpp>

namespace teff::lab {

/// What two programs measured in turns, a round being one run of each, A first in every other one.
/// A run is one number here, its median: its samples share a process and its memory, so they do not
/// count as so many measurements of the program.
class rounds {
 public:
  /// Adds one round; results are matched as by compare(). A result without a time on one side
  /// counts for neither.
  void add(const report& a, const report& b);

  /// What judge_pairs() says of each result's medians. The results hold the samples of all rounds,
  /// and are those of this object, which must outlive what is returned.
  comparison_report judged(const compare_options& options = {}) const;

 private:
  struct entry {
    result a, b;
    std::vector<double> medians_a, medians_b;
  };
  entry& entry_of(const result& a, const result& b);

  std::deque<entry> entries_;  // which stay where they are
  std::vector<std::string> only_in_a_, only_in_b_, warnings_;
};

}  // namespace teff::lab

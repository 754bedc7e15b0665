// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace teff::lab {

struct axis_tick {
  double value = 0;
  std::string markup;  ///< what is written there: "2000", or 2 with its power raised
};

/// What an axis shows, and where on it: 0 at its beginning, 1 at its end.
class page_axis {
 public:
  /// Of numbers from 0, or from the least where `begins_at_least`, to a round one not below the
  /// most.
  static page_axis linear(double least, double most, bool begins_at_least);
  /// A little wider than its numbers, which are above 0.
  static page_axis logarithmic(double least, double most, bool has_powers_of_two);

  double place_of(double value) const;
  const std::vector<axis_tick>& ticks() const { return ticks_; }

 private:
  double lower_ = 0, upper_ = 1;  // of logarithms where there are some
  bool is_log_ = false;
  std::vector<axis_tick> ticks_;
};

}  // namespace teff::lab

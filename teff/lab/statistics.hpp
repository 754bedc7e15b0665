// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

/// Numbers about samples; pure functions. Run times are right-skewed, so nothing here uses a mean.
namespace teff::lab {

/// The five numbers of a set of samples; quartiles are interpolated linearly between ranks.
struct summary {
  double min = 0;
  double lower_quartile = 0;
  double median = 0;
  double upper_quartile = 0;
  double max = 0;

  double iqr() const { return upper_quartile - lower_quartile; }
  /// IQR over median: how much the samples scatter; 0 if the median is 0.
  double spread() const { return median == 0 ? 0 : iqr() / median; }
};

/// @throws error if there are no samples or one is not a number
summary summarize(std::span<const double> samples);

/// The middle sample, or the mean of the two middle ones.
/// @throws error if there are no samples or one is not a number
double median(std::span<const double> samples);

struct interval {
  double lower = 0;
  double upper = 0;
  bool contains(double x) const { return lower <= x && x <= upper; }
};

struct bootstrap_options {
  double level = 0.99;
  int resamples = 2000;
  std::uint64_t seed = 1;  ///< same seed, same interval
};

/// A confidence interval of median(b) / median(a), by resampling both sets with replacement.
/// @throws error if a set is empty, or holds a number that is not positive and finite
interval median_ratio_interval(std::span<const double> a, std::span<const double> b,
                               const bootstrap_options& options = {});

}  // namespace teff::lab

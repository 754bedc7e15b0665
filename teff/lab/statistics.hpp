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

/// Of every interval here.
inline constexpr double confidence = 0.99;

/// How many times as long B took as A, and the interval in which that lies.
struct ratio_estimate {
  double ratio = 1;
  interval range;
};

/// median(b) / median(a), of samples in the order in which they were taken. The interval holds two.
/// One is Student's of the logarithms of the medians of four consecutive parts of each run:
/// neighbouring samples resemble each other, so a machine that changes its speed during a run
/// widens it, which drawing single samples at random would not. The other is that of the ranks of
/// all samples, which a machine of two speeds widens even if all parts are alike.
/// @throws error if a set has fewer than 2 samples, or one that is not positive and finite
ratio_estimate ratio_of_medians(std::span<const double> a, std::span<const double> b);

/// The median of b / a of times that were taken in pairs, one right after the other, with the
/// interval of the sign test. If A and B are the same, each pair is as likely one way as the other,
/// whatever the times are distributed like, and then the interval excludes 1 in at most 1 % of all
/// cases. With fewer than 8 pairs that can not be, and the interval is unbounded.
/// @throws error if there are not as many of both, or none, or one is not positive and finite
ratio_estimate ratio_of_pairs(std::span<const double> a, std::span<const double> b);

}  // namespace teff::lab

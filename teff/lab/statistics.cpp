// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <random>

#include <teff/base/error.hpp>
#include <teff/lab/statistics.hpp>

namespace teff::lab {

namespace {

void require_numbers(std::span<const double> samples) {
  if (samples.empty()) throw error("statistics: expected at least one sample, got none");
  if (std::ranges::any_of(samples, [](double x) { return std::isnan(x); }))
    throw error("statistics: a sample is not a number");
}

/// The value at rank position*(n-1), interpolated linearly.
double quantile_of_sorted(std::span<const double> sorted, double position) {
  const double rank = position * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(rank);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  const double weight = rank - static_cast<double>(below);
  return sorted[below] + weight * (sorted[above] - sorted[below]);
}

/// Reorders `values`.
double median_of(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*std::max_element(values.begin(), middle) + *middle) / 2;
}

/// Fills `drawn` with values taken at random from `samples`. The remainder favours small indices by
/// less than 2^-50, and unlike std::uniform_int_distribution it is the same in every library.
void draw(std::span<const double> samples, std::mt19937_64& random, std::vector<double>& drawn) {
  drawn.resize(samples.size());
  for (double& value : drawn) value = samples[random() % samples.size()];
}

void require_times(std::span<const double> samples) {
  require_numbers(samples);
  if (std::ranges::any_of(samples, [](double x) { return !std::isfinite(x) || x <= 0; }))
    throw error("statistics: a ratio of medians needs positive, finite samples");
}

}  // namespace

summary summarize(std::span<const double> samples) {
  require_numbers(samples);
  std::vector<double> sorted(samples.begin(), samples.end());
  std::ranges::sort(sorted);
  return {sorted.front(), quantile_of_sorted(sorted, 0.25), quantile_of_sorted(sorted, 0.5),
          quantile_of_sorted(sorted, 0.75), sorted.back()};
}

double median(std::span<const double> samples) {
  require_numbers(samples);
  std::vector<double> values(samples.begin(), samples.end());
  return median_of(values);
}

interval median_ratio_interval(std::span<const double> a, std::span<const double> b,
                               const bootstrap_options& options) {
  require_times(a);
  require_times(b);
  std::mt19937_64 random(options.seed);
  std::vector<double> ratios(static_cast<std::size_t>(options.resamples));
  std::vector<double> from_a, from_b;
  for (double& ratio : ratios) {
    draw(a, random, from_a);
    draw(b, random, from_b);
    ratio = median_of(from_b) / median_of(from_a);
  }
  std::ranges::sort(ratios);
  const double tail = (1 - options.level) / 2;
  return {quantile_of_sorted(ratios, tail), quantile_of_sorted(ratios, 1 - tail)};
}

}  // namespace teff::lab

// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <string>

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

/// A mean and the variance of that mean.
struct mean_estimate {
  double mean = 0, variance = 0;
};

/// Few, so that a change of speed in the middle of a run counts as what it is: one event.
constexpr std::size_t parts_of_run = 4;

/// Of the logarithms of the medians of consecutive parts of a run.
mean_estimate mean_of_parts(std::span<const double> samples) {
  const std::size_t parts = std::min(parts_of_run, samples.size());
  std::vector<double> logs, part;
  for (std::size_t i = 0; i < parts; ++i) {
    const auto at = [&](std::size_t k) {
      return samples.begin() + static_cast<std::ptrdiff_t>(k * samples.size() / parts);
    };
    part.assign(at(i), at(i + 1));
    logs.push_back(std::log(median_of(part)));
  }
  const auto count = static_cast<double>(parts);
  mean_estimate found;
  for (const double x : logs) found.mean += x / count;
  for (const double x : logs)
    found.variance += (x - found.mean) * (x - found.mean) / (count - 1) / count;
  return found;
}

/// The 99.5 % quantile of Student's distribution, by whole degrees of freedom; between two of them
/// the larger quantile counts, and the largest for degrees that are no number.
double student_quantile(double degrees) {
  constexpr double quantiles[] = {63.66, 9.925, 5.841, 4.604, 4.032, 3.707};
  constexpr double last = std::size(quantiles);
  if (std::isnan(degrees)) return quantiles[0];
  return quantiles[static_cast<std::size_t>(std::clamp(std::floor(degrees), 1.0, last)) - 1];
}

/// The largest k such that fewer than k of so many tosses of a coin are heads with a probability of
/// at most (1 - confidence) / 2.
std::size_t sign_cut(std::size_t tosses) {
  constexpr std::size_t counted_out = 1000;  // beyond it 0.5^n is no number, and a bell as good
  const auto n = static_cast<double>(tosses);
  if (tosses > counted_out) {
    constexpr double normal_quantile = 2.5758;
    return static_cast<std::size_t>((n - normal_quantile * std::sqrt(n)) / 2);
  }
  std::size_t cut = 0;
  double chance = std::pow(0.5, n);  // of exactly `cut` heads
  for (double below = chance; below <= (1 - confidence) / 2; below += chance) {
    ++cut;
    chance *= (n + 1 - static_cast<double>(cut)) / static_cast<double>(cut);
  }
  return cut;
}

void require_times(std::span<const double> samples) {
  require_numbers(samples);
  if (std::ranges::any_of(samples, [](double x) { return !std::isfinite(x) || x <= 0; }))
    throw error("statistics: a ratio of medians needs positive, finite samples");
}

/// By which factors the ratio of medians may be off, by how the parts of the runs differ.
interval factors_of_parts(std::span<const double> a, std::span<const double> b) {
  const mean_estimate of_a = mean_of_parts(a), of_b = mean_of_parts(b);
  const double variance = of_a.variance + of_b.variance;
  if (variance <= 0) return {1, 1};
  // Welch's degrees of freedom.
  const auto free = [](const mean_estimate& of, std::size_t samples) {
    return of.variance * of.variance / static_cast<double>(std::min(parts_of_run, samples) - 1);
  };
  const double degrees = variance * variance / (free(of_a, a.size()) + free(of_b, b.size()));
  const double factor = std::exp(student_quantile(degrees) * std::sqrt(variance));
  return {1 / factor, factor};
}

/// By which factors a median may be off, by the ranks of the sign test; the least and the largest
/// sample where there are too few for it.
interval factors_of_ranks(std::span<const double> samples) {
  std::vector<double> sorted(samples.begin(), samples.end());
  std::ranges::sort(sorted);
  const double middle = quantile_of_sorted(sorted, 0.5);
  const std::size_t cut = std::max<std::size_t>(1, sign_cut(sorted.size()));
  return {sorted[cut - 1] / middle, sorted[sorted.size() - cut] / middle};
}

/// The same of a ratio: the distances of two independent estimates add up as squares do.
interval factors_of_ranks(std::span<const double> a, std::span<const double> b) {
  const interval of_a = factors_of_ranks(a), of_b = factors_of_ranks(b);
  return {std::exp(-std::hypot(std::log(of_b.lower), std::log(of_a.upper))),
          std::exp(std::hypot(std::log(of_b.upper), std::log(of_a.lower)))};
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

ratio_estimate ratio_of_medians(std::span<const double> a, std::span<const double> b) {
  require_times(a);
  require_times(b);
  if (a.size() < 2 || b.size() < 2)
    throw error("statistics: expected at least 2 samples of each, got " + std::to_string(a.size()) +
                " and " + std::to_string(b.size()));
  const double ratio = median(b) / median(a);
  const interval of_parts = factors_of_parts(a, b), of_ranks = factors_of_ranks(a, b);
  return {ratio,
          {ratio * std::min(of_parts.lower, of_ranks.lower),
           ratio * std::max(of_parts.upper, of_ranks.upper)}};
}

ratio_estimate ratio_of_pairs(std::span<const double> a, std::span<const double> b) {
  require_times(a);
  require_times(b);
  if (a.size() != b.size())
    throw error("statistics: expected as many times of both, got " + std::to_string(a.size()) +
                " and " + std::to_string(b.size()));
  std::vector<double> ratios;
  for (std::size_t i = 0; i < a.size(); ++i) ratios.push_back(b[i] / a[i]);
  std::ranges::sort(ratios);
  const double ratio = quantile_of_sorted(ratios, 0.5);
  const std::size_t cut = sign_cut(ratios.size());
  if (cut == 0) return {ratio, {0, std::numeric_limits<double>::infinity()}};
  return {ratio, {ratios[cut - 1], ratios[ratios.size() - cut]}};
}

}  // namespace teff::lab

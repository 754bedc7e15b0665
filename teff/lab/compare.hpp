// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <vector>

#include <teff/lab/result.hpp>
#include <teff/lab/statistics.hpp>

namespace teff::lab {

enum class verdict : std::uint8_t { same, faster, slower, unclear };
const char* name_of(verdict v);

struct compare_options {
  /// A difference counts only beyond this: two runs of one program differ by a percent or two.
  double threshold = 0.02;
  bootstrap_options bootstrap = {};
  int min_samples = 5;  ///< with fewer on a side nothing is concluded
};

struct judgement {
  verdict what = verdict::unclear;
  double ratio = 1;  ///< median time of b over that of a: above 1 is slower
  interval range;    ///< confidence interval of the ratio
  std::string reason;
};

/// Slower or faster only if the interval of the ratio excludes 1 and the ratio is beyond the
/// threshold; same if the interval lies within the threshold, or the ratio does and so is a proven
/// trifle; else unclear.
judgement judge(std::span<const double> a, std::span<const double> b,
                const compare_options& options = {});

/// One result found in both reports.
struct comparison {
  const result* a = nullptr;
  const result* b = nullptr;
  judgement found;
};

struct comparison_report {
  std::vector<comparison> common;
  std::vector<std::string> only_in_a, only_in_b;  ///< what has no partner
  std::vector<std::string> warnings;              ///< such as another device
  bool has_regression() const;
};

/// Matches results by case, variant (whose name tells the dim), device, type, shape and cache
/// state. The reports must outlive what is returned.
comparison_report compare(const report& a, const report& b, const compare_options& options = {});

/// What identifies a result: "diffusion2d temporal cuda:0 f64 16384x16384".
std::string identity_of(const result& r);

}  // namespace teff::lab

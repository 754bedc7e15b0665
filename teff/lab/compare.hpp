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
  int min_samples = 5;  ///< with fewer on a side nothing is concluded
};

struct judgement {
  verdict what = verdict::unclear;
  double ratio = 1;     ///< time of b over that of a: above 1 is slower
  interval range = {};  ///< 99 % confidence interval of the ratio; empty if there is none, and
                        ///< where it would say nothing, as from a quarter to four times
  std::string reason = {};
};

/// Of two runs, one after the other. Slower or faster only if the interval of the ratio of medians
/// excludes 1 and the ratio is beyond the threshold; same only if all of the interval lies within
/// the threshold; else unclear. What changed between the runs but not within them, such as the
/// speed of the machine, is not in the samples: see compare() and judge_pairs().
judgement judge(std::span<const double> a, std::span<const double> b,
                const compare_options& options = {});

/// The same of times that were taken in turns, so that the machine's changes meet both.
judgement judge_pairs(std::span<const double> a, std::span<const double> b,
                      const compare_options& options = {});

/// True if more pairs would hardly change what is concluded: the interval is no wider than the
/// threshold, or than a quarter of the difference found. To take pairs until some verdict appears
/// would make false ones likelier. The first rule asks for none. The second does end with one, but
/// only where the difference is several times what excludes 1, which chance does not make: of pairs
/// of the same no simulated run ended by it, and false verdicts stay below the 1 % that the
/// interval allows.
bool is_narrow(const ratio_estimate& found, double threshold);

/// Whether sampling may end after these pairs: asked after each, it looks at every tenth.
bool has_settled(std::span<const double> a, std::span<const double> b, double threshold);

/// Of two results that measure_in_turns() gave.
judgement judge_pairs(const result& a, const result& b, const compare_options& options = {});

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
/// state. Nothing is concluded where others used the device during a run. Where the ceilings of the
/// two runs that measured them differ beyond the threshold though the device is of one kind, a
/// verdict must hold for the fractions of the ceilings too. The reports must outlive what is
/// returned.
comparison_report compare(const report& a, const report& b, const compare_options& options = {});

/// Why two results can not be judged, whatever their samples say: one has no time, or is
/// unverified; else "".
std::string why_not_comparable(const result& a, const result& b);

/// What would tell where pairs, which took so many seconds, ended unclear: "some 320 pairs would
/// tell, by --budget 2", or what to do where `most_pairs` would not do. "" where it is clear, or
/// without an interval.
std::string what_would_tell(const comparison& c, std::size_t most_pairs, double taken_s,
                            double threshold);

/// What a clock that goes in steps hides of samples that are single runs (with cold caches): "the
/// clock goes in steps of 500 ns, which is 6.3 % of such a run"; "" where that is below the
/// threshold.
std::string what_the_clock_hides(const comparison& c, double clock_step_s, double threshold);

/// What identifies a result: "diffusion2d temporal cuda:0 f64 16384x16384".
std::string identity_of(const result& r);

}  // namespace teff::lab

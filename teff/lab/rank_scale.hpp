// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include <teff/io/chart.hpp>
#include <teff/lab/result.hpp>
#include <teff/lab/selection.hpp>
#include <teff/lab/table.hpp>

/// A sweep over ranks: what a grid gains by more of them.
namespace teff::lab {

/// What stays the same while there are more ranks: the whole grid, or each rank's part.
enum class scaling : std::uint8_t { strong, weak };

/// The jobs of the one case that `wanted` names, on each number of ranks: by default on 1, 2, 4,
/// ... up to default_ranks(). All ranks have as many threads as most ranks leave to each, so that
/// more ranks are more cores. Shapes are those of one rank for weak scaling: the last extent is
/// taken as often as there are ranks. The default is the case's, smaller where that takes more than
/// `most_bytes`. With steps between exchanges in `wanted`, the best variant runs with each of them,
/// and as it chooses.
/// @throws error (usage) as plan() does, and unless there is one case that runs on ranks
std::vector<job> plan_rank_scale(std::span<const bench_case> cases, request wanted, scaling how,
                                 double most_bytes);

/// A line of a sweep: results of one case, variant and type, of the same whole or the same part of
/// each rank, by the number of ranks; of two numbers or more.
struct rank_line {
  std::map<int, const result*> by_ranks;  ///< in what rank_lines() was given
  std::string size;                       ///< of the whole, or of a rank's part: "4096x4096"
  const result& fewest() const { return *by_ranks.begin()->second; }
  /// Cells a second over those of the fewest ranks; the same over how many times as many ranks.
  double speed_up(int ranks) const;
  double efficiency(int ranks) const;
};
std::vector<rank_line> rank_lines(const std::vector<result>& results, scaling how);

/// "On 2 ranks grid2d is 1.93 times as fast as on 1 with 4096x4096 a rank (efficiency 0.964; ...",
/// and the same with the same whole, where that was measured; "" where no line is.
std::string rank_finding(const std::vector<result>& results);

/// Results of a sweep over ranks, or over steps between exchanges, rather than over sizes.
bool is_over_ranks(const std::vector<result>& results);

/// A number of ranks a row. Speed-up is in cells a second over the fewest ranks of the same
/// variant, type and size (for weak scaling: of a part); efficiency is that for each rank; what
/// exchanges take is the slowest rank's, waiting included.
table rank_table(const std::vector<result>& results);

/// Speed-up over ranks, a line for each variant, type and size, and the ideal one.
io::chart rank_chart(const report& r);

/// "grid2d f64 1024x1024 on 2 ranks: chosen was an exchange every 16 steps, 1.02 times the least
/// time, that of deep-24": for each size and number of ranks where others were measured, too; a
/// line each.
std::vector<std::string> chosen_against_best(const std::vector<result>& results);

}  // namespace teff::lab

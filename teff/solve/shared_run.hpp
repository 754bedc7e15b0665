// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include <teff/grid/ranks.hpp>
#include <teff/solve/plan.hpp>

/// Runs whose grid ranks share. The root's command makes them, steps them, and reads and writes
/// their fields as if it were alone; the other ranks make the calls that it makes.
namespace teff::solve {

/// A rank waits so long for another: the root draws and writes files between two calls.
inline constexpr double longest_wait_s = 3600;

/// The root's hold on the other ranks of a run. They end with it.
class other_ranks {
 public:
  explicit other_ranks(const ranks& on);
  ~other_ranks();
  other_ranks(const other_ranks&) = delete;
  other_ranks& operator=(const other_ranks&) = delete;

  /// The solver's run on all ranks, as the root sees it; it must not outlive them.
  /// @throws error for a solver that is not for ranks, whatever `make` throws, and where it fails
  /// on another rank
  std::unique_ptr<solver_run> make(const spec& what, const setup& s);

 private:
  ranks on_;
};

/// What every rank but the root does: the calls of its other_ranks, until they end.
/// @throws error where the grid has ended
void follow_root(const ranks& on, const spec_finder& find);

}  // namespace teff::solve

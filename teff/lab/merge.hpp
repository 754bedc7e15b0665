// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include <teff/lab/result.hpp>

namespace teff::lab {

/// Runs on one machine as one report: all results, of those with the same identity the latest; the
/// highest of each ceiling, noted where the runs differ by more than 5 %; the machine block of the
/// latest run, whose command tells how many runs there were; what was noted, with the run; how many
/// results were planned and are missing in all runs. Fractions of ceilings stay those of each run's
/// own. A run that is given twice counts once. Reports may be such wholes already.
/// @throws error (usage) if there are no reports, or they are of different devices
report merge(std::vector<report> all);

}  // namespace teff::lab

// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include <teff/stencil/plan.hpp>

namespace teff {

/// What runs found out about their schedules: the fastest by device, fields and formula, in a file
/// that a user can read, edit and delete. One line each: steps per pass, "fused" (one step
/// with all its stages) or "resident", then the key, between tabs; of several with one key the last
/// counts. Of a file the last MiB is read, and none grows beyond that. $TEFF_SCHEDULES names the
/// file ("" for none), else it is teff/schedules.tsv in $XDG_CACHE_HOME or ~/.cache.
std::string schedule_file();

/// Nothing where none is known, and where the file can not be read. (Of resident blocks the depth
/// is not remembered: 1.)
std::optional<step_plan> remembered_plan(const std::string& key);

/// For this process, and in the file, if that can be written.
void remember_plan(const std::string& key, const step_plan& plan);

}  // namespace teff

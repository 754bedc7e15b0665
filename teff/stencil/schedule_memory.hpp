// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

namespace teff {

/// What runs found out about their schedules: the fastest depth by device, fields and formula, in a
/// file that a user can read, edit and delete. One line each: depth, then the key, between tabs; of
/// several with one key the last counts. $TEFF_SCHEDULES names the file ("" for none), else it is
/// teff/schedules.tsv in $XDG_CACHE_HOME or ~/.cache.
std::string schedule_file();

/// Steps per pass; nothing where none is known, and where the file can not be read.
std::optional<int> remembered_depth(const std::string& key);

/// For this process, and in the file, if that can be written.
void remember_depth(const std::string& key, int depth);

}  // namespace teff

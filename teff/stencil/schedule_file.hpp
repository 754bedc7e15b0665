// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>
#include <string_view>

#include <teff/stencil/plan.hpp>

/// The file of schedule_memory.hpp. Its name is a user's, and so is its content: whatever is there
/// is read in bounded time and memory, is no error, and ends no run.
namespace teff::runtime {

/// What is read of such a file at most, its end; and what a file may grow to.
inline constexpr std::size_t most_schedule_bytes = std::size_t{1} << 20;

/// The last whole lines of a file; "" where it is no regular one or can not be read.
std::string schedules_text(const std::string& file);

/// The plans in such a text; what is no line of its kind is passed over.
std::map<std::string, step_plan> plans_in(std::string_view text);

/// Adds a line in one piece, so that programs which run at the same time do not mix theirs. Nothing
/// where the file can not be written, is no regular one, or would become too long.
void append_plan(const std::string& file, const std::string& key, const step_plan& plan);

}  // namespace teff::runtime

// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace teff::runtime {

/// The text as it may be shown on a terminal, whoever wrote it: control bytes and bytes that are no
/// UTF-8 as `\x1b`, and so too the characters that are not seen but change how others are: C1
/// controls, marks of direction, line and paragraph separators, and what has no width. `kept`:
/// control bytes that stay.
std::string visible(std::string_view text, std::string_view kept = "");

}  // namespace teff::runtime

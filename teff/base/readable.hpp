// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <vector>

/// Numbers and words as people read them, in tables, progress and summaries.
namespace teff::runtime {

/// `value` with `digits` significant ones and no exponent where the text stays short: "4283",
/// "0.974".
std::string significant(double value, int digits);

/// A time with a unit that suits it: "12.3 us", "1.24 ms".
std::string time_text(double seconds);

/// The words of a text in lines of at most so many columns (0: in one), each after `indent` blanks.
std::string wrapped(const std::string& text, std::size_t columns, std::size_t indent = 0);

/// "1 sample", "3 samples".
std::string counted(std::size_t count, const std::string& noun);

/// "12 s", "3 min", "2 h".
std::string duration_text(double seconds);

/// Texts with `between` between them.
std::string joined(const std::vector<std::string>& parts, const char* between = ", ");

/// Characters on the screen: bytes of UTF-8 that do not continue a character.
std::size_t width_of(const std::string& text);

}  // namespace teff::runtime

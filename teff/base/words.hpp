// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <teff/base/error.hpp>
#include <teff/base/index.hpp>

/// Words of a command line: what they mean, and which ones were meant.
namespace teff::runtime {

/// The numbers of "512x512x512", without blanks; empty if the text is not of this form.
std::vector<index_t> numbers_between_x(const std::string& text);

/// Reads "512x512x512": up to three extents. @throws error (usage)
std::vector<index_t> parse_shape(const std::string& text);

/// "unknown `kind` 'nam'; did you mean 'name'?", or what there is where none is near.
error unknown_name(const std::string& kind, const std::string& name,
                   const std::vector<std::string>& known);

}  // namespace teff::runtime

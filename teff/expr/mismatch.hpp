// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <teff/base/index.hpp>

namespace teff::runtime {

/// "20x18", of dims up to the first that is negative; "of any extents" of none.
std::string operand_extents(const index_t (&n)[3]);

/// Two operands of different extents (negative: any). @throws error with both, and with what would
/// make the larger one fit
[[noreturn]] void throw_mismatch(const std::string& left, const index_t (&a)[3],
                                 const std::string& right, const index_t (&b)[3]);

/// A text in parentheses where an operator of `outer` would take it apart: symbols as " + ".
std::string operand_of(const char* outer, bool is_right, const char* inner, std::string text);

}  // namespace teff::runtime

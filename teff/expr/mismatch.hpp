// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <teff/base/index.hpp>
#include <teff/base/text_source.hpp>

namespace teff::runtime {

/// "20x18", of dims up to the first that is negative; "of any extents" of none.
std::string operand_extents(const index_t (&n)[3]);

/// Extents of two operands (negative: any), those of the first become what both have. @throws error
/// where they differ
void combine_extents(index_t (&a)[3], const text_source& left, const index_t (&b)[3],
                     const text_source& right);
/// An operand that loses so many cells along each dim. @throws error: it has not so many
void lose_cells(index_t (&n)[3], const int (&by)[3], const text_source& operand);

/// An operand in the text of an expression: its own, and the symbol, as " + ", if it is of an
/// operator itself, else null.
struct operand_text {
  text_source source;
  const char* symbol;
};
/// "left + right", with parentheses where the operator would take an operand apart.
[[gnu::cold]] std::string operator_text(const operand_text& left, const char* symbol,
                                        const operand_text& right);
/// "name(first, second)"
[[gnu::cold]] std::string call_text(const char* name, const text_source* operands, int count);
/// "before" + operand + "after"
[[gnu::cold]] std::string text_around(const char* before, const text_source& operand,
                                      const char* after);

/// A number in the text of an expression, without the zeros at its end.
[[gnu::cold]] std::string digits_of(double value);
[[gnu::cold]] std::string digits_of(i64 value);
[[gnu::cold]] std::string digits_of(std::uint64_t value);

}  // namespace teff::runtime

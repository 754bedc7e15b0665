// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <teff/base/readable.hpp>

namespace teff::lab {

enum class align { left, right };

/// What becomes of a column where the table is wider than the screen.
enum class narrow : std::uint8_t {
  keep,
  drop,   ///< it is left out, and said
  below,  ///< its texts are listed below the table, after the row's name
  cut     ///< it gets what is left; longer texts end in "..."
};

struct column {
  std::string header;
  align side = align::right;
  narrow fate = narrow::keep;
  /// Of columns that can go the one with the highest goes first; of one that is cut the width that
  /// it keeps.
  int rank = 0;
  std::string brief = {};  ///< the header where the table is too wide, or ""
};

/// A table that was made to fit.
struct fitted_table {
  std::string text;   ///< with the lines of what went below
  std::string about;  ///< what was left out or cut, "" for nothing
};

/// Rows of text under headers. Every row stands for itself, so that line tools can filter it. What
/// could steer a terminal is shown, see visible().
class table {
 public:
  explicit table(std::vector<column> columns) : columns_(std::move(columns)) {}

  /// @throws error if there are not as many cells as columns
  void add_row(std::vector<std::string> cells);
  std::size_t rows() const { return rows_.size(); }

  /// Aligned with blanks, no lines drawn; an empty cell is "-".
  std::string text() const;
  /// The same, no line longer than so many columns if that can be; 0 is any width. Columns of which
  /// nothing is known go first, then by rank.
  fitted_table fitted(std::size_t columns) const;
  /// RFC 4180: comma, quotes where needed; an empty cell stays empty. A cell that begins with = + -
  /// or @ and is no number is quoted and gets an apostrophe in front, so that no spreadsheet takes
  /// it for a formula.
  std::string csv() const;
  /// A table of GitHub's dialect.
  std::string markdown() const;
  /// A table of HTML; texts stay texts, and columns of numbers have the class "number".
  std::string html() const;

 private:
  std::vector<std::size_t> widths(std::size_t least) const;
  std::vector<std::size_t> widths_as_text() const;
  std::string text_of(const std::vector<std::size_t>& width) const;
  bool is_empty(std::size_t column) const;
  fitted_table narrowed(std::size_t columns) const;
  std::string what_all_have(std::size_t column) const;
  std::string listed(std::size_t column, std::size_t columns) const;
  std::size_t least_width(std::size_t column, std::size_t width) const;
  std::size_t next_to_go(const std::vector<std::size_t>& width) const;

  std::vector<column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

using runtime::counted;
using runtime::significant;
using runtime::time_text;
using runtime::wrapped;

}  // namespace teff::lab

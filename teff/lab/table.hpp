// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace teff::lab {

enum class align { left, right };

struct column {
  std::string header;
  align side = align::right;
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

  std::vector<column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

/// `value` with `digits` significant ones and no exponent where the text stays short: "4283",
/// "0.974".
std::string significant(double value, int digits);

/// A time with a unit that suits it: "12.3 us", "1.24 ms".
std::string time_text(double seconds);

/// "1 sample", "3 samples".
std::string counted(std::size_t count, const std::string& noun);

}  // namespace teff::lab

// SPDX-License-Identifier: MIT
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

#include <teff/base/error.hpp>
#include <teff/base/readable.hpp>
#include <teff/base/visible.hpp>
#include <teff/lab/html.hpp>
#include <teff/lab/table.hpp>

namespace teff::lab {

using runtime::visible;
using runtime::width_of;

namespace {

std::string padded(const std::string& text, std::size_t width, align side) {
  const std::string blanks(width - std::min(width, width_of(text)), ' ');
  return side == align::left ? text + blanks : blanks + text;
}

std::string shown(const std::string& cell) {
  return cell.empty() ? "-" : visible(cell);
}

/// At most so many characters of a text, the last three dots if there are more.
std::string cut(const std::string& text, std::size_t width) {
  if (width_of(text) <= width) return text;
  const std::size_t kept = width - std::min<std::size_t>(width, 3);
  std::string part;
  for (const char c : text) {
    if ((c & '\xC0') != '\x80' && width_of(part) == kept) break;
    part += c;
  }
  return part + std::string(width - kept, '.');
}

bool is_number(const std::string& text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, value);
  return read.ec == std::errc{} && read.ptr == end && std::isfinite(value);
}

std::string quoted(const std::string& cell) {
  std::string text = visible(cell, "\n");
  // A spreadsheet would take it for a formula.
  const bool is_formula =
      !text.empty() && std::strchr("=+-@", text.front()) != nullptr && !is_number(text);
  if (is_formula) text.insert(0, "'");
  if (!is_formula && text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string between = "\"";
  for (const char c : text) between += c == '"' ? "\"\"" : std::string(1, c);
  return between + "\"";
}

std::string escaped(const std::string& cell) {
  std::string text;
  for (const char c : shown(cell)) text += c == '|' ? "\\|" : std::string(1, c);
  return text;
}

}  // namespace

void table::add_row(std::vector<std::string> cells) {
  if (cells.size() != columns_.size())
    throw error("table: expected " + std::to_string(columns_.size()) + " cells, got " +
                std::to_string(cells.size()));
  rows_.push_back(std::move(cells));
}

std::vector<std::size_t> table::widths(std::size_t least) const {
  std::vector<std::size_t> width;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    width.push_back(std::max(least, width_of(columns_[c].header)));
    for (const auto& row : rows_) width[c] = std::max(width[c], width_of(escaped(row[c])));
  }
  return width;
}

std::string table::text() const {
  return text_of(widths_as_text());
}

std::vector<std::size_t> table::widths_as_text() const {
  std::vector<std::size_t> width;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    width.push_back(std::max<std::size_t>(1, width_of(columns_[c].header)));
    for (const auto& row : rows_) width[c] = std::max(width[c], width_of(shown(row[c])));
  }
  return width;
}

/// Columns of width 0 are left out.
std::string table::text_of(const std::vector<std::size_t>& width) const {
  std::string out;
  const auto add = [&](auto cell_of) {
    std::string line;
    for (std::size_t c = 0; c < columns_.size(); ++c)
      if (width[c] > 0)
        line += (line.empty() ? "" : "  ") +
                padded(cut(cell_of(c), width[c]), width[c], columns_[c].side);
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  };
  add([&](std::size_t c) { return columns_[c].header; });
  for (const auto& row : rows_) add([&](std::size_t c) { return shown(row[c]); });
  return out;
}

bool table::is_empty(std::size_t column) const {
  return !rows_.empty() &&
         std::ranges::all_of(rows_, [&](const auto& row) { return row[column].empty(); });
}

/// The column that goes next; their number where none can.
std::size_t table::next_to_go(const std::vector<std::size_t>& width) const {
  std::size_t next = columns_.size();
  const auto rank_of = [&](std::size_t c) {
    return is_empty(c) ? std::numeric_limits<int>::max() : columns_[c].rank;
  };
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    const bool can_go = columns_[c].fate == narrow::drop || columns_[c].fate == narrow::below;
    if (can_go && width[c] > 0 && (next == columns_.size() || rank_of(c) > rank_of(next))) next = c;
  }
  return next;
}

/// To which a column of this width can be cut.
std::size_t table::least_width(std::size_t column, std::size_t width) const {
  constexpr std::size_t usual = 8;
  if (columns_[column].fate != narrow::cut) return width;
  return std::min(width, std::max(usual, static_cast<std::size_t>(columns_[column].rank)));
}

fitted_table table::fitted(std::size_t columns) const {
  std::size_t all = 0;
  for (const std::size_t width : widths_as_text()) all += width + 2;
  if (columns == 0 || all <= columns + 2) return {text(), ""};
  table brief = *this;
  for (column& c : brief.columns_)
    if (!c.brief.empty()) c.header = c.brief;
  return brief.narrowed(columns);
}

fitted_table table::narrowed(std::size_t columns) const {
  std::vector<std::size_t> width = widths_as_text();
  const auto excess = [&](bool is_cut) {  // of the narrowest table with these columns
    std::size_t all = 0;
    for (std::size_t c = 0; c < columns_.size(); ++c)
      if (width[c] > 0) all += 2 + (is_cut ? least_width(c, width[c]) : width[c]);
    return all > columns + 2 ? all - columns - 2 : 0;
  };
  std::vector<std::size_t> below;
  std::string dropped;
  while (excess(true) > 0) {
    const std::size_t gone = next_to_go(width);
    if (gone == columns_.size()) break;
    width[gone] = 0;
    const bool is_below = columns_[gone].fate == narrow::below;
    if (is_below && !is_empty(gone)) below.push_back(gone);
    if (!is_below)
      dropped += (dropped.empty() ? "" : ", ") + columns_[gone].header + what_all_have(gone);
  }
  std::string about = dropped.empty() ? "" : "left out " + dropped;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    const std::size_t more = excess(false);
    if (columns_[c].fate != narrow::cut || width[c] == 0 || more == 0) continue;
    width[c] -= std::min(more, width[c] - least_width(c, width[c]));
    about += (about.empty() ? "cut " : ", cut ") + columns_[c].header;
  }
  fitted_table made{
      text_of(width),
      about.empty() ? "" : "to fit " + std::to_string(columns) + " columns: " + about};
  for (const std::size_t c : below) made.text += "\n" + listed(c, columns);
  return made;
}

/// A column below the table: each text once, after the names of the rows that have it.
std::string table::listed(std::size_t column, std::size_t columns) const {
  std::string lines = columns_[column].header + "\n";
  const bool has_two_names = columns_[1].fate == narrow::keep && columns_[1].side == align::left;
  for (std::size_t r = 0; r < rows_.size();) {
    const std::string& text = rows_[r][column];
    std::string names;
    for (; r < rows_.size() && rows_[r][column] == text; ++r)
      names += (names.empty() ? "" : ", ") + shown(rows_[r][0]) +
               (has_two_names ? " " + shown(rows_[r][1]) : "");
    if (!text.empty()) lines += wrapped(names + ": " + shown(text), columns, 2) + "\n";
  }
  return lines;
}

/// " (cpu)", where a column says the same in every row.
std::string table::what_all_have(std::size_t column) const {
  if (rows_.empty() || rows_.front()[column].empty()) return "";
  const std::string& first = rows_.front()[column];
  const bool is_same =
      std::ranges::all_of(rows_, [&](const auto& row) { return row[column] == first; });
  return is_same ? " (" + visible(first) + ")" : "";
}

std::string table::csv() const {
  std::string out;
  for (std::size_t c = 0; c < columns_.size(); ++c)
    out += (c == 0 ? "" : ",") + quoted(columns_[c].header);
  out += "\n";
  for (const auto& row : rows_) {
    for (std::size_t c = 0; c < row.size(); ++c) out += (c == 0 ? "" : ",") + quoted(row[c]);
    out += "\n";
  }
  return out;
}

std::string table::markdown() const {
  const std::vector<std::size_t> width = widths(3);
  std::string out = "|";
  for (std::size_t c = 0; c < columns_.size(); ++c)
    out += " " + padded(columns_[c].header, width[c], columns_[c].side) + " |";
  out += "\n|";
  for (std::size_t c = 0; c < columns_.size(); ++c)
    out += columns_[c].side == align::left ? " " + std::string(width[c], '-') + " |"
                                           : " " + std::string(width[c] - 1, '-') + ": |";
  out += "\n";
  for (const auto& row : rows_) {
    out += "|";
    for (std::size_t c = 0; c < row.size(); ++c)
      out += " " + padded(escaped(row[c]), width[c], columns_[c].side) + " |";
    out += "\n";
  }
  return out;
}

std::string table::html() const {
  const auto cell = [&](const char* name, std::size_t c, const std::string& text) {
    const std::string kind = columns_[c].side == align::right ? " class=\"number\"" : "";
    return "<" + std::string(name) + kind + ">" + html_text(text) + "</" + name + ">";
  };
  std::string out = "<table>\n<thead><tr>";
  for (std::size_t c = 0; c < columns_.size(); ++c) out += cell("th", c, columns_[c].header);
  out += "</tr></thead>\n<tbody>\n";
  for (const auto& row : rows_) {
    out += "<tr>";
    for (std::size_t c = 0; c < row.size(); ++c) out += cell("td", c, shown(row[c]));
    out += "</tr>\n";
  }
  return out + "</tbody></table>\n";
}

}  // namespace teff::lab

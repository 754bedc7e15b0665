// SPDX-License-Identifier: MIT
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>

#include <teff/base/decimal.hpp>
#include <teff/base/error.hpp>
#include <teff/lab/html.hpp>
#include <teff/lab/table.hpp>
#include <teff/lab/visible.hpp>

namespace teff::lab {

namespace {

/// Characters on the screen: bytes of UTF-8 that do not continue a character.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (c & '\xC0') != '\x80'; }));
}

std::string padded(const std::string& text, std::size_t width, align side) {
  const std::string blanks(width - std::min(width, width_of(text)), ' ');
  return side == align::left ? text + blanks : blanks + text;
}

std::string shown(const std::string& cell) {
  return cell.empty() ? "-" : visible(cell);
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
  const std::vector<std::size_t> width = widths(1);
  std::string out;
  const auto add = [&](auto cell_of) {
    std::string line;
    for (std::size_t c = 0; c < columns_.size(); ++c)
      line += (c == 0 ? "" : "  ") + padded(cell_of(c), width[c], columns_[c].side);
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  };
  add([&](std::size_t c) { return columns_[c].header; });
  for (const auto& row : rows_) add([&](std::size_t c) { return shown(row[c]); });
  return out;
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

std::string significant(double value, int digits) {
  if (!std::isfinite(value)) return "-";
  // Rounded first, since rounding may carry: 9.996 with three digits is 10.0.
  const std::string text = decimal(value, digits - 1, decimal_form::scientific);
  const int exponent = std::stoi(text.substr(text.find('e') + 1));
  constexpr int least_exponent = -3, most_exponent = 15;
  if (value != 0 && (exponent < least_exponent || exponent > most_exponent)) return text;
  return decimal(value, std::max(0, digits - 1 - exponent), decimal_form::fixed);
}

std::string time_text(double seconds) {
  struct unit {
    double size;
    const char* name;
  };
  for (const unit u : {unit{1, " s"}, unit{1e-3, " ms"}, unit{1e-6, " us"}})
    if (seconds >= 0.9995 * u.size) return significant(seconds / u.size, 3) + u.name;
  return significant(seconds / 1e-9, 3) + " ns";
}

std::string counted(std::size_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

}  // namespace teff::lab

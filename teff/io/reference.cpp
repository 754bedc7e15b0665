// SPDX-License-Identifier: MIT
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <sstream>

#include <teff/base/decimal.hpp>
#include <teff/base/error.hpp>
#include <teff/base/visible.hpp>
#include <teff/io/atomic_file.hpp>
#include <teff/io/reference.hpp>

namespace teff::io {

namespace {

constexpr const char *first_line = "teff reference 2", *first_line_before = "teff reference 1";
constexpr const char* last_line = "end";  // of what is not cut; format 1 had none
constexpr std::size_t most_bytes = 16'000'000;
constexpr const char* how_to_record = "; a run with TEFF_RECORD=1 in its environment writes it";

/// Values of a field at some cells; cells by their number, x first.
struct kept_field {
  std::string name, type;
  std::vector<index_t> shape;
  std::vector<std::pair<index_t, double>> values;

  std::string text() const { return "'" + name + "' of " + extents_of(shape) + " " + type; }
};

double epsilon_of(const std::string& type) {
  if (type == "f64") return std::numeric_limits<double>::epsilon();
  return type == "f32" ? std::numeric_limits<float>::epsilon() : 0;
}

/// The first cell, the last one, and others all over the field, on few lines of it in common.
std::vector<index_t> kept_cells(index_t size, int count) {
  std::vector<index_t> cells;
  const double golden = (std::sqrt(5.0) - 1) / 2;
  for (index_t i = 0; i < std::min<index_t>(size, count); ++i) {
    const double part = golden * static_cast<double>(i);
    cells.push_back(
        size <= count ? i
        : i == 1      ? size - 1
                 : static_cast<index_t>((part - std::floor(part)) * static_cast<double>(size)));
  }
  std::ranges::sort(cells);
  cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
  return cells;
}

std::string cell_text(index_t number, const std::vector<index_t>& shape) {
  std::string text;
  for (const index_t extent : shape) {
    text += (text.empty() ? "" : ",") + std::to_string(number % extent);
    number /= extent;
  }
  return text;
}

kept_field without_values(const named_field& f) {
  const runtime::any_array a = f.cells.as_any();
  return {f.name, a.type, f.cells.shape(), {}};
}

// ---- written

void record(const std::string& path, const std::vector<named_field>& fields, int count) {
  std::string file = std::string(first_line) + "\n";
  for (const named_field& f : fields) {
    const kept_field what = without_values(f);
    const std::vector<double> values = values_of(f.cells);
    file += what.name + " " + what.type + " " + extents_of(what.shape) + "\n";
    for (const index_t cell : kept_cells(static_cast<index_t>(values.size()), count))
      file += "  " + cell_text(cell, what.shape) + " " +
              decimal(values[static_cast<std::size_t>(cell)], 17) + "\n";
  }
  file += std::string(last_line) + "\n";
  if (file.size() > most_bytes)
    throw error(failure::usage, "'" + path + "': .cells: " + std::to_string(count) +
                                    " of each field make more than the 16 MB that are read");
  write_file(path, file);
}

// ---- read

template <class T>
bool is_number(std::string_view text, T& value) {
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  return read.ec == std::errc() && read.ptr == text.data() + text.size();
}

/// Numbers between separators; none of a text that is something else.
std::vector<index_t> numbers_in(std::string_view text, char between) {
  std::vector<index_t> all;
  while (true) {
    const std::size_t end = std::min(text.find(between), text.size());
    index_t number = 0;
    if (!is_number(text.substr(0, end), number) || number < 0) return {};
    all.push_back(number);
    if (end == text.size()) return all;
    text.remove_prefix(end + 1);
  }
}

/// Cells of a field's extents, by number; -1 for what is none.
index_t number_of(const std::vector<index_t>& cell, const std::vector<index_t>& shape) {
  if (cell.size() != shape.size()) return -1;
  index_t number = 0;
  for (std::size_t d = shape.size(); d-- > 0;) {
    if (cell[d] >= shape[d]) return -1;
    number = number * shape[d] + cell[d];
  }
  return number;
}

std::vector<kept_field> kept_in(const std::string& path) {
  if (!std::filesystem::exists(path))
    throw error("'" + path + "': there is no such file" + how_to_record);
  std::istringstream lines(read_file(path, most_bytes));
  std::vector<kept_field> all;
  std::string line;
  bool has_end = false;
  for (int number = 1; std::getline(lines, line); ++number) {
    const auto refuse = [&](const std::string& expected) {
      throw error("'" + path + "': line " + std::to_string(number) + ": expected " + expected +
                  ", got '" + runtime::visible(line.substr(0, 60)) + "'");
    };
    std::istringstream words(line);
    std::string first, second, third, more;
    words >> first >> second >> third;
    if (number == 1) {
      if (line != first_line && line != first_line_before)
        refuse("'" + std::string(first_line) + "'");
      has_end = line == first_line_before;
    } else if (line == last_line && !has_end) {
      has_end = true;
      if (lines.peek() != std::istringstream::traits_type::eof()) refuse("it to be the last line");
    } else if (!line.starts_with(" ")) {
      const std::vector<index_t> shape = numbers_in(third, 'x');
      if (shape.empty() || words >> more) refuse("a field, its type and extents, as T f64 64x64");
      (void)bytes_of_field(second, shape);  // or it throws
      all.push_back({first, second, shape, {}});
    } else {
      double value = 0;
      const index_t cell = all.empty() ? -1 : number_of(numbers_in(first, ','), all.back().shape);
      if (cell < 0 || !is_number(std::string_view(second), value) || !third.empty())
        refuse("a cell of the field and its value, as   3,17 0.25");
      all.back().values.emplace_back(cell, value);
    }
  }
  if (all.empty()) throw error("'" + path + "': holds no fields" + how_to_record);
  if (!has_end) throw error("'" + path + "': does not end by '" + last_line + "': it was cut");
  for (const kept_field& one : all)
    if (one.values.empty() && std::ranges::find(one.shape, 0) == one.shape.end())
      throw error("'" + path + "': holds no cell of " + one.text() + ": it was cut" +
                  how_to_record);
  return all;
}

// ---- compared

void compare(const std::string& path, const kept_field& kept, const named_field& f,
             const reference_options& options) {
  const kept_field mine = without_values(f);
  const bool are_real = epsilon_of(mine.type) > 0 && epsilon_of(kept.type) > 0;
  if (mine.shape != kept.shape || (mine.type != kept.type && !are_real))
    throw error("'" + path + "' holds " + kept.text() + ", got " + mine.text() + how_to_record);
  const std::vector<double> values = values_of(f.cells);
  double largest = 0;
  for (const auto& [cell, value] : kept.values)
    if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  const double epsilon = std::max(epsilon_of(mine.type), epsilon_of(kept.type));
  const double tolerance =
      largest * (options.tolerance >= 0 ? options.tolerance
                                        : epsilon * static_cast<double>(10 + options.steps));
  std::size_t differing = 0;
  double worst = -1;
  std::string worst_text;
  for (const auto& [cell, value] : kept.values) {
    const double got = values[static_cast<std::size_t>(cell)];
    const bool is_same = got == value || (std::isnan(got) && std::isnan(value));
    const double off = std::isfinite(got) && std::isfinite(value)
                           ? std::abs(got - value)
                           : std::numeric_limits<double>::infinity();
    if (is_same || off <= tolerance) continue;
    ++differing;
    if (off <= worst) continue;
    worst = off;
    worst_text = "at (" + cell_text(cell, kept.shape) + "): expected " + decimal(value, 17) +
                 ", got " + decimal(got, 17) + ", which may differ by " + decimal(tolerance, 3);
  }
  if (differing > 0)
    throw error(failure::verification,
                "'" + path + "': " + mine.text() + " differs in " + std::to_string(differing) +
                    " of " + std::to_string(kept.values.size()) + " cells, most " + worst_text +
                    "; if it should, TEFF_RECORD=1 in the environment of a run writes the new " +
                    "values");
}

}  // namespace

void compare_with_reference(const std::string& path, const std::vector<named_field>& fields,
                            const reference_options& options) {
  if (fields.empty()) throw error(failure::usage, "'" + path + "': expected fields, got none");
  if (options.cells < 1)
    throw error(failure::usage,
                "'" + path + "': .cells: expected 1 or more, got " + std::to_string(options.cells));
  if (std::isnan(options.tolerance) || std::isinf(options.tolerance) || options.steps < 0)
    throw error(failure::usage,
                "'" + path +
                    "': .tolerance: expected a finite number (below 0: by the types and "
                    "the steps), and .steps: 0 or more, got " +
                    decimal(options.tolerance, 6) + " and " + std::to_string(options.steps));
  for (const named_field& f : fields)
    if (f.name.empty() || f.name.find_first_of(" \t\n\r") != std::string::npos)
      throw error(failure::usage, "'" + path + "': a field's name is one word, got '" +
                                      runtime::visible(f.name) + "'");
  const char* const asked = std::getenv("TEFF_RECORD");
  if (asked != nullptr && std::string(asked) == "1") return record(path, fields, options.cells);

  const std::vector<kept_field> all = kept_in(path);
  for (const named_field& f : fields) {
    const auto kept = std::ranges::find(all, f.name, &kept_field::name);
    if (kept == all.end()) {
      std::string names;
      for (const kept_field& one : all) names += (names.empty() ? "'" : ", '") + one.name + "'";
      throw error("'" + path + "' holds " + names + ", got '" + f.name + "'" + how_to_record);
    }
    compare(path, *kept, f, options);
  }
}

}  // namespace teff::io

// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <charconv>
#include <memory>
#include <ostream>
#include <type_traits>
#include <vector>

#include <teff/array/print.hpp>

namespace teff::runtime {

namespace {

constexpr double most_cells = 1000;  // that are all printed
constexpr index_t at_each_end = 3;   // of a dim, of larger arrays
constexpr std::size_t columns = 80;

/// In the C locale, whatever the program's is: the text of an array is for reading back, too.
template <class T>
std::string text_of(T value, int digits) {
  if (value != value) return "nan";  // whatever its sign
  std::array<char, 64> text{};
  char* const end = text.data() + text.size();
  if constexpr (std::is_floating_point_v<T>)
    return {text.data(),
            std::to_chars(text.data(), end, value, std::chars_format::general, digits).ptr};
  else
    return {text.data(), std::to_chars(text.data(), end, static_cast<i64>(value)).ptr};
}

/// Indices of the cells that are printed along a dim; -1 where some are left out.
std::vector<index_t> printed_indices(index_t extent, bool has_all) {
  std::vector<index_t> at;
  for (index_t i = 0; i < extent; ++i) {
    if (!has_all && extent > 2 * at_each_end && i == at_each_end) {
      at.push_back(-1);
      i = extent - at_each_end;
    }
    at.push_back(i);
  }
  return at;
}

/// Cells i of a row from memory of any device.
template <class T>
void fetch(const stream& on, T* to, const T* row, index_t stride, const std::vector<index_t>& at) {
  for (std::size_t i = 0; i < at.size();) {
    std::size_t end = i + 1;  // of a run side by side
    if (at[i] >= 0)
      while (stride == 1 && end < at.size() && at[end] == at[end - 1] + 1) ++end;
    if (at[i] >= 0) copy_bytes(on, to + i, row + at[i] * stride, (end - i) * sizeof(T));
    i = end;
  }
}

std::string padded(std::string text, std::size_t width) {
  text.insert(0, width - std::min(width, text.size()), ' ');
  return text;
}

/// One line, or several that begin with the index of their first cell.
std::string lines_of(const std::vector<std::string>& cells, std::size_t width) {
  std::string one;
  for (const std::string& cell : cells) one += " " + cell;
  if (one.size() <= columns) return one;
  const std::size_t index_width = std::to_string(cells.size() - 1).size();
  const std::size_t in_line = std::max<std::size_t>(1, (columns - index_width - 3) / (width + 1));
  std::string all;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (i % in_line == 0) all += "\n  " + padded(std::to_string(i), index_width) + ":";
    all += " " + padded(cells[i], width);
  }
  return all;
}

}  // namespace

template <element T>
void print_cells(std::ostream& out, const stream& on, const T* first, int rank,
                 const index_t (&extent)[3], const index_t (&stride)[3], const std::string& what) {
  out.width(0);
  if (extent[0] == 0 || extent[1] == 0 || extent[2] == 0) {
    out << what << ": no cells";
    return;
  }
  double all = 1;  // extents of foreign memory may be any
  for (const index_t n : extent) all *= static_cast<double>(n);
  const bool has_all = all <= most_cells;
  std::vector<index_t> at[3];
  for (int d = 0; d < 3; ++d) at[d] = printed_indices(extent[d], has_all);

  const std::size_t nx = at[0].size(), ny = at[1].size(), nz = at[2].size();
  const auto cells = std::make_unique<T[]>(nx * ny * nz);
  for (std::size_t k = 0; k < nz; ++k)
    for (std::size_t j = 0; j < ny; ++j)
      if (at[1][j] >= 0 && at[2][k] >= 0)
        fetch(on, cells.get() + nx * (j + ny * k),
              first + at[1][j] * stride[1] + at[2][k] * stride[2], stride[0], at[0]);
  on.synchronize();

  // The least digits that streams have is 0, which means 1.
  const int digits = static_cast<int>(std::clamp<std::streamsize>(out.precision(), 1, 40));
  std::vector<std::string> texts(nx * ny * nz);
  std::size_t width = 0;
  for (std::size_t n = 0; n < texts.size(); ++n) {
    if (at[1][n / nx % ny] < 0 || at[2][n / nx / ny] < 0) continue;
    texts[n] = at[0][n % nx] < 0 ? "..." : text_of(cells[n], digits);
    width = std::max(width, texts[n].size());
  }

  std::string text = what;
  if (rank > 1) text += "; x to the right, y downwards";
  if (rank > 2) text += ", z block by block";
  if (!has_all) text += "; first and last cells of each dim, to_host() has all";
  text += ":";
  if (rank == 1) {
    out << text << (has_all ? lines_of(texts, width) : lines_of(texts, 0));
    return;
  }
  for (std::size_t k = 0; k < nz; ++k) {
    if (rank > 2) text += at[2][k] < 0 ? "\n..." : "\nz = " + std::to_string(at[2][k]);
    if (at[2][k] < 0) continue;
    for (std::size_t j = 0; j < ny; ++j) {
      text += "\n ";
      if (at[1][j] < 0) {
        text += " ...";
        continue;
      }
      for (std::size_t i = 0; i < nx; ++i)
        text += " " + padded(texts[i + nx * (j + ny * k)], width);
    }
  }
  out << text;
}

template void print_cells(std::ostream&, const stream&, const f64*, int, const index_t (&)[3],
                          const index_t (&)[3], const std::string&);
template void print_cells(std::ostream&, const stream&, const f32*, int, const index_t (&)[3],
                          const index_t (&)[3], const std::string&);
template void print_cells(std::ostream&, const stream&, const i64*, int, const index_t (&)[3],
                          const index_t (&)[3], const std::string&);
template void print_cells(std::ostream&, const stream&, const i32*, int, const index_t (&)[3],
                          const index_t (&)[3], const std::string&);
template void print_cells(std::ostream&, const stream&, const u8*, int, const index_t (&)[3],
                          const index_t (&)[3], const std::string&);
template void print_cells(std::ostream&, const stream&, const bool*, int, const index_t (&)[3],
                          const index_t (&)[3], const std::string&);

}  // namespace teff::runtime

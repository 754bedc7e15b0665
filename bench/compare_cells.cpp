// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstring>
#include <locale>
#include <sstream>
#include <type_traits>

#include <teff/array/same_bits.hpp>

#include <bench/compare_cells.hpp>

namespace teff::bench {

namespace {

constexpr std::size_t piece_bytes = std::size_t{64} << 20;

/// What was found in some of the elements; `first` is the position of the first wrong one.
struct differences {
  std::size_t wrong = 0;
  std::size_t first = SIZE_MAX;
  double largest = 0;
  bool has_nan = false;

  void merge(const differences& other) {
    wrong += other.wrong;
    first = std::min(first, other.first);
    largest = std::max(largest, other.largest);
    has_nan = has_nan || other.has_nan;
  }
};

template <class T>
void compare_one(T got, T expected, double tolerance, std::size_t position, differences& found) {
  if (got == expected) return;
  // Whole numbers are exact, and large ones may be apart by less than f64 can tell.
  if constexpr (!std::is_floating_point_v<T>) tolerance = -1;
  const double difference = std::abs(static_cast<double>(got) - static_cast<double>(expected));
  if (std::isnan(difference))
    found.has_nan = true;
  else
    found.largest = std::max(found.largest, difference);
  if (difference <= tolerance) return;  // false for NaN
  ++found.wrong;
  found.first = std::min(found.first, position);
}

template <class T>
differences compare_piece(const T* got, const T* expected, std::size_t count, double tolerance,
                          std::size_t start) {
  differences all;
#pragma omp parallel
  {
    differences mine;
#pragma omp for schedule(static) nowait
    for (std::size_t i = 0; i < count; ++i)
      compare_one(got[i], expected[i], tolerance, start + i, mine);
#pragma omp critical
    all.merge(mine);
  }
  return all;
}

/// "(3, 4)" for a position in a field of these extents.
std::string cell_text(std::size_t position, const std::vector<index_t>& shape) {
  std::string text;
  for (const index_t n : shape) {
    const auto extent = static_cast<std::size_t>(n);
    text += (text.empty() ? "(" : ", ") + std::to_string(position % extent);
    position /= extent;
  }
  return text + ")";
}

template <class T>
std::string value_text(T value) {
  std::ostringstream out;
  out.imbue(std::locale::classic());
  out.precision(17);
  out << +value;
  return out.str();
}

}  // namespace

cell_comparer::cell_comparer(const stream& on) : on_(on) {
  if (on.dev().is_cuda())
    buffer_ = std::make_unique<memory_block>(on, device::cpu_pinned(), piece_bytes, "check");
}

template <class T, class F>
void cell_comparer::for_each_piece(const T* cells, std::size_t count, const F& f) {
  on_.synchronize();
  if (!buffer_) return f(cells, count, std::size_t{0});
  const std::size_t most = piece_bytes / sizeof(T);
  const T* piece = static_cast<const T*>(buffer_->data());
  for (std::size_t start = 0; start < count; start += most) {
    const std::size_t here = std::min(most, count - start);
    copy_bytes(on_, buffer_->data(), cells + start, here * sizeof(T));
    on_.synchronize();
    f(piece, here, start);
  }
}

template <class T>
lab::check_result cell_comparer::compare(const T* cells, const std::vector<T>& expected,
                                         double tolerance, const std::vector<index_t>& shape) {
  differences found;
  T first_wrong{};
  for_each_piece(cells, expected.size(), [&](const T* piece, std::size_t count, std::size_t start) {
    const bool had_none = found.wrong == 0;
    found.merge(compare_piece(piece, expected.data() + start, count, tolerance, start));
    if (had_none && found.wrong > 0) first_wrong = piece[found.first - start];
  });
  lab::check_result check;
  check.ok = found.wrong == 0;
  check.reference = "serial loops, all " + std::to_string(expected.size()) + " elements";
  check.tolerance = tolerance;
  if (!found.has_nan) check.max_error = found.largest;
  if (!check.ok)
    check.reason = std::to_string(found.wrong) + " of " + std::to_string(expected.size()) +
                   " elements differ, first at " + cell_text(found.first, shape) + ": expected " +
                   value_text(expected[found.first]) + ", got " + value_text(first_wrong);
  return check;
}

template <class T>
std::size_t cell_comparer::differing_bits(const T* cells, const std::vector<T>& expected) {
  std::size_t differing = 0;
  for_each_piece(cells, expected.size(), [&](const T* piece, std::size_t count, std::size_t start) {
    const T* wanted = expected.data() + start;
#pragma omp parallel for schedule(static) reduction(+ : differing)
    for (std::size_t i = 0; i < count; ++i) differing += has_same_bits(piece[i], wanted[i]) ? 0 : 1;
  });
  return differing;
}

template lab::check_result cell_comparer::compare(const f64*, const std::vector<f64>&, double,
                                                  const std::vector<index_t>&);
template lab::check_result cell_comparer::compare(const f32*, const std::vector<f32>&, double,
                                                  const std::vector<index_t>&);
template lab::check_result cell_comparer::compare(const i64*, const std::vector<i64>&, double,
                                                  const std::vector<index_t>&);
template lab::check_result cell_comparer::compare(const i32*, const std::vector<i32>&, double,
                                                  const std::vector<index_t>&);
template lab::check_result cell_comparer::compare(const u8*, const std::vector<u8>&, double,
                                                  const std::vector<index_t>&);
template std::size_t cell_comparer::differing_bits(const f64*, const std::vector<f64>&);
template std::size_t cell_comparer::differing_bits(const f32*, const std::vector<f32>&);

}  // namespace teff::bench

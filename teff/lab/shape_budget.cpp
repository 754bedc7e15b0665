// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <teff/lab/measure.hpp>
#include <teff/lab/report_table.hpp>
#include <teff/lab/shape_budget.hpp>

namespace teff::lab {

namespace {

/// Passes over an array of a rung, of what is timed and of all around it (making input, serial
/// loops, checks): by the processor time of the best variants of all cases on two cores.
constexpr double passes = 360;

double field_bytes(const job& j) {
  return cells_of(j.where.shape) * bytes_of_type(j.where.type);
}

/// Cells that a run must have to be of memory.
double least_cells(const job& j) {
  return times_the_cache * static_cast<double>(describe(j.where.dev).cache_bytes) /
         (bytes_of_type(j.where.type) * j.what->moved_arrays);
}

}  // namespace

int bytes_of_type(const std::string& type) {
  return type == "f64" || type == "i64" ? 8 : type == "f32" || type == "i32" ? 4 : 1;
}

std::vector<index_t> shape_that_fits(std::vector<index_t> shape, int arrays, int bytes_per_cell,
                                     double most_bytes) {
  const auto bytes = [&] { return cells_of(shape) * arrays * bytes_per_cell; };
  // The longest extent first, so that squares and cubes stay nearly so.
  while (bytes() > most_bytes) {
    const auto longest = std::max_element(shape.rbegin(), shape.rend());
    if (*longest <= 1) break;
    *longest = (*longest + 1) / 2;
  }
  return shape;
}

void scale_beyond_cache(job& j, double part) {
  if (j.what->moved_arrays == 0) return;
  std::vector<index_t>& shape = j.where.shape;
  const double least = least_cells(j);
  if (cells_of(shape) > least) {
    // One halving below twice as many leaves enough.
    const double most = std::max(part * cells_of(shape), std::nextafter(2 * least, 0.0));
    shape = shape_that_fits(shape, 1, 1, most);
  }
  while (cells_of(shape) < least) *std::ranges::min_element(shape) *= 2;
}

double scale_for_budget(std::span<const job> jobs, double copy_gb_per_s, double budget_s) {
  double bytes = 0;
  for (const job& j : jobs) bytes += static_cast<double>(j.rungs.size()) * passes * field_bytes(j);
  return std::min(1.0, budget_s * copy_gb_per_s * 1e9 / bytes);
}

}  // namespace teff::lab

// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <vector>

#include <teff/base/index.hpp>

#include <bench/host_values.hpp>
#include <bench/naive/diffusion2d.hpp>

namespace teff::bench {

/// The lessons' numbers for a square of 10 by 10 with nx by ny points, written out once more: the
/// solver's must agree.
template <class T>
naive::diffusion2d_numbers<T> diffusion2d_numbers(index_t nx, index_t ny) {
  const double lam = 1, c0 = 2, lx = 10, ly = 10;
  const double dx = lx / static_cast<double>(nx - 1), dy = ly / static_cast<double>(ny - 1);
  const double dt = std::min(dx * dx, dy * dy) / lam / (1 / c0) / 4.1;
  return {static_cast<T>(lam), static_cast<T>(dt), static_cast<T>(1 / dx), static_cast<T>(1 / dy)};
}

/// Start and known field on the host, and what the serial loops make of them. Random, because
/// smooth data would let a wrong neighbour pass: temperatures in [0, 1), 1/c between 1/4 and 1/2 =
/// 1/c0. No value is denormal, and none becomes so: the random boundary stays.
template <class T>
class diffusion2d_reference {
 public:
  diffusion2d_reference(index_t nx, index_t ny)
      : nx_(nx), ny_(ny), numbers_(diffusion2d_numbers<T>(nx, ny)) {
    const auto cells = static_cast<std::size_t>(nx * ny);
    after_[0] = random_values<T>(cells, 5);
    Ci_ = random_values<T>(cells, 6);
    for (T& value : Ci_) value = static_cast<T>(0.25) * (1 + value);
  }

  const std::vector<T>& start() const { return after_.at(0); }
  const std::vector<T>& Ci() const { return Ci_; }
  const naive::diffusion2d_numbers<T>& numbers() const { return numbers_; }

  /// The temperature after so many steps; computed once, from the nearest known one before.
  const std::vector<T>& after(int steps) {
    const auto known = std::prev(after_.upper_bound(steps));
    if (known->first == steps) return known->second;
    std::vector<T> temperature = known->second;
    naive::diffusion2d(temperature, Ci_, static_cast<std::size_t>(nx_),
                       static_cast<std::size_t>(ny_), numbers_, steps - known->first);
    return after_[steps] = std::move(temperature);
  }

  /// A step is a weighted mean of values below 1, so errors do not grow, they add up: the old value
  /// and four fluxes of at most 1/4.1 each, with under 16 roundings, evaluated in whatever order.
  static double tolerance(int steps) {
    return 16.0 * steps * static_cast<double>(std::numeric_limits<T>::epsilon());
  }

 private:
  index_t nx_, ny_;
  naive::diffusion2d_numbers<T> numbers_;
  std::vector<T> Ci_;
  std::map<int, std::vector<T>> after_;  // by the number of steps; 0 is the start
};

}  // namespace teff::bench

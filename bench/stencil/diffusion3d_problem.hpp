// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <teff/expr/fd3.hpp>

#include <bench/naive/diffusion3d.hpp>
#include <bench/stencil/step_case.hpp>

namespace teff::bench {

/// The new temperature of the inner cells, of arrays or of a time step's fields.
template <class F, class K, class T>
auto heated_of(const F& t, const K& Ci, const naive::diffusion3d_numbers<T>& p) {
  using namespace fd3;
  return inn(t) +
         p.dt * (p.lam * inn(Ci) * (d2_xi(t) * p._dx2 + d2_yi(t) * p._dy2 + d2_zi(t) * p._dz2));
}

/// The step of one cell.
template <class T>
struct heat_of_cell3d {
  view<T, 3> next, now, Ci;
  naive::diffusion3d_numbers<T> p;

  TEFF_INLINE void operator()(index_t i, index_t j, index_t k) const {
    if (i == 0 || i == now.extent(0) - 1 || j == 0 || j == now.extent(1) - 1 || k == 0 ||
        k == now.extent(2) - 1)
      return;
    const T here = now(i, j, k);
    const T d2x = (now(i + 1, j, k) - here) - (here - now(i - 1, j, k));
    const T d2y = (now(i, j + 1, k) - here) - (here - now(i, j - 1, k));
    const T d2z = (now(i, j, k + 1) - here) - (here - now(i, j, k - 1));
    next(i, j, k) =
        here + p.dt * (p.lam * Ci(i, j, k) * (d2x * p._dx2 + d2y * p._dy2 + d2z * p._dz2));
  }
};

/// A cube of 10 by 10 by 10; dt is the largest stable step over 6.1 / 6.
template <class T>
class diffusion3d_problem {
 public:
  using value_type = T;
  static constexpr int rank = 3, fields = 2, evolving = 1;

  explicit diffusion3d_problem(const std::vector<index_t>& shape) : shape_(shape) {
    if (*std::ranges::min_element(shape) < 3)
      throw error(failure::usage, "diffusion3d needs at least 3 points along each dim, got " +
                                      lab::shape_text(shape));
    const auto spacing = [&](std::size_t d) { return 10.0 / static_cast<double>(shape[d] - 1); };
    const double dx = spacing(0), dy = spacing(1), dz = spacing(2), lam = 1, c0 = 2;
    const double dt = std::min({dx * dx, dy * dy, dz * dz}) / lam / (1 / c0) / 6.1;
    numbers_ = {static_cast<T>(lam), static_cast<T>(dt), static_cast<T>(1 / (dx * dx)),
                static_cast<T>(1 / (dy * dy)), static_cast<T>(1 / (dz * dz))};
  }
  std::vector<index_t> extents(int) const { return shape_; }
  /// Random, as in diffusion2d: temperatures in [0, 1), 1/c between 1/4 and 1/2.
  std::vector<T> start(int field) const {
    auto values = random_values<T>(n(0) * n(1) * n(2), 7 + static_cast<std::uint64_t>(field));
    if (field == 1)
      for (T& value : values) value = static_cast<T>(0.25) * (1 + value);
    return values;
  }
  auto step() const {
    return timestep(
        [p = numbers_](auto t, auto Ci) { return update(fd3::inn(t), heated_of(t, Ci, p)); });
  }
  void advance(std::vector<std::vector<T>>& values, int steps) const {
    std::vector<T> next(values[0].size());
    for (int step = 0; step < steps; ++step) {
      naive::diffusion3d_step(next, values[0], values[1], n(0), n(1), n(2), numbers_);
      values[0].swap(next);
    }
  }
  /// A step is a weighted mean of values below 1, with under 32 roundings, in whatever order.
  double tolerance(int steps) const {
    return 32.0 * steps * static_cast<double>(std::numeric_limits<T>::epsilon());
  }

  // From one array to another.
  static array_ref<T, 3> inner(const array<T, 3>& a) { return fd3::inn(a); }
  auto heated(const array<T, 3>& t, const array<T, 3>& Ci) const {
    return heated_of(t, Ci, numbers_);
  }
  auto step_of_cell(const array<T, 3>& next, const array<T, 3>& now, const array<T, 3>& Ci) const {
    return heat_of_cell3d<T>{next.view(), now.view(), Ci.view(), numbers_};
  }
  std::unique_ptr<lab::experiment> make(step_fields<diffusion3d_problem>& fields,
                                        const std::string& variant, const lab::tuning&) const;

 private:
  std::size_t n(std::size_t dim) const { return static_cast<std::size_t>(shape_[dim]); }

  std::vector<index_t> shape_;
  naive::diffusion3d_numbers<T> numbers_;
};

}  // namespace teff::bench

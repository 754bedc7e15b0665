// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <teff/solver/diffusion.hpp>

#include <bench/naive/diffusion2d.hpp>
#include <bench/stencil/step_case.hpp>

namespace teff::bench {

/// The step of one cell. (A function object: nvcc lets the CPU call a lambda through a pointer
/// only.)
template <class T>
struct heat_of_cell2d {
  view<T, 2> next, now, Ci;
  T lam, dt, _dx, _dy;

  TEFF_INLINE void operator()(index_t ix, index_t iy) const {
    if (ix == 0 || ix == now.extent(0) - 1 || iy == 0 || iy == now.extent(1) - 1) return;
    const T here = now(ix, iy);
    next(ix, iy) =
        here +
        dt *
            (Ci(ix, iy) *
             (-((-lam * (now(ix + 1, iy) - here) * _dx) - (-lam * (here - now(ix - 1, iy)) * _dx)) *
                  _dx -
              ((-lam * (now(ix, iy + 1) - here) * _dy) - (-lam * (here - now(ix, iy - 1)) * _dy)) *
                  _dy));
  }
};

/// The lessons' numbers for a square of 10 by 10. The fields are random, because smooth data would
/// let a wrong neighbour pass: temperatures in [0, 1), 1/c between 1/4 and 1/2 = 1/c0. No value is
/// denormal, and none becomes so: the random boundary stays.
template <class T>
class diffusion2d_problem {
 public:
  using value_type = T;
  static constexpr int rank = 2, fields = 2, evolving = 1;

  explicit diffusion2d_problem(const std::vector<index_t>& shape) : shape_(shape) {
    check_points("diffusion2d", shape.data(), 2);
    const double lam = 1, c0 = 2, dx = 10 / static_cast<double>(shape[0] - 1),
                 dy = 10 / static_cast<double>(shape[1] - 1);
    const double dt = std::min(dx * dx, dy * dy) / lam / (1 / c0) / 4.1;
    numbers_ = {static_cast<T>(lam), static_cast<T>(dt), static_cast<T>(1 / dx),
                static_cast<T>(1 / dy)};
  }
  std::vector<index_t> extents(int) const { return shape_; }
  std::vector<T> start(int field) const {
    auto values = random_values<T>(nx() * ny(), 5 + static_cast<std::uint64_t>(field));
    if (field == 1)
      for (T& value : values) value = static_cast<T>(0.25) * (1 + value);
    return values;
  }
  const naive::diffusion2d_numbers<T>& numbers() const { return numbers_; }
  auto step() const {
    const auto& [lam, dt, _dx, _dy] = numbers_;
    return diffusion::step2d(lam, dt, _dx, _dy);
  }
  void advance(std::vector<std::vector<T>>& values, int steps) const {
    naive::diffusion2d(values[0], values[1], nx(), ny(), numbers_, steps);
  }
  /// A step is a weighted mean of values below 1, so errors do not grow, they add up: the old value
  /// and four fluxes of at most 1/4.1 each, with under 16 roundings, evaluated in whatever order.
  double tolerance(int steps) const {
    return 16.0 * steps * static_cast<double>(std::numeric_limits<T>::epsilon());
  }

  // From one array to another.
  static array_ref<T, 2> inner(const array<T, 2>& a) { return fd2::inn(a); }
  auto heated(const array<T, 2>& t, const array<T, 2>& Ci) const {
    using namespace fd2;
    const auto& [lam, dt, _dx, _dy] = numbers_;
    auto qx = -lam * d_xi(t) * _dx;
    auto qy = -lam * d_yi(t) * _dy;
    auto dTdt = inn(Ci) * (-d_xa(qx) * _dx - d_ya(qy) * _dy);
    return inn(t) + dt * dTdt;
  }
  auto step_of_cell(const array<T, 2>& next, const array<T, 2>& now, const array<T, 2>& Ci) const {
    const auto& [lam, dt, _dx, _dy] = numbers_;
    return heat_of_cell2d<T>{next.view(), now.view(), Ci.view(), lam, dt, _dx, _dy};
  }
  std::unique_ptr<lab::experiment> make(step_fields<diffusion2d_problem>& fields,
                                        const std::string& variant, const lab::tuning& how) const;

 private:
  std::size_t nx() const { return static_cast<std::size_t>(shape_[0]); }
  std::size_t ny() const { return static_cast<std::size_t>(shape_[1]); }

  std::vector<index_t> shape_;
  naive::diffusion2d_numbers<T> numbers_;
};

/// The variant `factored`: another formula, so a file of its own.
template <class T>
std::unique_ptr<lab::experiment> make_factored_heat(step_fields<diffusion2d_problem<T>>& fields,
                                                    int depth);

}  // namespace teff::bench

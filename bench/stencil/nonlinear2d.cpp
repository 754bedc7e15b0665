// SPDX-License-Identifier: MIT
#include <algorithm>
#include <limits>
#include <optional>

#include <teff/kernel/launch.hpp>
#include <teff/solver/nonlinear_diffusion.hpp>

#include <bench/naive/nonlinear2d.hpp>
#include <bench/stencil/nonlinear2d.hpp>
#include <bench/stencil/step_case.hpp>

namespace teff::bench {

namespace {

/// The step of one point. The border keeps its temperature.
template <class T>
struct nonlinear_step_of_point {
  view<T, 2> next, now;
  naive::nonlinear2d_numbers<T> p;

  static TEFF_INLINE T flux(T here, T next, T _d) {
    return -((1 + here * here + (1 + next * next)) / 2) * (next - here) * _d;
  }
  TEFF_INLINE void operator()(index_t ix, index_t iy) const {
    const T here = now(ix, iy);
    if (ix == 0 || ix == now.extent(0) - 1 || iy == 0 || iy == now.extent(1) - 1) {
      next(ix, iy) = here;
      return;
    }
    const T dqx = flux(here, now(ix + 1, iy), p._dx) - flux(now(ix - 1, iy), here, p._dx);
    const T dqy = flux(here, now(ix, iy + 1), p._dy) - flux(now(ix, iy - 1), here, p._dy);
    next(ix, iy) = here + p.dt * (-dqx * p._dx - dqy * p._dy);
  }
};

/// A square of 10 by 10, temperatures in [0, 1), so conductivities of 1 to 2.
template <class T>
class nonlinear_problem {
 public:
  using value_type = T;
  static constexpr int rank = 2, fields = 1, evolving = 1;

  explicit nonlinear_problem(const std::vector<index_t>& shape) : shape_(shape) {
    if (std::min(shape[0], shape[1]) < 3)
      throw error(failure::usage, "nonlinear2d needs at least 3 points along each dim, got " +
                                      lab::shape_text(shape));
    const double dx = 10 / static_cast<double>(shape[0] - 1),
                 dy = 10 / static_cast<double>(shape[1] - 1), most_lam = 2;
    const double dt = std::min(dx * dx, dy * dy) / most_lam / 4.1;
    numbers_ = {static_cast<T>(dt), static_cast<T>(1 / dx), static_cast<T>(1 / dy)};
  }
  std::vector<index_t> extents(int) const { return shape_; }
  std::vector<T> start(int) const { return random_values<T>(nx() * ny(), 15); }
  auto step() const {
    const auto& [dt, _dx, _dy] = numbers_;
    return diffusion::nonlinear2d(diffusion::one_plus_square{}, dt, _dx, _dy);
  }
  static constexpr double launched_per_a_eff = 1;
  void launch_step(const stream& on, array<T, 2>& now) {
    if (!next_) next_.emplace(on, now.shape(), "T2");
    launch(on, now.shape(), nonlinear_step_of_point<T>{next_->view(), now.view(), numbers_});
    swap(now, *next_);
  }
  void advance(std::vector<std::vector<T>>& values, int steps) const {
    if (values.size() == fields) values.push_back(values[0]);  // where a step writes
    naive::nonlinear2d(values[0], values[1], nx(), ny(), numbers_, steps);
  }
  /// Temperatures stay in [0, 1), and diffusion damps errors as it damps them; under 32 roundings a
  /// step.
  double tolerance(int steps) const {
    return 32.0 * steps * static_cast<double>(std::numeric_limits<T>::epsilon());
  }

 private:
  std::size_t nx() const { return static_cast<std::size_t>(shape_[0]); }
  std::size_t ny() const { return static_cast<std::size_t>(shape_[1]); }

  std::vector<index_t> shape_;
  naive::nonlinear2d_numbers<T> numbers_;
  std::optional<array<T, 2>> next_;  // of the kernel
};

std::vector<lab::variant> nonlinear_variants() {
  return {
      loop_variant("where one begins: one loop over the points, from T to T2"),
      {.name = "kernel",
       .about = "a launch with one cell a thread, from T to T2",
       .gain = "the step written by hand, a cell a thread: what the formula is to reach without it",
       .cpu_gain = "the same loop, launched: the step of a cell as a function object"},
      stepwise_rung(),
      temporal_rung(),
      resident_variant()};
}

}  // namespace

lab::bench_case nonlinear2d_case() {
  return {.name = "nonlinear2d",
          .about = "2-D heat diffusion whose conductivity depends on the temperature",
          .axes = "a shape of two extents",
          .types = {"f64", "f32"},
          .least_rank = 2,
          .most_rank = 2,
          .cpu_shape = {8192, 8192},
          .cuda_shape = {16384, 16384},
          .small_shape = {511, 511},
          .arrays = 8,
          .best = "temporal",
          .is_in_lab = false,
          .variants = nonlinear_variants(),
          .prepare = prepare_steps<nonlinear_problem>};
}

}  // namespace teff::bench

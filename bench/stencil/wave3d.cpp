// SPDX-License-Identifier: MIT
#include <algorithm>
#include <numbers>

#include <teff/solver/wave.hpp>

#include <bench/naive/wave3d.hpp>
#include <bench/stencil/staggered_problem.hpp>
#include <bench/stencil/step_case.hpp>
#include <bench/stencil/wave3d.hpp>

namespace teff::bench {

namespace {

/// Sound at 0.9 of the stability limit in a cube of 10 by 10 by 10.
template <class T>
class wave3d_problem : public staggered_problem<T, 3> {
 public:
  explicit wave3d_problem(const std::vector<index_t>& shape) : staggered_problem<T, 3>(shape) {
    const auto spacing = [&](std::size_t dim) { return 10 / static_cast<double>(shape[dim]); };
    const double dx = spacing(0), dy = spacing(1), dz = spacing(2);
    numbers_ = {T(1),
                T(1),
                static_cast<T>(0.9 * std::min({dx, dy, dz}) / std::numbers::sqrt3),
                static_cast<T>(dx),
                static_cast<T>(dy),
                static_cast<T>(dz)};
  }
  auto step() const {
    const auto& [rho, K, dt, dx, dy, dz] = numbers_;
    return wave::in3d::step(rho, K, dt, dx, dy, dz);
  }
  void advance(std::vector<std::vector<T>>& f, int steps) const {
    naive::wave3d(f[0], f[1], f[2], f[3], this->n(0), this->n(1), this->n(2), numbers_, steps);
  }

 private:
  naive::wave3d_numbers<T> numbers_;
};

std::vector<lab::variant> wave3d_variants() {
  return {loop_variant("where one begins: a loop for each unknown, four passes over memory a step"),
          stepwise_stages_rung(), fused_variant(), temporal_stages_rung()};
}

}  // namespace

lab::bench_case wave3d_case() {
  return {.name = "wave3d",
          .about = "3-D sound: pressure and velocities, four stages a step",
          .axes = "a shape of three extents, in cells",
          .types = {"f64", "f32"},
          .least_rank = 3,
          .most_rank = 3,
          .cpu_shape = {319, 319, 319},
          .cuda_shape = {511, 511, 511},
          .sweep_less = 1,
          .arrays = 19,
          .best = "fused",
          .is_in_lab = false,
          .variants = wave3d_variants(),
          .prepare = prepare_steps<wave3d_problem>};
}

}  // namespace teff::bench

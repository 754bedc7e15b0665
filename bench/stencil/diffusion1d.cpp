// SPDX-License-Identifier: MIT
#include <limits>

#include <teff/solver/diffusion.hpp>

#include <bench/naive/diffusion1d.hpp>
#include <bench/stencil/diffusion1d.hpp>
#include <bench/stencil/step_case.hpp>

namespace teff::bench {

namespace {

/// An interval of 10; dt is the largest stable step over 2.1 / 2.
template <class T>
class diffusion1d_problem {
 public:
  using value_type = T;
  static constexpr int rank = 1, fields = 2, evolving = 1;

  explicit diffusion1d_problem(const std::vector<index_t>& shape) : shape_(shape) {
    if (shape[0] < 3)
      throw error(failure::usage,
                  "diffusion1d needs at least 3 points, got " + lab::shape_text(shape));
    const double lam = 1, c0 = 2, dx = 10 / static_cast<double>(shape[0] - 1);
    const double dt = dx * dx / lam / (1 / c0) / 2.1;
    numbers_ = {static_cast<T>(lam), static_cast<T>(dt), static_cast<T>(1 / dx)};
  }
  std::vector<index_t> extents(int) const { return shape_; }
  /// Temperatures in [0, 1), 1/c between 1/4 and 1/2.
  std::vector<T> start(int field) const {
    auto values = random_values<T>(static_cast<std::size_t>(shape_[0]),
                                   16 + static_cast<std::uint64_t>(field));
    if (field == 1)
      for (T& value : values) value = static_cast<T>(0.25) * (1 + value);
    return values;
  }
  auto step() const {
    const auto& [lam, dt, _dx] = numbers_;
    return diffusion::step1d(lam, dt, _dx);
  }
  void advance(std::vector<std::vector<T>>& values, int steps) const {
    if (values.size() == fields) values.push_back(values[0]);  // where a step writes
    naive::diffusion1d(values[0], values[2], values[1], numbers_, steps);
  }
  /// A step is a weighted mean of values below 1, with under 16 roundings, in whatever order.
  double tolerance(int steps) const {
    return 16.0 * steps * static_cast<double>(std::numeric_limits<T>::epsilon());
  }

 private:
  std::vector<index_t> shape_;
  naive::diffusion1d_numbers<T> numbers_;
};

std::vector<lab::variant> diffusion1d_variants() {
  lab::variant temporal = temporal_rung();
  temporal.runs = lab::place::cpu;  // a GPU takes one step per pass of fields in 1-D
  return {loop_variant("where one begins: one loop over the points, from T to T2"), stepwise_rung(),
          temporal};
}

}  // namespace

lab::bench_case diffusion1d_case() {
  return {.name = "diffusion1d",
          .about = "1-D heat diffusion with a coefficient by cell",
          .axes = "a shape of one extent",
          .types = {"f64", "f32"},
          .least_rank = 1,
          .most_rank = 1,
          .cpu_shape = {index_t{1} << 26},
          .cuda_shape = {index_t{1} << 28},
          .arrays = 8,
          .best = "stepwise",
          .is_in_lab = false,
          .variants = diffusion1d_variants(),
          .prepare = prepare_steps<diffusion1d_problem>};
}

}  // namespace teff::bench

// SPDX-License-Identifier: MIT
#include <algorithm>
#include <limits>

#include <bench/naive/star3d.hpp>
#include <bench/stencil/star3d.hpp>
#include <bench/stencil/step_case.hpp>

namespace teff::bench {

namespace {

template <class T>
class star3d_problem {
  /// Weights whose sum is 1, so that values stay between the smallest and the largest.
  static constexpr T centre = T(0.25), face = T(0.125);

 public:
  using value_type = T;
  static constexpr int rank = 3, fields = 1, evolving = 1;

  explicit star3d_problem(const std::vector<index_t>& shape) : shape_(shape) {
    if (*std::ranges::min_element(shape) < 3)
      throw error(failure::usage,
                  "star3d needs at least 3 points along each dim, got " + lab::shape_text(shape));
  }
  std::vector<index_t> extents(int) const { return shape_; }
  std::vector<T> start(int) const {
    return random_values<T>(static_cast<std::size_t>(shape_[0] * shape_[1] * shape_[2]), 9);
  }
  auto step() const {
    return timestep([](auto U) {
      const auto u = around<1>(U);
      const auto faces = at<-1, 0, 0>(u) + at<1, 0, 0>(u) + at<0, -1, 0>(u) + at<0, 1, 0>(u) +
                         at<0, 0, -1>(u) + at<0, 0, 1>(u);
      return update(u(), centre * u() + face * faces);
    });
  }
  void advance(std::vector<std::vector<T>>& values, int steps) const {
    naive::star3d(values[0], static_cast<std::size_t>(shape_[0]),
                  static_cast<std::size_t>(shape_[1]), static_cast<std::size_t>(shape_[2]), centre,
                  face, steps);
  }
  /// A step is a weighted mean of values below 1, with under 10 roundings.
  double tolerance(int steps) const {
    return 10.0 * steps * static_cast<double>(std::numeric_limits<T>::epsilon());
  }

 private:
  std::vector<index_t> shape_;
};

}  // namespace

lab::bench_case star3d_case() {
  return {.name = "star3d",
          .about = "3-D step of 7 points with constant coefficients",
          .axes = "a shape of three extents",
          .types = {"f64", "f32"},
          .least_rank = 3,
          .most_rank = 3,
          .cpu_shape = {384, 384, 384},
          .cuda_shape = {512, 512, 512},
          .arrays = 6,
          .best = "temporal",
          .variants = step_variants(),
          .prepare = [](const lab::setting& where) {
            return for_type<f64, f32>(where.type, [&](auto example) {
              return make_prepared<step_fields<star3d_problem<decltype(example)>>>(where);
            });
          }};
}

}  // namespace teff::bench

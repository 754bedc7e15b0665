// SPDX-License-Identifier: MIT
#include <limits>

#include <teff/expr/fd2.hpp>

#include <bench/naive/constant2d.hpp>
#include <bench/stencil/constant2d.hpp>
#include <bench/stencil/step_case.hpp>

namespace teff::bench {

namespace {

/// Weights whose sum is 1, so that values stay between the smallest and the largest.
template <class T>
constexpr naive::constant2d_weights<T> star_weights{T(0.5), T(0.125), T(0)};
template <class T>
constexpr naive::constant2d_weights<T> box_weights{T(0.25), T(0.125), T(0.0625)};

template <class T, bool HasCorners>
class constant2d_problem {
 public:
  using value_type = T;
  static constexpr int rank = 2, fields = 1, evolving = 1;

  explicit constant2d_problem(const std::vector<index_t>& shape) : shape_(shape) {
    if (shape[0] < 3 || shape[1] < 3)
      throw error(failure::usage, "this step needs at least 3 points along each dim, got " +
                                      lab::shape_text(shape));
  }
  std::vector<index_t> extents(int) const { return shape_; }
  std::vector<T> start(int) const {
    return random_values<T>(static_cast<std::size_t>(shape_[0] * shape_[1]), 9);
  }

  auto step() const {
    return timestep([](auto U) {
      const auto u = around<1>(U);
      const auto faces = at<-1, 0>(u) + at<1, 0>(u) + at<0, -1>(u) + at<0, 1>(u);
      if constexpr (HasCorners) {
        constexpr auto w = box_weights<T>;
        const auto corners = at<-1, -1>(u) + at<1, -1>(u) + at<-1, 1>(u) + at<1, 1>(u);
        return update(u(), w.centre * u() + w.face * faces + w.corner * corners);
      } else {
        constexpr auto w = star_weights<T>;
        return update(u(), w.centre * u() + w.face * faces);
      }
    });
  }
  void advance(std::vector<std::vector<T>>& values, int steps) const {
    naive::constant2d(values[0], static_cast<std::size_t>(shape_[0]),
                      static_cast<std::size_t>(shape_[1]),
                      HasCorners ? box_weights<T> : star_weights<T>, steps);
  }
  /// A step is a weighted mean of values below 1, with under 12 roundings.
  double tolerance(int steps) const {
    return 12.0 * steps * static_cast<double>(std::numeric_limits<T>::epsilon());
  }

 private:
  std::vector<index_t> shape_;
};

template <bool HasCorners>
std::unique_ptr<lab::prepared_case> prepare_constant2d(const lab::setting& where) {
  return for_type<f64, f32>(where.type, [&](auto example) {
    return make_prepared<step_fields<constant2d_problem<decltype(example), HasCorners>>>(where);
  });
}

lab::bench_case constant2d_case(std::string name, std::string about) {
  return {.name = std::move(name),
          .about = std::move(about),
          .axes = "a shape of two extents",
          .types = {"f64", "f32"},
          .least_rank = 2,
          .most_rank = 2,
          .cpu_shape = {8192, 8192},
          .cuda_shape = {16384, 16384},
          .arrays = 6,
          .best = "temporal",
          .variants = step_variants()};
}

}  // namespace

lab::bench_case star2d_case() {
  lab::bench_case c = constant2d_case("star2d", "2-D step of 5 points with constant coefficients");
  c.prepare = prepare_constant2d<false>;
  return c;
}
lab::bench_case box2d_case() {
  lab::bench_case c = constant2d_case("box2d", "2-D step of 9 points with constant coefficients");
  c.prepare = prepare_constant2d<true>;
  return c;
}

}  // namespace teff::bench

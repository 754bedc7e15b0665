// SPDX-License-Identifier: MIT
#include <cmath>
#include <functional>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <teff/algo/fill.hpp>
#include <teff/expr/functions.hpp>
#include <teff/kernel/launch.hpp>

#include <bench/compare_cells.hpp>
#include <bench/expr/julia_set.hpp>
#include <bench/for_type.hpp>
#include <bench/host_values.hpp>
#include <bench/naive/julia_set.hpp>

namespace teff::bench {

namespace {

constexpr int most_steps = 250;  // the poison is none of them

/// Steps from the middle of pixel (i, j), as the oracle says: with the same fused operations.
template <class T>
struct steps_to_leave {
  static constexpr double flop_per_step = 10;
  T width, height;

  TEFF_INLINE u8 operator()(index_t i, index_t j) const {
    T x = std::fma(static_cast<T>(i) + T{0.5}, width, T{-2});
    T y = std::fma(static_cast<T>(j) + T{0.5}, height, T{-2});
    int n = 0;
    for (; n < most_steps && std::fma(x, x, y * y) <= T{4}; ++n) {
      const T next = std::fma(x, x, -std::fma(y, y, static_cast<T>(0.79)));
      y = std::fma(T{2} * x, y, static_cast<T>(0.15));
      x = next;
    }
    return static_cast<u8>(n);
  }
};

/// The same for a launch.
template <class T>
struct store_steps {
  view<u8, 2> image;
  steps_to_leave<T> steps;
  TEFF_INLINE void operator()(index_t i, index_t j) const { image(i, j) = steps(i, j); }
};

/// The image, and what it must show. The type of the case is that of the points.
template <class T>
class julia_image : public lab::prepared_case {
 public:
  explicit julia_image(const lab::setting& where)
      : on_(where.dev),
        image_(on_, {where.shape[0], where.shape[1]}, "image"),
        steps_{T{4} / static_cast<T>(where.shape[0]), T{4} / static_cast<T>(where.shape[1])},
        expected_(static_cast<std::size_t>(image_.size())),
        comparer_(on_) {
    naive::julia_set<T>(expected_, static_cast<std::size_t>(image_.extent(0)),
                        static_cast<std::size_t>(image_.extent(1)), most_steps);
  }

  stream on() const override { return on_; }
  std::unique_ptr<lab::experiment> make(const std::string& variant,
                                        const lab::tuning& how) override;

  const array<u8, 2>& image() const { return image_; }
  const steps_to_leave<T>& steps() const { return steps_; }
  void poison_target() { fill(image_, poison<u8>()); }
  lab::check_result check() {
    return comparer_.compare(image_.data(), expected_, 0, {image_.extent(0), image_.extent(1)});
  }
  lab::workload work() const {
    traffic moved = traffic_of(image_, map(steps_, ix, iy));
    moved.flop =
        std::accumulate(expected_.begin(), expected_.end(), 0.0) * steps_to_leave<T>::flop_per_step;
    return {moved, moved.a_eff_bytes(), 1, 1};
  }

 private:
  stream on_;
  array<u8, 2> image_;
  steps_to_leave<T> steps_;
  std::vector<u8> expected_;
  cell_comparer comparer_;
};

template <class T>
class julia_experiment : public lab::experiment {
 public:
  julia_experiment(julia_image<T>& of, std::function<void()> run) : of_(of), run_(std::move(run)) {}
  void reset() override { of_.poison_target(); }
  void run() override { run_(); }
  lab::check_result check() override { return of_.check(); }
  lab::workload work() const override { return of_.work(); }

 private:
  julia_image<T>& of_;
  std::function<void()> run_;
};

template <class T>
std::unique_ptr<lab::experiment> julia_image<T>::make(const std::string& variant,
                                                      const lab::tuning&) {
  const auto as = [&](std::function<void()> run) {
    return std::make_unique<julia_experiment<T>>(*this, std::move(run));
  };
  if (variant == "kernel")
    return as([this] { launch(on_, image_.shape(), store_steps<T>{image_.view(), steps_}); });
  if (variant == "statement") return as([this] { image_ = map(steps_, ix, iy); });
  throw error("no variant '" + variant + "' of julia_set");
}

std::unique_ptr<lab::prepared_case> prepare_julia_set(const lab::setting& where) {
  return for_type<f32, f64>(where.type, [&](auto example) {
    return make_prepared<julia_image<decltype(example)>>(where);
  });
}

}  // namespace

lab::bench_case julia_set_case() {
  return {
      .name = "julia_set",
      .about = "a byte and about a hundred operations a cell: the contrast, limited by arithmetic",
      .axes = "a shape of two extents, pixels of the image",
      .types = {"f32", "f64"},
      .least_rank = 2,
      .most_rank = 2,
      .cpu_shape = {2048, 2048},
      .cuda_shape = {8192, 8192},
      .arrays = 1,
      .moved_arrays = 0,
      .best = "statement",
      .variants = {{"kernel", "a launch with one pixel a thread"},
                   {"statement", "the array statement image = map(f, ix, iy)"}},
      .prepare = prepare_julia_set};
}

}  // namespace teff::bench

// SPDX-License-Identifier: MIT
#include <algorithm>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <teff/algo/fill.hpp>
#include <teff/array/host_copy.hpp>
#include <teff/base/error.hpp>
#include <teff/solver/second_derivative.hpp>

#include <bench/compare_cells.hpp>
#include <bench/for_type.hpp>
#include <bench/host_values.hpp>
#include <bench/naive/second_derivative.hpp>
#include <bench/solver/second_derivative.hpp>
#include <bench/solver/second_derivative_rungs.hpp>

namespace teff::bench {

namespace {

const char* const names[] = {"d2x", "d2y"};

/// Not a power of 2, so that 1/h^2 is rounded as a user's is.
constexpr double spacing = 0.1;

/// u and y = d2u/dx2 (Dim 0) or d2u/dy2 (Dim 1), and what y must hold.
template <class T, int Dim>
class derivative_arrays : public lab::prepared_case {
 public:
  explicit derivative_arrays(const lab::setting& where)
      : on_(where.dev),
        u_(on_, {where.shape[0], where.shape[1]}, "u"),
        y_(on_, {where.shape[0], where.shape[1]}, "y"),
        comparer_(on_) {
    const auto u = random_values<T>(static_cast<std::size_t>(u_.size()), 12);
    u_ = from_host(u);
    expected_ = naive::second_derivative(u, static_cast<std::size_t>(u_.extent(0)),
                                         static_cast<std::size_t>(u_.extent(1)), Dim, _h2());
  }

  stream on() const override { return on_; }
  std::unique_ptr<lab::experiment> make(const std::string& variant,
                                        const lab::tuning& how) override;

  const array<T, 2>& u() const { return u_; }
  const array<T, 2>& y() const { return y_; }
  T _h2() const { return static_cast<T>(1 / (spacing * spacing)); }

  void poison_target() { fill(y_, poison<T>()); }
  /// The values of u are below 1, so second differences and what they are summed up from are below
  /// 2: two roundings of them and that of the product, each of at most 2/h^2 * epsilon/2, in the
  /// result and in the reference.
  lab::check_result check() {
    const double tolerance =
        2 * 3 * static_cast<double>(_h2()) * static_cast<double>(std::numeric_limits<T>::epsilon());
    return comparer_.compare(y_.data(), expected_, tolerance, {y_.extent(0), y_.extent(1)});
  }
  /// One array read, one written; three operations for a second difference, one for 1/h^2.
  traffic ideal() const {
    const auto cells = static_cast<double>(y_.size());
    return {.read_bytes = static_cast<double>(bytes(u_)),
            .write_bytes = static_cast<double>(bytes(y_)),
            .flop = 4 * cells,
            .cells = cells};
  }

 private:
  stream on_;
  array<T, 2> u_, y_;
  std::vector<T> expected_;
  cell_comparer comparer_;
};

template <class T, int Dim>
class derivative_experiment : public lab::experiment {
 public:
  derivative_experiment(derivative_arrays<T, Dim>& arrays, std::function<void()> run)
      : arrays_(arrays), run_(std::move(run)) {}
  void reset() override { arrays_.poison_target(); }
  void run() override { run_(); }
  lab::check_result check() override { return arrays_.check(); }
  lab::workload work() const override {
    const traffic ideal = arrays_.ideal();
    return {ideal, ideal.a_eff_bytes(), 1, 1};
  }

 private:
  derivative_arrays<T, Dim>& arrays_;
  std::function<void()> run_;
};

template <class T, int Dim>
std::unique_ptr<lab::experiment> derivative_arrays<T, Dim>::make(const std::string& variant,
                                                                 const lab::tuning&) {
  const auto experiment = [&](std::function<void()> run) {
    return std::make_unique<derivative_experiment<T, Dim>>(*this, std::move(run));
  };
  if (variant == "loop")
    return experiment([this] { launch_derivative<loop_over_rows, Dim>(y_, u_, _h2()); });
  if (variant == "flat")
    return experiment([this] { launch_derivative<flat_index, Dim>(y_, u_, _h2()); });
  if (variant == "statement")
    return experiment([this] {
      if constexpr (Dim == 0)
        d2x(y_, u_, spacing);
      else
        d2y(y_, u_, spacing);
    });
  throw error("no variant '" + variant + "' of " + names[Dim]);
}

template <int Dim>
std::unique_ptr<lab::prepared_case> prepare_derivative(const lab::setting& where) {
  if (*std::ranges::min_element(where.shape) < 3)
    throw error(failure::usage, std::string(names[Dim]) +
                                    " needs at least 3 points along each dim, got " +
                                    lab::shape_text(where.shape));
  return for_type<f64, f32>(where.type, [&](auto example) {
    return make_prepared<derivative_arrays<decltype(example), Dim>>(where);
  });
}

/// What d2x and d2y share.
lab::bench_case derivative_case(std::string about, std::vector<lab::variant> rungs) {
  return {.about = std::move(about),
          .axes = "a shape of two extents",
          .types = {"f64", "f32"},
          .least_rank = 2,
          .most_rank = 2,
          .cpu_shape = {8192, 8192},
          .cuda_shape = {16385, 16385},
          .small_shape = {512, 512},
          .arrays = 4,  // u and y, and on a CPU beside them what they start from and must become
          .best = "statement",
          .variants = std::move(rungs)};
}

/// A figure of the lesson's testers: of its D2x or D2y in vectors with y contiguous, whereas here x
/// is. It prints no kernel of D2x, and its figure for the first one leaves no room for a loop.
std::string lesson(const char* throughput) {
  return std::string(throughput) + " GB/s (2000x2000 f64, y contiguous, GTX 1660 Ti)";
}

lab::variant loop_rung(std::string figure) {
  return {.name = "loop",
          .about = "one thread a cell goes over all rows and tests whether its cell is in one",
          .gain =
              "is right, but a thread makes a test for every row to find the one that its cell "
              "is in: the more rows, the slower, whatever memory can do",
          .cpu_gain =
              "is right, but makes a test for every row at each cell: the cores compare "
              "numbers while memory waits",
          .lesson = std::move(figure),
          .takes_small = true,
          .is_for_ladder_only = true};
}

}  // namespace

lab::bench_case d2x_case() {
  lab::bench_case result = derivative_case(
      "y = d2u/dx2, one-sided at the border: neighbours lie side by side in memory",
      {loop_rung(""),
       {.name = "flat",
        .about = "one thread a cell, whose place in its row is the remainder of a division",
        .gain = "one division instead of a test for every row, then three loads and a store: each "
                "cell comes from memory once, its neighbours find it in the cache",
        .cpu_gain = "one division instead of a test for every row; but a core divides one cell at "
                    "a time, so memory is not the limit",
        .lesson = lesson("89.9")},
       {.name = "statement",
        .about = "d2x(y, u, h): one statement over the inner points, which serves the border, too",
        .gain =
            "no division: the threads of the outermost inner points store theirs twice; several "
            "cells a thread, so more loads are on their way",
        .cpu_gain = "no division and no branch, as the border is copied afterwards: SIMD loops, "
                    "stored past the caches, so that y is not read first"}});
  result.name = "d2x";
  result.prepare = prepare_derivative<0>;
  return result;
}

lab::bench_case d2y_case() {
  lab::bench_case result = derivative_case(
      "y = d2u/dy2, one-sided at the border: neighbours lie a row apart in memory",
      {loop_rung(lesson("1.20")),
       {.name = "flat",
        .about = "one thread a cell, which compares its number with the first and last row's",
        .gain = "two comparisons instead of a test for every row, then three loads and a store: "
                "each row comes from memory once, for the rows beside it the cache has it",
        .cpu_gain = "two comparisons instead of a test for every row: memory is the limit, and y "
                    "is read before it is overwritten",
        .lesson = lesson("102.8")},
       {.name = "statement",
        .about = "d2y(y, u, h): one statement over the inner points, which serves the border, too",
        .gain = "several rows a thread: a cell that is loaded serves all of them that need it, and "
                "more loads are on their way",
        .cpu_gain = "no branch, as the border is copied afterwards: SIMD loops, stored past the "
                    "caches, so that y is not read first"}});
  result.name = "d2y";
  result.prepare = prepare_derivative<1>;
  return result;
}

}  // namespace teff::bench

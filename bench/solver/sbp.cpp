// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <teff/algo/fill.hpp>
#include <teff/array/host_copy.hpp>
#include <teff/base/error.hpp>
#include <teff/solver/sbp.hpp>

#include <bench/compare_cells.hpp>
#include <bench/for_type.hpp>
#include <bench/host_values.hpp>
#include <bench/naive/sbp.hpp>
#include <bench/solver/sbp.hpp>

namespace teff::bench {

namespace {

/// Not a power of 2, so that 1/h is rounded as a user's is.
constexpr double spacing = 0.1;

/// A derivative by its name: d1x-2, d2x-4, d2y-6.
struct derivative_name {
  int degree, dim, order;
  explicit derivative_name(const std::string& variant)
      : degree(variant[1] - '0'), dim(variant[2] - 'x'), order(variant[4] - '0') {}
};

/// Of an order, as the library has them.
naive::end_rows end_rows_of(const derivative_name& which) {
  const runtime::sbp_layout at = runtime::sbp_layout_of(which.order);
  const std::vector<double> all = runtime::sbp_weights(which.order);
  const auto first = all.begin() + (which.degree == 1 ? at.first : at.second);
  return {{first, first + at.rows * at.columns},
          static_cast<std::size_t>(at.rows),
          static_cast<std::size_t>(at.columns)};
}

/// u, and y, which becomes one of its derivatives.
template <class T>
class sbp_arrays : public lab::prepared_case {
 public:
  explicit sbp_arrays(const lab::setting& where)
      : on_(where.dev),
        u_(on_, {where.shape[0], where.shape[1]}, "u"),
        y_(on_, {where.shape[0], where.shape[1]}, "y"),
        values_(random_values<T>(static_cast<std::size_t>(u_.size()), 12)),
        comparer_(on_) {
    u_ = from_host(values_);
  }

  stream on() const override { return on_; }
  std::unique_ptr<lab::experiment> make(const std::string& variant,
                                        const lab::tuning& how) override;

  const array<T, 2>& u() const { return u_; }
  const array<T, 2>& y() const { return y_; }

  /// The values of u are below 1, the weights of a row below 8 in all, and there are 9 at most.
  lab::check_result check(const derivative_name& which) {
    const auto expected = naive::sbp_derivative(
        values_, static_cast<std::size_t>(u_.extent(0)), static_cast<std::size_t>(u_.extent(1)),
        which.dim, which.order, which.degree, end_rows_of(which), spacing);
    const double scale = std::pow(spacing, -which.degree);
    return comparer_.compare(
        y_.data(), expected,
        2 * 10 * 8 * scale * static_cast<double>(std::numeric_limits<T>::epsilon()),
        {y_.extent(0), y_.extent(1)});
  }

 private:
  stream on_;
  array<T, 2> u_, y_;
  std::vector<T> values_;
  cell_comparer comparer_;
};

template <class T, int Order>
class sbp_experiment : public lab::experiment {
 public:
  sbp_experiment(sbp_arrays<T>& arrays, const derivative_name& which)
      : arrays_(arrays),
        which_(which),
        operators_(arrays.on(), arrays.u().shape(), {spacing, spacing}) {}
  void reset() override { fill(arrays_.y(), poison<T>()); }
  void run() override {
    with_derivative([&](const auto& e) { assign(arrays_.y(), e); });
  }
  lab::check_result check() override { return arrays_.check(which_); }
  /// One array read, one written.
  lab::workload work() const override {
    traffic ideal;
    with_derivative([&](const auto& e) { ideal = traffic_of(arrays_.y(), e); });
    return {ideal, ideal.a_eff_bytes(), 1, 1};
  }

 private:
  template <class F>
  void with_derivative(const F& f) const {
    if (which_.degree == 1)
      f(operators_.d1x(arrays_.u()));
    else if (which_.dim == 0)
      f(operators_.d2x(arrays_.u()));
    else
      f(operators_.d2y(arrays_.u()));
  }

  sbp_arrays<T>& arrays_;
  derivative_name which_;
  sbp<Order, 2, T> operators_;
};

template <class T>
std::unique_ptr<lab::experiment> sbp_arrays<T>::make(const std::string& variant,
                                                     const lab::tuning&) {
  const derivative_name which(variant);
  if (which.order == 2) return std::make_unique<sbp_experiment<T, 2>>(*this, which);
  if (which.order == 4) return std::make_unique<sbp_experiment<T, 4>>(*this, which);
  return std::make_unique<sbp_experiment<T, 6>>(*this, which);
}

std::unique_ptr<lab::prepared_case> prepare_sbp(const lab::setting& where) {
  if (*std::ranges::min_element(where.shape) < 12)
    throw error(failure::usage,
                "sbp needs at least 12 points along each dim, got " + lab::shape_text(where.shape));
  return for_type<f64, f32>(where.type, [&](auto example) {
    return make_prepared<sbp_arrays<decltype(example)>>(where);
  });
}

/// `teff lab` measures those of order 4.
std::vector<lab::variant> derivatives() {
  std::vector<lab::variant> all;
  for (const char* order : {"2", "4", "6"})
    for (const char* name : {"d1x", "d2x", "d2y"})
      all.push_back({.name = std::string(name) + "-" + order,
                     .about = std::string(name) + " of sbp<" + order + ", 2>, as a statement",
                     .is_for_ladder_only = order[0] != '4'});
  return all;
}

}  // namespace

lab::bench_case sbp_case() {
  return {.name = "sbp",
          .about = "first and second derivatives by summation-by-parts operators",
          .axes = "a shape of two extents",
          .types = {"f64", "f32"},
          .least_rank = 2,
          .most_rank = 2,
          .cpu_shape = {4096, 4096},
          .cuda_shape = {8192, 8192},
          .arrays = 4,  // u and y, and on a CPU beside them what they start from and must become
          .best = "d2x-4",
          .variants = derivatives(),
          .prepare = prepare_sbp};
}

}  // namespace teff::bench

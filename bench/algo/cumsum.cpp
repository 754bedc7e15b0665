// SPDX-License-Identifier: MIT
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <teff/algo/scan.hpp>
#include <teff/kernel/launch.hpp>

#include <bench/algo/along_dim.hpp>
#include <bench/algo/random_cube.hpp>
#include <bench/for_type.hpp>
#include <bench/naive/along_dim.hpp>

namespace teff::bench {

namespace {

/// A, its cumulative sums B, and what B must hold for each dim.
template <class T>
class cumsum_arrays : public random_cube<T> {
 public:
  explicit cumsum_arrays(const lab::setting& where)
      : random_cube<T>(where), b_(this->on(), this->a().shape(), "B") {}

  std::unique_ptr<lab::experiment> make(const std::string& variant,
                                        const lab::tuning& how) override;

  const array<T, 3>& b() const { return b_; }
  void poison_target() { b_ = poison<T>(); }
  lab::check_result check(int dim) {
    if (dim != expected_dim_) {
      expected_.resize(this->values().size());
      naive::cumsum(expected_, this->values(), this->shape(), dim);
      expected_dim_ = dim;
    }
    // Sums of n values below 1 are carried in f64, in fewer than 64 additions one after the other
    // that count, and rounded once to T.
    const auto n = static_cast<double>(this->a().extent(dim));
    const double tolerance = n * (64 * std::numeric_limits<f64>::epsilon() +
                                  static_cast<double>(std::numeric_limits<T>::epsilon()) / 2);
    return this->comparer().compare(b_.data(), expected_, tolerance, this->shape());
  }

 private:
  array<T, 3> b_;
  std::vector<T> expected_;
  int expected_dim_ = -1;
};

template <class T>
class cumsum_experiment : public lab::experiment {
 public:
  cumsum_experiment(cumsum_arrays<T>& arrays, int dim) : arrays_(arrays), dim_(dim) {}
  void reset() override { arrays_.poison_target(); }
  lab::check_result check() override { return arrays_.check(dim_); }
  lab::workload work() const override {
    const traffic moved = traffic_of(arrays_.b(), arrays_.a());
    return {moved, moved.a_eff_bytes(), 1, 1};
  }

 protected:
  cumsum_arrays<T>& arrays_;
  int dim_;
};

/// `dim-0` and so on: cumsum(B, A, dim).
template <class T>
class library_cumsum : public cumsum_experiment<T> {
 public:
  using cumsum_experiment<T>::cumsum_experiment;
  void run() override { cumsum(this->arrays_.b(), this->arrays_.a(), this->dim_); }
};

/// The lessons' kernel: one thread a column, which carries its sum in a register.
template <class T>
struct column_cumsum {
  view<T, 3> b, a;
  int dim;

  TEFF_INLINE void operator()(index_t p, index_t q) const {
    detail::sum_accumulator<T> sum{};
    for (index_t l = 0; l < a.extent(dim); ++l) {
      const index_t i = dim == 0 ? l : p, j = dim == 0 ? p : dim == 1 ? l : q, k = dim == 2 ? l : q;
      sum += a(i, j, k);
      b(i, j, k) = static_cast<T>(sum);
    }
  }
};

/// `kernel-dim-0` and so on.
template <class T>
class kernel_cumsum : public cumsum_experiment<T> {
 public:
  using cumsum_experiment<T>::cumsum_experiment;
  void run() override {
    const auto& a = this->arrays_.a();
    const int first = this->dim_ == 0 ? 1 : 0, second = this->dim_ == 2 ? 1 : 2;
    launch(this->arrays_.on(), {a.extent(first), a.extent(second)},
           column_cumsum<T>{this->arrays_.b().view(), a.view(), this->dim_});
  }
};

template <class T>
std::unique_ptr<lab::experiment> cumsum_arrays<T>::make(const std::string& variant,
                                                        const lab::tuning&) {
  const int dim = variant.back() - '0';
  if (variant.starts_with("kernel")) return std::make_unique<kernel_cumsum<T>>(*this, dim);
  return std::make_unique<library_cumsum<T>>(*this, dim);
}

std::unique_ptr<lab::prepared_case> prepare_cumsum(const lab::setting& where) {
  return for_type<f64, f32>(where.type, [&](auto example) {
    return make_prepared<cumsum_arrays<decltype(example)>>(where);
  });
}

}  // namespace

lab::bench_case cumsum_case() {
  lab::bench_case result{.name = "cumsum",
                         .about = "cumulative sums along each dim: shape and dim must not matter",
                         .axes = "a shape of three extents",
                         .types = {"f64", "f32"},
                         .least_rank = 3,
                         .most_rank = 3,
                         .cpu_shape = {512, 512, 256},
                         .cuda_shape = {512, 512, 512},
                         .arrays = 2,
                         .best = "dim-0",
                         .prepare = prepare_cumsum};
  for (const char* dim : {"0", "1", "2"})
    result.variants.push_back({std::string("kernel-dim-") + dim,
                               std::string("one thread a column along dim ") + dim +
                                   ", the sum in a register"});
  for (const char* dim : {"0", "1", "2"})
    result.variants.push_back(
        {std::string("dim-") + dim, std::string("cumsum(B, A, ") + dim + ")"});
  return result;
}

}  // namespace teff::bench

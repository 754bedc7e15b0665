// SPDX-License-Identifier: MIT
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <teff/algo/blas/blas.hpp>
#include <teff/algo/fill.hpp>
#include <teff/algo/gemv.hpp>
#include <teff/array/host_copy.hpp>
#include <teff/kernel/block.hpp>
#include <teff/kernel/launch.hpp>

#include <bench/algo/blas_place.hpp>
#include <bench/algo/block_threads.hpp>
#include <bench/algo/gemv.hpp>
#include <bench/compare_cells.hpp>
#include <bench/for_type.hpp>
#include <bench/host_values.hpp>
#include <bench/naive/gemv.hpp>

namespace teff::bench {

namespace {

/// The cells of a matrix of m x n, taken column by column or row by row; x and y = A x.
template <class T>
class product_arrays : public lab::prepared_case {
 public:
  explicit product_arrays(const lab::setting& where)
      : on_(where.dev),
        cells_(on_, {where.shape[0], where.shape[1]}, "A"),
        x_(on_, {where.shape[1]}, "x"),
        y_(on_, {where.shape[0]}, "y"),
        comparer_(on_) {
    const auto a = random_values<T>(static_cast<std::size_t>(cells_.size()), 1);
    const auto x = random_values<T>(static_cast<std::size_t>(x_.size()), 2);
    cells_ = from_host(a);
    x_ = from_host(x);
    for (const bool is_row_major : {false, true}) {
      const array_ref<T, 2> A = matrix(is_row_major);
      expected_[is_row_major].resize(static_cast<std::size_t>(y_.size()));
      naive::gemv(expected_[is_row_major], a, x, static_cast<std::size_t>(A.stride(0)),
                  static_cast<std::size_t>(A.stride(1)));
    }
  }

  stream on() const override { return on_; }
  std::unique_ptr<lab::experiment> make(const std::string& variant,
                                        const lab::tuning& how) override;

  array_ref<T, 2> matrix(bool is_row_major) const {
    const index_t m = cells_.extent(0), n = cells_.extent(1);
    if (is_row_major) return wrap(on_, cells_.data(), {m, n}, {n, 1}, "A");
    return cells_;
  }
  const array<T, 1>& x() const { return x_; }
  const array<T, 1>& y() const { return y_; }
  void poison_target() { fill(y_, poison<T>()); }

  /// @param epsilon of the sums: a vendor's may be formed in T
  lab::check_result check(bool is_row_major, double epsilon) {
    // The products are below 1, so sums of n of them in any order are wrong by less than n^2
    // roundings at 1, and by one at n where they are stored.
    const auto n = static_cast<double>(x_.size());
    const double tolerance =
        n * n * epsilon + n * static_cast<double>(std::numeric_limits<T>::epsilon());
    return comparer_.compare(y_.data(), expected_[is_row_major], tolerance, {y_.size()});
  }

 private:
  stream on_;
  array<T, 2> cells_;
  array<T, 1> x_, y_;
  std::vector<T> expected_[2];
  cell_comparer comparer_;
};

template <class T>
class product_experiment : public lab::experiment {
 public:
  product_experiment(product_arrays<T>& arrays, bool is_row_major)
      : arrays_(arrays), is_row_major_(is_row_major) {}
  void reset() override { arrays_.poison_target(); }
  lab::check_result check() override {
    return arrays_.check(is_row_major_, std::numeric_limits<f64>::epsilon());
  }
  lab::workload work() const override {
    const traffic moved = gemv_traffic(matrix(), x(), T{}, y());
    return {moved, moved.a_eff_bytes(), 1, 1};
  }

 protected:
  product_arrays<T>& arrays() const { return arrays_; }
  bool is_row_major() const { return is_row_major_; }
  array_ref<T, 2> matrix() const { return arrays_.matrix(is_row_major_); }
  const array<T, 1>& x() const { return arrays_.x(); }
  const array<T, 1>& y() const { return arrays_.y(); }

 private:
  product_arrays<T>& arrays_;
  bool is_row_major_;
};

/// y(i) for one row: threads side by side read cells side by side if A is column-major.
template <class T>
struct row_product {
  view<T, 2> a;
  view<T, 1> x, y;
  TEFF_INLINE void operator()(index_t i) const {
    f64 sum = 0;
    for (index_t j = 0; j < a.extent(1); ++j)
      sum += static_cast<f64>(a(i, j)) * static_cast<f64>(x(j));
    y(i) = static_cast<T>(sum);
  }
};

/// `row-major`, `column-major`: a thread a row.
template <class T>
class thread_a_row : public product_experiment<T> {
 public:
  thread_a_row(product_arrays<T>& arrays, bool is_row_major, const lab::tuning& how)
      : product_experiment<T>(arrays, is_row_major), how_(how) {}
  void run() override {
    launch(this->y().on(), this->y().shape(), {.threads = launch_threads(how_)},
           row_product<T>{this->matrix().view(), this->x().view(), this->y().view()});
  }
  std::vector<int> threads() const override { return how_.threads; }

 private:
  lab::tuning how_;
};

/// The same; the block brings x into shared memory, piece by piece, and waits before it reads a
/// piece and before it overwrites one.
template <class T>
struct shared_x_product {
  view<T, 2> a;
  view<T, 1> x, y;
  TEFF_INLINE void operator()(block& blk) const {
    const int threads = blk.threads();
    const auto piece = blk.shared<T>(threads);
    const int t = blk.thread();
    const index_t i = blk.index() * threads + t, n = a.extent(1);
    f64 sum = 0;
    for (index_t first = 0; first < n; first += threads) {
      if (first + t < n) piece[t] = x(first + t);
      blk.sync();
      for (int j = 0; j < threads && first + j < n; ++j)
        if (i < a.extent(0))
          sum += static_cast<f64>(a(i, first + j)) * static_cast<f64>(T(piece[j]));
      blk.sync();
    }
    if (i < a.extent(0)) y(i) = static_cast<T>(sum);
  }
};

/// `shared-x`: caches hold x anyway, so copying it only costs.
template <class T>
class shared_x : public product_experiment<T> {
 public:
  shared_x(product_arrays<T>& arrays, const lab::tuning& how)
      : product_experiment<T>(arrays, false),
        threads_(block_threads(how, 256, "shared-x", block_rule::any)) {}
  void run() override {
    launch_blocks(this->y().on(),
                  {.blocks = {ceil_div(this->y().size(), threads_)},
                   .threads = {threads_},
                   .shared_bytes = threads_ * static_cast<index_t>(sizeof(T))},
                  shared_x_product<T>{this->matrix().view(), this->x().view(), this->y().view()});
  }
  std::vector<int> threads() const override { return {threads_}; }

 private:
  int threads_;
};

/// `best`: gemv(y, A, x).
template <class T>
class library_product : public product_experiment<T> {
 public:
  using product_experiment<T>::product_experiment;
  void run() override { gemv(this->y(), this->matrix(), this->x()); }
};

/// `vendor`: cuBLAS or CBLAS. A row-major matrix is to them a transposed one.
template <class T>
class vendor_product : public product_experiment<T> {
 public:
  using product_experiment<T>::product_experiment;
  void run() override {
    const array_ref<T, 2> A = this->matrix();
    const index_t m = A.extent(0), n = A.extent(1);
    const blas::matrix<const T> a{A.data(), this->is_row_major() ? n : m, this->is_row_major()};
    blas::gemv<T>(this->y().on(), this->is_row_major() ? n : m, this->is_row_major() ? m : n, T{1},
                  a, this->x().data(), T{}, this->y().data());
  }
  lab::check_result check() override {
    return this->arrays().check(this->is_row_major(),
                                static_cast<double>(std::numeric_limits<T>::epsilon()));
  }
};

template <class T>
std::unique_ptr<lab::experiment> product_arrays<T>::make(const std::string& variant,
                                                         const lab::tuning& how) {
  const bool is_row_major = variant.ends_with("row-major");
  if (variant.starts_with("best")) return std::make_unique<library_product<T>>(*this, is_row_major);
  if (variant.starts_with("vendor"))
    return std::make_unique<vendor_product<T>>(*this, is_row_major);
  if (variant == "shared-x") return std::make_unique<shared_x<T>>(*this, how);
  return std::make_unique<thread_a_row<T>>(*this, is_row_major, how);
}

std::unique_ptr<lab::prepared_case> prepare_gemv(const lab::setting& where) {
  return for_type<f64, f32>(where.type, [&](auto example) {
    return make_prepared<product_arrays<decltype(example)>>(where);
  });
}

}  // namespace

lab::bench_case gemv_case() {
  using lab::knob;
  using lab::place;
  lab::bench_case result{
      .name = "gemv",
      .about = "y = A x: each cell of A is read once, whichever way A lies",
      .axes =
          "a shape of two extents, rows and columns of A; the transpose of a matrix is one that "
          "lies the other way",
      .types = {"f64", "f32"},
      .least_rank = 2,
      .most_rank = 2,
      .cpu_shape = {8000, 8000},
      .cuda_shape = {20000, 20000},
      .counted_shape = {256, 64},
      .arrays = 1,
      .moved_arrays = 1,
      .best = "best",
      .variants = {{.name = "row-major",
                    .about = "a thread a row of a row-major A: what neighbours read is a row apart",
                    .takes = knob::threads,
                    .counts_sectors = true},
                   {.name = "column-major",
                    .about = "a thread a row of a column-major A: neighbours read neighbours",
                    .takes = knob::threads,
                    .counts_sectors = true},
                   {.name = "shared-x",
                    .about =
                        "and x in shared memory, with the barriers that it needs: caches do it too",
                    .takes = knob::threads,
                    .runs = place::cuda,
                    .counts_sectors = true},
                   {"best", "gemv(y, A, x), column-major: enough threads, whatever the shape"},
                   {"best-row-major", "gemv(y, A, x), row-major: threads side by side share rows"}},
      .prepare = prepare_gemv};
  const auto is_there = [](device_kind kind) { return blas::why_missing(kind).empty(); };
  if (const auto where = place_of_blas(is_there)) {
    result.variants.push_back(
        {"vendor", "cuBLAS, or CBLAS on a CPU, column-major", knob::none, *where});
    result.variants.push_back({"vendor-row-major", "the same, row-major", knob::none, *where});
  }
  return result;
}

}  // namespace teff::bench

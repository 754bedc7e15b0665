// SPDX-License-Identifier: MIT
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <teff/algo/scan.hpp>

#include <bench/algo/along_dim.hpp>
#include <bench/algo/block_threads.hpp>
#include <bench/algo/cumsum_rungs.hpp>
#include <bench/algo/random_cube.hpp>
#include <bench/algo/vendor.hpp>
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
  /// @param additions the most that any sum takes one after the other, in f64; the values are below
  /// 1
  lab::check_result check(int dim, double additions) {
    if (dim != expected_dim_) {
      expected_.resize(this->values().size());
      naive::cumsum(expected_, this->values(), this->shape(), dim);
      expected_dim_ = dim;
    }
    const auto n = static_cast<double>(this->a().extent(dim));
    const double tolerance = n * (additions * std::numeric_limits<f64>::epsilon() +
                                  static_cast<double>(std::numeric_limits<T>::epsilon()) / 2);
    return this->comparer().compare(b_.data(), expected_, tolerance, this->shape());
  }
  lab::check_result check_copy() {
    return this->comparer().compare(b_.data(), this->values(), 0, this->shape());
  }

 private:
  array<T, 3> b_;
  std::vector<T> expected_;
  int expected_dim_ = -1;
};

/// How a variant is checked: by the most additions one after the other, or as a copy.
constexpr double is_a_copy = -1, few_additions = 64;

template <class T>
class cumsum_experiment : public lab::experiment {
 public:
  cumsum_experiment(cumsum_arrays<T>& arrays, int dim, double additions, std::vector<int> threads,
                    std::function<void()> run)
      : arrays_(arrays),
        dim_(dim),
        additions_(additions),
        threads_(std::move(threads)),
        run_(std::move(run)) {}
  void reset() override { arrays_.poison_target(); }
  void run() override { run_(); }
  lab::check_result check() override {
    return additions_ == is_a_copy ? arrays_.check_copy() : arrays_.check(dim_, additions_);
  }
  lab::workload work() const override {
    const traffic moved = traffic_of(arrays_.b(), arrays_.a());
    return {moved, moved.a_eff_bytes(), 1, 1};
  }
  std::vector<int> threads() const override { return threads_; }

 private:
  cumsum_arrays<T>& arrays_;
  int dim_;
  double additions_;
  std::vector<int> threads_;
  std::function<void()> run_;
};

template <class T>
std::unique_ptr<lab::experiment> cumsum_arrays<T>::make(const std::string& variant,
                                                        const lab::tuning& how) {
  const int dim = variant.back() - '0';
  const std::string way = variant.substr(0, variant.size() - std::string("dim-0").size());
  const array_ref<T, 3>&a = this->a(), &b = b_;
  const double serial = static_cast<double>(a.extent(dim));
  const auto as = [&](double additions, std::function<void()> run) {
    return std::make_unique<cumsum_experiment<T>>(*this, dim, additions, how.threads,
                                                  std::move(run));
  };
  if (way.empty()) return as(few_additions, [=, this] { cumsum(b_, this->a(), dim); });
  const launch_shape threads = launch_threads(how);
  if (way == "copy-loop-" || way == "copy-rows-")
    return as(is_a_copy, [=] { launch_columns<column_copy>(b, a, dim, threads); });
  if (way == "kernel-")
    return as(serial, [=] { launch_columns<column_cumsum>(b, a, dim, threads); });
  if (way == "copy-lanes-") return as(is_a_copy, [=] { launch_rows<lanes_copy>(b, a); });
  if (way == "shared-") return as(serial, [=] { launch_rows<shared_cumsum>(b, a); });
  if (way == "broadcast-") return as(serial, [=] { launch_rows<broadcast_cumsum>(b, a); });
  if (way == "scan-") return as(serial, [=] { launch_rows<scan_cumsum>(b, a); });
  if (way == "vendor-") return as(serial, vendor_cumsum(b_, this->a(), dim));
  throw error("no variant '" + variant + "' of cumsum");
}

std::unique_ptr<lab::prepared_case> prepare_cumsum(const lab::setting& where) {
  return for_type<f64, f32>(where.type, [&](auto example) {
    return make_prepared<cumsum_arrays<decltype(example)>>(where);
  });
}

/// The rungs along y or z, where neighbouring threads have neighbouring cells anyway.
std::vector<lab::variant> strided_ladder(int dim, const std::string& copied) {
  const std::string along = "dim-" + std::to_string(dim);
  return {{.name = "copy-loop-" + along,
           .about = "a copy with a loop over the dim, one thread a column",
           .takes = lab::knob::threads,
           .dim = dim,
           .gain = "copies as a scan must walk, a loop in each thread: neighbouring threads have "
                   "neighbouring cells, so no sector is read for one cell only",
           .cpu_gain = "copies as a scan must walk, a loop in each call: a core goes down one "
                       "column after the other, and takes one cell of a line each time",
           .lesson = copied + " GB/s, P100",
           .counts_sectors = true,
           .is_for_ladder_only = true},
          {.name = "kernel-" + along,
           .about = "one thread a column, the sum in a register",
           .takes = lab::knob::threads,
           .dim = dim,
           .gain = "adds up in a register, which is free: memory is the limit, not arithmetic",
           .cpu_gain = "adds up in a register, which is free beside such a walk",
           .lesson = copied + " GB/s, P100",
           .counts_sectors = true},
          {.name = along,
           .about = "cumsum(B, A, " + std::to_string(dim) + ")",
           .dim = dim,
           .gain = "loads the next cells while it adds up these, and cuts few long columns into "
                   "pieces: enough bytes are in flight for any shape",
           .cpu_gain = "goes row by row, up to 2048 columns side by side, whose sums stay in the "
                       "cache: whole lines are read and stored, on all cores"},
          {.name = "vendor-" + along,
           .about = "CUB's scan by key of cells taken column by column; on a CPU std::transform "
                    "adds rows to sums, one core",
           .dim = dim,
           .gain = "what others ship: CUB's scan by key takes cells column by column, neighbours "
                   "in a column by neighbouring threads, so a sector of 32 bytes for every cell",
           .cpu_gain = "what others ship: std::transform adds row after row to the sums, on one "
                       "core",
           .is_for_ladder_only = true}};
}

/// The rungs along x, where a thread's next cell is its neighbour's.
std::vector<lab::variant> row_ladder() {
  return {
      {.name = "copy-rows-dim-0",
       .about = "a copy with a loop over the dim, one thread a row",
       .takes = lab::knob::threads,
       .dim = 0,
       .gain = "copies with one thread a row: neighbouring threads are a row apart, so a sector of "
               "32 bytes is moved for every cell",
       .cpu_gain = "copies row after row, neighbouring cells one after the other, as a core likes "
                   "it: the limit for what adds up cell by cell",
       .lesson = "36 GB/s, P100",
       .counts_sectors = true,
       .is_for_ladder_only = true},
      {.name = "kernel-dim-0",
       .about = "one thread a row, the sum in a register",
       .takes = lab::knob::threads,
       .dim = 0,
       .gain = "adds up in a register: nothing changes, as access is the limit",
       .cpu_gain = "adds up in a register: each addition waits for the one before it",
       .counts_sectors = true},
      {.name = "copy-lanes-dim-0",
       .about = "a copy with 32 lanes a row",
       .dim = 0,
       .gain = "copies 32 neighbouring cells at a time, so whole sectors; but the sum of the cells "
               "before is in other threads",
       .lesson = "534 GB/s, P100",
       .is_block_kernel = true,
       .counts_sectors = true,
       .is_for_ladder_only = true},
      {.name = "shared-dim-0",
       .about = "32 lanes a row, one of them adds up in shared memory",
       .dim = 0,
       .gain = "one thread adds up 32 cells in shared memory while 31 wait: right, but serial",
       .lesson = "336 GB/s, P100",
       .is_block_kernel = true,
       .counts_sectors = true,
       .is_for_ladder_only = true},
      {.name = "broadcast-dim-0",
       .about = "32 lanes a row, each sees all values by shuffles",
       .dim = 0,
       .gain = "no shared memory and no barrier, but 32 shuffles for 32 cells: every lane does the "
               "work of all",
       .lesson = "163 GB/s, P100",
       .is_block_kernel = true,
       .counts_sectors = true,
       .is_for_ladder_only = true},
      {.name = "scan-dim-0",
       .about = "32 lanes a row, a scan of the warp in five steps",
       .dim = 0,
       .gain = "sums of 2, 4, 8, 16, 32 cells: five shuffles for 32 cells instead of 32",
       .lesson = "524 GB/s, P100",
       .is_block_kernel = true,
       .counts_sectors = true,
       .is_for_ladder_only = true},
      {.name = "dim-0",
       .about = "cumsum(B, A, 0)",
       .dim = 0,
       .gain =
           "brings tiles into shared memory, 128 bytes a thread at a time; then a thread adds up "
           "neighbouring cells and shuffles once for 16 of them",
       .cpu_gain = "four rows take turns, since an addition waits for the one before it; results "
                   "are stored past the caches, whole lines at a time"},
      {.name = "vendor-dim-0",
       .about = "CUB's scan by key, the row being the key; on a CPU std::inclusive_scan, one core",
       .dim = 0,
       .gain = "what others ship: CUB's scan by key, which must find the end of rows by comparing "
               "keys",
       .cpu_gain = "what others ship: std::inclusive_scan of each row, on one core",
       .lesson = "109 GB/s, P100, CUDA.jl's",
       .is_for_ladder_only = true}};
}

}  // namespace

lab::bench_case cumsum_case() {
  lab::bench_case result{.name = "cumsum",
                         .about = "cumulative sums along any dim of any shape: neither must matter",
                         .axes = "a shape of three extents of any size, 100x1000000x1 too",
                         .types = {"f64", "f32"},
                         .least_rank = 3,
                         .most_rank = 3,
                         .cpu_shape = {512, 512, 256},
                         .cuda_shape = {512, 512, 512},
                         .emulated_shape = {70, 5, 3},
                         .counted_shape = {64, 32, 4},
                         .arrays = 2,
                         .best = "dim-0",
                         .best_along = {"dim-0", "dim-1", "dim-2"},
                         .variants = row_ladder(),
                         .prepare = prepare_cumsum};
  for (const auto& ladder : {strided_ladder(1, "519"), strided_ladder(2, "520")})
    result.variants.insert(result.variants.end(), ladder.begin(), ladder.end());
  return result;
}

}  // namespace teff::bench

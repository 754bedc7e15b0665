// SPDX-License-Identifier: MIT
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <teff/algo/reduce.hpp>

#include <bench/algo/along_dim.hpp>
#include <bench/algo/block_threads.hpp>
#include <bench/algo/random_cube.hpp>
#include <bench/algo/reduce_rungs.hpp>
#include <bench/algo/vendor.hpp>
#include <bench/for_type.hpp>
#include <bench/naive/along_dim.hpp>

namespace teff::bench {

namespace {

template <class T>
class reduced_array : public random_cube<T> {
 public:
  using random_cube<T>::random_cube;
  std::unique_ptr<lab::experiment> make(const std::string& variant,
                                        const lab::tuning& how) override;

  /// @param sums in the order of the other dims, x first; of all cells if `dim` is -1
  /// @param additions the most one after the other, in f64
  lab::check_result check(const T* sums, int dim, double additions = 64) {
    std::vector<T>& expected = expected_[static_cast<std::size_t>(dim + 1)];
    if (expected.empty()) expected = naive::sums(summed(), this->shape(), dim);
    const double n = static_cast<double>(summed().size()) / static_cast<double>(expected.size());
    const double tolerance = n * most() *
                             (additions * std::numeric_limits<f64>::epsilon() +
                              static_cast<double>(std::numeric_limits<T>::epsilon()) / 2);
    return this->comparer().compare(sums, expected, tolerance,
                                    {static_cast<index_t>(expected.size())});
  }
  virtual lab::workload work() const {
    traffic moved;
    moved.read_bytes = static_cast<double>(bytes(this->a()));
    moved.cells = moved.flop = static_cast<double>(this->a().size());
    return {moved, moved.a_eff_bytes(), 1, 1};
  }

 private:
  /// What is summed, none of it above most().
  virtual const std::vector<T>& summed() const { return this->values(); }
  virtual double most() const { return 1; }

  std::array<std::vector<T>, 4> expected_;  // by dim + 1, once asked for
};

/// What a variant did not compute.
lab::check_result no_result() {
  lab::check_result nothing;
  nothing.reason = "there is no result";
  return nothing;
}

/// `full`: sum(A).
template <class T>
class full_sum : public lab::experiment {
 public:
  explicit full_sum(reduced_array<T>& array) : array_(array) {}
  void reset() override { sum_.reset(); }
  void run() override { sum_.emplace(sum(array_.a())); }
  lab::check_result check() override {
    return sum_ ? array_.check(sum_->cell().data(), -1) : no_result();
  }
  lab::workload work() const override { return array_.work(); }

 private:
  reduced_array<T>& array_;
  std::optional<scalar<T>> sum_;
};

/// `dim-0` and so on: sum(A, dim), or that of an expression.
template <class T>
class dim_sum : public lab::experiment {
 public:
  dim_sum(reduced_array<T>& cells, int dim, std::function<array<T, 2>()> sum)
      : array_(cells), dim_(dim), sum_(std::move(sum)) {}
  void reset() override { sums_.reset(); }
  void run() override { sums_.emplace(sum_()); }
  lab::check_result check() override {
    return sums_ ? array_.check(sums_->data(), dim_) : no_result();
  }
  lab::workload work() const override { return array_.work(); }

 private:
  reduced_array<T>& array_;
  int dim_;
  std::function<array<T, 2>()> sum_;
  std::optional<array<T, 2>> sums_;
};

/// `vendor-dim-0` and so on.
template <class T>
class vendor_dim_sum : public lab::experiment {
 public:
  vendor_dim_sum(reduced_array<T>& array, int dim)
      : array_(array),
        dim_(dim),
        sums_(array.on(), {array.a().size() / array.a().extent(dim)}, "sums"),
        run_(vendor_sums(sums_, array.a(), dim)) {}
  void reset() override { sums_ = poison<T>(); }
  void run() override { run_(); }
  lab::check_result check() override {
    return array_.check(sums_.data(), dim_, static_cast<double>(array_.a().extent(dim_)));
  }
  lab::workload work() const override { return array_.work(); }

 private:
  reduced_array<T>& array_;
  int dim_;
  array<T, 1> sums_;
  std::function<void()> run_;
};

/// A rung of the ladder: its kernels leave the sum of all cells in one cell of f64.
template <class T>
class sum_rung : public lab::experiment {
 public:
  sum_rung(reduced_array<T>& cells, const std::string& variant, const lab::tuning& how)
      : cells_(cells), total_(cells.on(), {1}, "total"), result_(cells.on(), {1}, "sum") {
    const auto& a = cells.a();
    const auto threads = [&](int usual, block_rule rule) {
      threads_ = block_threads(how, usual, variant, rule);
      return threads_;
    };
    if (variant == "one-thread") run_ = [&] { launch_one_thread(total_, a); };
    if (variant == "atomics") {
      run_ = [&, n = threads(atomic_sum<T>::usual_threads, block_rule::any)] {
        launch_tiles<atomic_sum>(total_, a, n);
      };
    }
    if (variant == "shared") {
      run_ = [&, n = threads(shared_sum<T>::usual_threads, block_rule::power_of_two)] {
        launch_tiles<shared_sum>(total_, a, n);
      };
    }
    if (variant == "warp") {
      run_ = [&, n = threads(warp_sum<T>::usual_threads, block_rule::whole_warps)] {
        launch_tiles<warp_sum>(total_, a, n);
      };
    }
    if (variant == "vendor") run_ = vendor_sum(total_, a);
    if (variant == "block-tree" || variant == "grid-atomic") {
      const int n = threads(tree_sum<T>::usual_threads, block_rule::power_of_two);
      const index_t tiles =
          variant == "block-tree" ? 1 : ceil_div(a.size(), n * tree_sum<T>::cells_of_thread);
      const array<f64, 1> sums(cells.on(), {tiles * n}, "sums");
      run_ = [&, n, sums] { launch_tree(total_, a, sums, n); };
    }
  }
  void reset() override { total_ = poison<f64>(); }
  void run() override { run_(); }
  lab::check_result check() override {
    result_ = from_host(std::vector<T>{static_cast<T>(static_cast<f64>(total_(0)))});
    return cells_.check(result_.data(), -1, static_cast<double>(cells_.a().size()));
  }
  lab::workload work() const override { return cells_.work(); }
  std::vector<int> threads() const override {
    return threads_ > 0 ? std::vector{threads_} : std::vector<int>{};
  }

  static bool has(const std::string& variant) {
    return variant.find("dim-") == std::string::npos && variant != "full";
  }

 private:
  reduced_array<T>& cells_;
  array<f64, 1> total_;
  array<T, 1> result_;
  std::function<void()> run_;
  int threads_ = 0;  // of a block, of a rung that has some
};

template <class T>
std::unique_ptr<lab::experiment> reduced_array<T>::make(const std::string& variant,
                                                        const lab::tuning& how) {
  if (sum_rung<T>::has(variant)) return std::make_unique<sum_rung<T>>(*this, variant, how);
  if (variant == "full") return std::make_unique<full_sum<T>>(*this);
  const int dim = variant.back() - '0';
  if (variant.starts_with("vendor-")) return std::make_unique<vendor_dim_sum<T>>(*this, dim);
  return std::make_unique<dim_sum<T>>(*this, dim, [this, dim] { return sum(this->a(), dim); });
}

/// a * b + c, cell by cell.
template <class T>
std::vector<T> multiplied_and_added(std::vector<T> a, const std::vector<T>& b,
                                    const std::vector<T>& c) {
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = std::fma(a[i], b[i], c[i]);
  return a;
}

/// A, and the further operands of A * B + C.
template <class T>
class expression_operands : public reduced_array<T> {
 public:
  explicit expression_operands(const lab::setting& where)
      : reduced_array<T>(where),
        b_(this->on(), this->a().shape(), "B"),
        c_(this->on(), this->a().shape(), "C") {
    const std::size_t cells = this->values().size();
    const auto b = random_values<T>(cells, 2), c = random_values<T>(cells, 3);
    b_ = from_host(b);
    c_ = from_host(c);
    summed_ = multiplied_and_added(this->values(), b, c);
  }
  std::unique_ptr<lab::experiment> make(const std::string& variant, const lab::tuning&) override {
    const int dim = variant.back() - '0';
    return std::make_unique<dim_sum<T>>(*this, dim,
                                        [this, dim] { return sum(this->a() * b_ + c_, dim); });
  }
  lab::workload work() const override {
    traffic moved;
    moved.read_bytes = static_cast<double>(bytes(this->a()) + bytes(b_) + bytes(c_));
    moved.cells = static_cast<double>(this->a().size());
    moved.flop = 3 * moved.cells;
    return {moved, moved.a_eff_bytes(), 1, 1};
  }

 private:
  const std::vector<T>& summed() const override { return summed_; }
  double most() const override { return 2; }

  array<T, 3> b_, c_;
  std::vector<T> summed_;
};

std::unique_ptr<lab::prepared_case> prepare_reduce_expression(const lab::setting& where) {
  return for_type<f64, f32>(where.type, [&](auto example) {
    return make_prepared<expression_operands<decltype(example)>>(where);
  });
}

std::unique_ptr<lab::prepared_case> prepare_reduce(const lab::setting& where) {
  return for_type<f64, f32>(where.type, [&](auto example) {
    return make_prepared<reduced_array<decltype(example)>>(where);
  });
}

/// The sum of all cells.
std::vector<lab::variant> full_variants() {
  const auto lesson = [](const char* time) {
    return std::string(time) + " (1024x1024 f32, RTX 2080 Ti)";
  };
  return {
      {.name = "one-thread",
       .about = "one thread adds up all cells",
       .gain = "one thread of thousands works, and waits for each load in turn",
       .cpu_gain = "one core works, and each addition waits for the one before it",
       .lesson = lesson("56.4 ms"),
       .takes_small = true,
       .is_for_ladder_only = true},
      {.name = "atomics",
       .about = "one thread a cell adds it to the total with an atomic",
       .takes = lab::knob::threads,
       .gain = "all threads load, but their additions to one cell go one after the other",
       .lesson = lesson("1.77 ms"),
       .is_block_kernel = true,
       .takes_small = true,
       .is_for_ladder_only = true},
      {.name = "block-tree",
       .about = "one block adds up tile after tile by a tree in global memory",
       .takes = lab::knob::threads,
       .gain = "pairs, then pairs of pairs: 11 steps for 2048 cells without a conflict, but on one "
               "multiprocessor only",
       .is_block_kernel = true,
       .takes_small = true,
       .is_for_ladder_only = true},
      {.name = "grid-atomic",
       .about = "a block for each tile, whose sum an atomic adds to the total",
       .takes = lab::knob::threads,
       .gain = "all multiprocessors work, and one addition in 2048 is an atomic",
       .lesson = lesson("33.4 us"),
       .is_block_kernel = true,
       .is_for_ladder_only = true},
      {.name = "shared",
       .about = "the same, the tree in shared memory",
       .takes = lab::knob::threads,
       .gain = "the levels of the tree stay in the multiprocessor: partial sums cost no traffic",
       .lesson = lesson("34.3 us") + ", its tile never read",
       .is_block_kernel = true,
       .is_for_ladder_only = true},
      {.name = "warp",
       .about = "sums of warps by shuffles, then of the block",
       .takes = lab::knob::threads,
       .gain = "values go from register to register, with one barrier instead of eleven",
       .lesson = lesson("26.9 us"),
       .is_block_kernel = true,
       .is_for_ladder_only = true},
      {.name = "full",
       .about = "sum(A)",
       .gain = "every thread has many loads on their way before it adds, and no atomics: a "
               "fixed tree, the same bits in every run",
       .cpu_gain = "256 sums side by side in the lanes of SIMD loops, chunks shared out to the "
                   "cores: a fixed tree, the same bits in every run"},
      {.name = "vendor",
       .about = "CUB's sum; on a CPU std::reduce, one core",
       .gain = "what others ship: CUB's sum",
       .cpu_gain = "what others ship: std::reduce, on one core",
       .lesson = lesson("32.0 us") + ", CUDA.jl's",
       .is_for_ladder_only = true}};
}

/// sum(A, dim), and what others ship.
std::vector<lab::variant> dim_variants(int dim) {
  const std::string along = "dim-" + std::to_string(dim);
  const bool is_row = dim == 0;
  return {{.name = along,
           .about = "sum(A, " + std::to_string(dim) + ")",
           .dim = dim,
           .gain = is_row ? "a warp a row, neighbouring cells by neighbouring threads; short rows "
                            "come many at a time through shared memory"
                          : "a thread a column, neighbouring columns by neighbouring threads, many "
                            "loads on their way before it adds; long columns in pieces",
           .cpu_gain = is_row ? "many sums side by side in the lanes of SIMD loops, rows shared "
                                "out to the cores"
                              : "goes row by row, up to 512 columns side by side, whose sums stay "
                                "in the cache, on all cores"},
          {.name = "vendor-" + along,
           .about = is_row ? "CUB's segmented sum; on a CPU std::reduce of each row, one core"
                           : "CUB's segmented sum of cells taken column by column; on a CPU "
                             "std::transform adds rows to sums, one core",
           .dim = dim,
           .gain = is_row ? "what others ship: CUB's segmented sum, a block a row"
                          : "what others ship: CUB's segmented sum, a block a column, so a sector "
                            "of 32 bytes is read for every cell",
           .cpu_gain = is_row ? "what others ship: std::reduce of each row, on one core"
                              : "what others ship: std::transform adds row after row to the sums, "
                                "on one core",
           .is_for_ladder_only = true}};
}

}  // namespace

lab::bench_case reduce_case() {
  std::vector<lab::variant> variants = full_variants();
  for (int dim = 0; dim < 3; ++dim)
    for (lab::variant& v : dim_variants(dim)) variants.push_back(std::move(v));
  return {.name = "reduce",
          .about = "sums of all cells, or along any dim, of any shape",
          .axes = "a shape of three extents of any size, 100x1000000x1 too",
          .types = {"f64", "f32"},
          .least_rank = 3,
          .most_rank = 3,
          .cpu_shape = {512, 512, 512},
          .cuda_shape = {512, 512, 512},
          .small_shape = {1024, 1024, 1},
          .emulated_shape = {70, 35, 3},
          .arrays = 2,  // a rung keeps half a sum of f64 for each cell
          .moved_arrays = 1,
          .best = "full",
          .best_along = {"dim-0", "dim-1", "dim-2"},
          .variants = std::move(variants),
          .prepare = prepare_reduce};
}

lab::bench_case reduce_expression_case() {
  return {.name = "reduce_expression",
          .about = "sums along any dim of A * B + C, which is never stored",
          .axes = "a shape of three extents of any size, 100x1000000x1 too",
          .types = {"f64", "f32"},
          .least_rank = 3,
          .most_rank = 3,
          .cpu_shape = {256, 256, 256},
          .cuda_shape = {512, 512, 512},
          .arrays = 5,  // on a CPU beside them what A starts from, and what is summed
          .moved_arrays = 3,
          .best = "dim-0",
          .best_along = {"dim-0", "dim-1", "dim-2"},
          .variants = {{.name = "dim-0", .about = "sum(A * B + C, 0)", .dim = 0},
                       {.name = "dim-1", .about = "sum(A * B + C, 1)", .dim = 1},
                       {.name = "dim-2", .about = "sum(A * B + C, 2)", .dim = 2}},
          .prepare = prepare_reduce_expression};
}

}  // namespace teff::bench

// SPDX-License-Identifier: MIT
#include <algorithm>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <teff/algo/copy.hpp>
#include <teff/algo/fill.hpp>
#include <teff/algo/segmented.hpp>
#include <teff/array/host_copy.hpp>
#include <teff/kernel/launch.hpp>

#include <bench/algo/segmented_sum.hpp>
#include <bench/algo/vendor.hpp>
#include <bench/compare_cells.hpp>
#include <bench/for_type.hpp>
#include <bench/host_values.hpp>
#include <bench/naive/segmented_sum.hpp>

namespace teff::bench {

namespace {

/// The columns of bag `b` of `bags`: the same on every machine.
index_t columns_of_bag(index_t b, index_t bags) {
  const auto random = [&](index_t low, index_t high) {
    const auto n = static_cast<std::uint64_t>(high - low + 1);
    return low + static_cast<index_t>(scrambled(static_cast<std::uint64_t>(b)) % n);
  };
  if (b * 1110 < bags * 1000) return random(1, 10);
  if (b * 1110 < bags * 1100) return random(11, 100);
  return random(101, 1000);
}

std::vector<i64> bag_offsets(index_t bags) {
  std::vector<i64> offsets{0};
  for (index_t b = 0; b < bags; ++b) offsets.push_back(offsets.back() + columns_of_bag(b, bags));
  return offsets;
}

/// X of D rows, its columns in bags one behind the other, the sums O, and what they must be.
template <class T>
class bags_of_columns : public lab::prepared_case {
 public:
  explicit bags_of_columns(const lab::setting& where)
      : on_(where.dev),
        offsets_(bag_offsets(where.shape[1])),
        x_(on_, {where.shape[0], offsets_.back()}, "X"),
        o_(on_, {where.shape[0], where.shape[1]}, "O"),
        places_(on_, {offsets_.size()}, "offsets"),
        comparer_(on_) {
    const auto x = random_values<T>(static_cast<std::size_t>(x_.size()), 1);
    x_ = from_host(x);
    places_ = from_host(offsets_);
    expected_.resize(static_cast<std::size_t>(o_.size()));
    const std::vector<i64> begin(offsets_.begin(), offsets_.end() - 1),
        end(offsets_.begin() + 1, offsets_.end());
    naive::segmented_sum<f64>(expected_, x, static_cast<std::size_t>(x_.extent(0)), begin, end);
    for (std::size_t b = 0; b < begin.size(); ++b) longest_ = std::max(longest_, end[b] - begin[b]);
  }

  stream on() const override { return on_; }
  std::unique_ptr<lab::experiment> make(const std::string& variant,
                                        const lab::tuning& how) override;

  const std::vector<i64>& offsets() const { return offsets_; }
  const array<T, 2>& x() const { return x_; }
  const array<T, 2>& o() const { return o_; }
  const array<i64, 1>& places() const { return places_; }
  void poison_target() { fill(o_, poison<T>()); }
  lab::check_result check() {
    return comparer_.compare(o_.data(), expected_, tolerance(), {o_.extent(0), o_.extent(1)});
  }

 private:
  /// Values are below 1, so a sum of n of them in f64 is wrong by less than n^2 roundings at 1 in
  /// any order; kept as f32 it is off by another one at n.
  double tolerance() const {
    const auto n = static_cast<double>(longest_);
    return n * n * std::numeric_limits<f64>::epsilon() +
           (sizeof(T) == 4 ? n * static_cast<double>(std::numeric_limits<T>::epsilon()) : 0.0);
  }

  stream on_;
  std::vector<i64> offsets_;
  array<T, 2> x_, o_;
  array<i64, 1> places_;
  i64 longest_ = 0;
  std::vector<T> expected_;
  cell_comparer comparer_;
};

template <class T>
class bags_experiment : public lab::experiment {
 public:
  explicit bags_experiment(bags_of_columns<T>& bags)
      : bags_(bags), ready_(bags.on(), bags.places()) {}
  void reset() override { bags_.poison_target(); }
  lab::check_result check() override { return bags_.check(); }
  lab::workload work() const override {
    const traffic moved = segmented_traffic(bags_.o(), bags_.x(), ready_);
    return {moved, moved.a_eff_bytes(), 1, 1};
  }

 protected:
  bags_of_columns<T>& bags() const { return bags_; }
  const bag_list& ready() const { return ready_; }

 private:
  bags_of_columns<T>& bags_;
  bag_list ready_;
};

/// o(d) = the sum of x(d, n) over all columns: one thread a row.
template <class T>
struct row_sum {
  view<T, 2> x;
  view<T, 1> o;
  TEFF_INLINE void operator()(index_t d) const {
    f64 sum = 0;
    for (index_t n = 0; n < x.extent(1); ++n) sum += static_cast<f64>(x(d, n));
    o(d) = static_cast<T>(sum);
  }
};

/// `loop`: the bags one after the other, each as a launch.
template <class T>
class loop_over_bags : public bags_experiment<T> {
 public:
  using bags_experiment<T>::bags_experiment;
  void run() override {
    const auto& bags = this->bags();
    const auto& offsets = bags.offsets();
    for (index_t b = 0; b < bags.o().extent(1); ++b) {
      const auto at = offsets.begin() + b;
      launch(bags.on(), extents<1>(bags.o().extent(0)),
             row_sum<T>{bags.x()(whole, range(at[0], at[1])).view(), bags.o()(whole, b).view()});
    }
  }
};

/// `round-trip`: to the CPU, summed up there, and back.
template <class T>
class bags_round_trip : public bags_experiment<T> {
 public:
  explicit bags_round_trip(bags_of_columns<T>& bags)
      : bags_experiment<T>(bags),
        x_(device::cpu(), bags.x().shape(), "X on the CPU"),
        o_(device::cpu(), bags.o().shape(), "O on the CPU"),
        there_(device::cpu(), bags.places()) {}
  void run() override {
    copy(x_, this->bags().x());
    segmented_sum(o_, x_, there_);
    copy(this->bags().o(), o_);
  }

 private:
  array<T, 2> x_, o_;
  bag_list there_;
};

/// The sum of one row over one bag: one thread a value of the result.
template <class T>
struct value_of_bag {
  view<T, 2> x, o;
  view<i64, 1> offsets;
  TEFF_INLINE void operator()(index_t d, index_t b) const {
    f64 sum = 0;
    for (index_t n = offsets(b); n < offsets(b + 1); ++n) sum += static_cast<f64>(x(d, n));
    o(d, b) = static_cast<T>(sum);
  }
};

/// `kernel`: all bags in one launch.
template <class T>
class bags_kernel : public bags_experiment<T> {
 public:
  using bags_experiment<T>::bags_experiment;
  void run() override {
    const auto& bags = this->bags();
    launch(bags.on(), bags.o().shape(),
           value_of_bag<T>{bags.x().view(), bags.o().view(), bags.places().view()});
  }
};

/// `best`: segmented_sum with bags that were prepared once.
template <class T>
class bags_best : public bags_experiment<T> {
 public:
  using bags_experiment<T>::bags_experiment;
  void run() override { segmented_sum(this->bags().o(), this->bags().x(), this->ready()); }
};

/// `vendor`
template <class T>
class vendor_bags : public bags_experiment<T> {
 public:
  explicit vendor_bags(bags_of_columns<T>& bags)
      : bags_experiment<T>(bags), run_(vendor_segmented_sum(bags.o(), bags.x(), bags.offsets())) {}
  void run() override { run_(); }

 private:
  std::function<void()> run_;
};

template <class T>
std::unique_ptr<lab::experiment> bags_of_columns<T>::make(const std::string& variant,
                                                          const lab::tuning&) {
  if (variant == "loop") return std::make_unique<loop_over_bags<T>>(*this);
  if (variant == "round-trip") return std::make_unique<bags_round_trip<T>>(*this);
  if (variant == "kernel") return std::make_unique<bags_kernel<T>>(*this);
  if (variant == "best") return std::make_unique<bags_best<T>>(*this);
  if (variant == "vendor") return std::make_unique<vendor_bags<T>>(*this);
  throw error("no variant '" + variant + "' of segmented_sum");
}

std::unique_ptr<lab::prepared_case> prepare_segmented_sum(const lab::setting& where) {
  return for_type<f32, f64>(where.type, [&](auto example) {
    return make_prepared<bags_of_columns<decltype(example)>>(where);
  });
}

}  // namespace

lab::bench_case segmented_sum_case() {
  return {
      .name = "segmented_sum",
      .about = "sums of columns in bags of 1 to 1000, most of them short",
      .axes = "a shape of two extents: rows, bags",
      .types = {"f32", "f64"},
      .least_rank = 2,
      .most_rank = 2,
      .cpu_shape = {128, 111000},
      .cuda_shape = {128, 111000},
      .arrays = 40,  // a bag has 15 columns on average
      .moved_arrays = 15,
      .best = "best",
      .variants =
          {{.name = "loop",
            .about = "a launch for each bag, one thread a row",
            .gain = "a launch for each bag: most have a few columns, so starting kernels is what "
                    "takes the time",
            .cpu_gain = "a call for each bag; a sum walks along a row, whose cells are a column "
                        "apart"},
           {.name = "round-trip",
            .about = "to the CPU, summed up there, and back",
            .gain = "the CPU sums up what is sent to it: no launches, but every byte crosses the "
                    "bus between CPU and GPU",
            .cpu_gain = "sums up a copy, as for a GPU: all data are moved once more",
            .is_for_ladder_only = true},
           {.name = "kernel",
            .about = "one launch, one thread a value of the result",
            .gain = "one launch for all bags, and no byte leaves the GPU; the longest bag is "
                    "still the work of one thread a row",
            .cpu_gain = "one call for all bags; a sum still walks along a row, whose cells are a "
                        "column apart"},
           {.name = "best",
            .about = "segmented_sum(O, X, bags)",
            .gain = "pieces of bags, shared out so that all warps have about as many columns, and "
                    "loaded in batches: neither long nor short bags keep anyone waiting",
            .cpu_gain = "adds column to column, the rows side by side in the lanes of SIMD loops; "
                        "pieces of bags are shared out to the cores"},
           {.name = "vendor",
            .about = "CUB's sum by key of cells taken row by row; on a CPU std::transform adds "
                     "columns to sums, one core",
            .gain = "what others ship: CUB's sum by key, the bag being the key, takes cells row by "
                    "row, so a sector of 32 bytes for every cell",
            .cpu_gain = "what others ship: std::transform adds column after column to the sums of "
                        "a bag, on one core",
            .is_for_ladder_only = true}},
      .prepare = prepare_segmented_sum};
}

}  // namespace teff::bench

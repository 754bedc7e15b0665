// SPDX-License-Identifier: MIT
#include <teff/array/host_copy.hpp>
#include <teff/expr/statement.hpp>

#include <bench/compare_cells.hpp>
#include <bench/host_values.hpp>
#include <bench/probe/probe_case.hpp>
#include <bench/probe/probe_cpu.hpp>
#include <bench/probe/probe_vectors.hpp>
#include <bench/probe/probes.hpp>

/// Reading without writing, and writing without reading.
namespace teff::bench {

namespace {

/// Partial sums: enough for every thread of a large GPU, few beside the cells that are read.
constexpr index_t most_sums = 1 << 18;

class peak_write : public lab::prepared_case {
 public:
  explicit peak_write(const lab::setting& where)
      : on_(where.dev), a_(on_, {probe_cells(where)}, "A"), comparer_(on_) {
    expected_.assign(static_cast<std::size_t>(a_.size()), value);
  }
  stream on() const override { return on_; }
  std::unique_ptr<lab::experiment> make(const std::string& variant,
                                        const lab::tuning& how) override {
    traffic moved;
    moved.write_bytes = static_cast<double>(bytes(a_));
    moved.cells = static_cast<double>(a_.size());
    return std::make_unique<probe_experiment>(probe_experiment::parts{
        find(variant, probe_threads(how)),
        [this] { a_ = poison<f64>(); },
        [this] { return comparer_.compare(a_.data(), expected_, 0, {a_.size()}); },
        {moved, moved.a_eff_bytes(), 1, 1}});
  }

 private:
  static constexpr f64 value = 0.75;

  probe_run find(const std::string& variant, int threads) {
    const stream on = on_;
    f64* a = a_.data();
    const index_t cells = a_.size();
    if (variant == "stores1")
      return {[=] { write_vectors<1>(on, a, value, cells, threads); }, {threads}};
    if (variant == "stores4")
      return {[=] { write_vectors<4>(on, a, value, cells, threads); }, {threads}};
    if (variant == "streaming") return {[=] { write_streaming(a, value, cells); }, {}};
    if (variant == "plain") return {[=] { write_plainly(a, value, cells); }, {}};
    refuse_probe(variant);
  }

  stream on_;
  array<f64, 1> a_;
  std::vector<f64> expected_;
  cell_comparer comparer_;
};

/// The cells hold small whole numbers, so that their sum is exact in any order and can be checked.
class peak_read : public lab::prepared_case {
 public:
  explicit peak_read(const lab::setting& where)
      : on_(where.dev), b_(on_, {probe_cells(where)}, "B"), sums_(on_, {most_sums}, "sums") {
    const auto small = random_values<i32>(static_cast<std::size_t>(b_.size()), 3);
    const std::vector<f64> values(small.begin(), small.end());
    for (const f64 v : values) expected_ += v;
    b_ = from_host(values);
  }
  stream on() const override { return on_; }
  std::unique_ptr<lab::experiment> make(const std::string& variant,
                                        const lab::tuning& how) override {
    traffic moved;
    moved.read_bytes = static_cast<double>(bytes(b_));
    moved.cells = static_cast<double>(b_.size());
    const int threads = probe_threads(how);
    return std::make_unique<probe_experiment>(
        probe_experiment::parts{find(variant, threads),
                                [this] { sums_ = poison<f64>(); },
                                [this] { return check(); },
                                {moved, moved.a_eff_bytes(), 1, 1}});
  }

 private:
  probe_run find(const std::string& variant, int threads) {
    const stream on = on_;
    f64* sums = sums_.data();
    const f64* b = b_.data();
    const index_t cells = b_.size();
    if (variant == "loads4") {
      used_sums_ = sum_count<4>();
      return {[=, n = used_sums_] { read_vectors<4>(on, sums, n, b, cells, threads); }, {threads}};
    }
    if (variant == "loads8") {
      used_sums_ = sum_count<8>();
      return {[=, n = used_sums_] { read_vectors<8>(on, sums, n, b, cells, threads); }, {threads}};
    }
    if (variant == "plain") {
      used_sums_ = omp_get_max_threads();
      return {[=, n = used_sums_] { read_all(sums, n, b, cells); }, {}};
    }
    refuse_probe(variant);
  }

  /// As many sums as keep a GPU full, but so that every thread reads the same number of vectors.
  template <int Loads>
  index_t sum_count() const {
    index_t sums = most_sums;
    while (b_.size() % (2 * Loads * sums) != 0) sums /= 2;
    return sums;
  }

  lab::check_result check() {
    f64 total = 0;
    const auto sums = to_host(sums_);
    for (index_t i = 0; i < used_sums_; ++i) total += sums[static_cast<std::size_t>(i)];
    lab::check_result result;
    result.ok = total == expected_;
    result.reference = "serial sum of whole numbers, exact";
    if (total == total) result.max_error = std::abs(total - expected_);
    if (!result.ok)
      result.reason =
          "the sum is " + std::to_string(total) + ", expected " + std::to_string(expected_);
    return result;
  }

  stream on_;
  array<f64, 1> b_, sums_;
  index_t used_sums_ = 0;
  f64 expected_ = 0;
};

}  // namespace

std::unique_ptr<lab::prepared_case> prepare_peak_read(const lab::setting& where) {
  return std::make_unique<peak_read>(where);
}
std::unique_ptr<lab::prepared_case> prepare_peak_write(const lab::setting& where) {
  return std::make_unique<peak_write>(where);
}

}  // namespace teff::bench

// SPDX-License-Identifier: MIT
#include <cmath>

#include <teff/array/host_copy.hpp>
#include <teff/expr/statement.hpp>
#include <teff/kernel/multiply_add_chains.hpp>

#include <bench/compare_cells.hpp>
#include <bench/for_type.hpp>
#include <bench/host_values.hpp>
#include <bench/probe/probe_case.hpp>
#include <bench/probe/probe_vectors.hpp>
#include <bench/probe/probes.hpp>

namespace teff::bench {

namespace {

/// Chains x = x*a + b that stay near 1 and never become denormal.
template <class T>
class peak_flop : public lab::prepared_case {
 public:
  explicit peak_flop(const lab::setting& where)
      : on_(where.dev), x_(on_, {where.shape.at(0) / 8 * 8}, "chains"), comparer_(on_) {
    // Every chain of one start value ends the same, so a few of them are enough for the reference.
    constexpr std::size_t different = 64;
    const auto count = static_cast<std::size_t>(x_.size());
    const auto few = random_values<T>(different, 4);
    start_.resize(count);
    expected_.resize(count);
    for (std::size_t i = 0; i < count; ++i) start_[i] = few[i % different];
    for (std::size_t i = 0; i < count; ++i)
      expected_[i] = i < different ? serial_chain(start_[i]) : expected_[i % different];
  }
  stream on() const override { return on_; }
  std::unique_ptr<lab::experiment> make(const std::string& variant, const lab::tuning&) override {
    traffic computed;
    computed.flop = 2.0 * rounds * static_cast<double>(x_.size());
    computed.cells = static_cast<double>(x_.size());
    return std::make_unique<probe_experiment>(probe_experiment::parts{
        find(variant),
        [this] { x_ = from_host(start_); },
        [this] { return comparer_.compare(x_.data(), expected_, 0, {x_.size()}); },
        {computed, 0, 1, 1},
        false});
  }

 private:
  static constexpr int rounds = 4096;
  static constexpr T a = static_cast<T>(0.75), b = static_cast<T>(0.3);

  static T serial_chain(T x) {
    for (int round = 0; round < rounds; ++round) x = std::fma(x, a, b);
    return x;
  }

  probe_run find(const std::string& variant) {
    const stream on = on_;
    T* x = x_.data();
    const index_t chains = x_.size();
    if (variant == "chains" && on.dev().is_cuda())
      return {[=] { multiply_add_threads(on, x, chains, rounds, a, b); }, {256}};
    if (variant == "chains")
      return {[=] { detail::multiply_add_chains(x, chains, rounds, a, b); }, {}};
    refuse_probe(variant);
  }

  stream on_;
  array<T, 1> x_;
  std::vector<T> start_, expected_;
  cell_comparer comparer_;
};

}  // namespace

std::unique_ptr<lab::prepared_case> prepare_peak_flop(const lab::setting& where) {
  return for_type<f64, f32>(
      where.type, [&](auto example) { return make_prepared<peak_flop<decltype(example)>>(where); });
}

}  // namespace teff::bench

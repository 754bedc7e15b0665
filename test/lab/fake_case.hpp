// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <teff/lab/measure.hpp>

/// A case that copies four numbers, in ways that are right or wrong: for tests of what measures.
namespace teff::inline TEFF_MODE::test {

using namespace teff::lab;

/// How a variant of the fake case misbehaves.
enum class fault {
  none,
  leaves_cell_out,
  wrong_value,
  wrong_later,
  does_nothing,
  takes_its_time_or_not,
  moves_little
};

/// A copy of a few numbers, right or wrong.
class fake_experiment : public experiment {
 public:
  fake_experiment(fault f, int& runs) : fault_(f), runs_(runs) {}
  void reset() override {
    target_.assign(source_.size(), -1.0);
    since_reset_ = 0;
  }
  void run() override {
    ++runs_;
    ++since_reset_;
    // Long beside what a busy machine adds.
    const bool is_slow = fault_ == fault::takes_its_time_or_not && since_reset_ % 2 == 0;
    if (is_slow) std::this_thread::sleep_for(std::chrono::milliseconds(20));
    if (fault_ == fault::does_nothing) return;
    target_ = source_;
    if (fault_ == fault::leaves_cell_out) target_[2] = -1;
    if (fault_ == fault::wrong_value) target_[0] += 1e-15;
    if (fault_ == fault::wrong_later && since_reset_ > 2) target_[1] = 7;
  }
  check_result check() override {
    check_result result;
    result.ok = target_ == source_;
    result.reference = "the source";
    if (!result.ok) result.reason = "it differs";
    return result;
  }
  workload work() const override {
    teff::traffic moved;
    moved.read_bytes = moved.write_bytes = fault_ == fault::moves_little ? 4e3 : 4e9;
    moved.cells = 4;
    return {moved, 16e9, 2, 3};
  }
  std::vector<int> threads() const override { return {32, 8}; }

 private:
  fault fault_;
  int& runs_;
  int since_reset_ = 0;
  std::vector<double> source_{1, 2, 3, 4}, target_;
};

class fake_case : public prepared_case {
 public:
  int runs = 0;
  teff::stream on() const override { return teff::device::cpu(); }
  std::unique_ptr<experiment> make(const std::string& variant, const tuning&) override {
    const fault f = variant == "gap"        ? fault::leaves_cell_out
                    : variant == "ulp"      ? fault::wrong_value
                    : variant == "later"    ? fault::wrong_later
                    : variant == "nothing"  ? fault::does_nothing
                    : variant == "unsteady" ? fault::takes_its_time_or_not
                    : variant == "small"    ? fault::moves_little
                                            : fault::none;
    return std::make_unique<fake_experiment>(f, runs);
  }
};

inline bench_case fake_table_entry() {
  bench_case c;
  c.name = "fake";
  c.types = {"f64"};
  c.prepare = [](const setting&) { return std::make_unique<fake_case>(); };
  for (const char* name : {"good", "gap", "ulp", "later", "nothing"})
    c.variants.push_back({name, ""});
  return c;
}

inline result measured(const std::string& variant, int* runs = nullptr) {
  const bench_case c = fake_table_entry();
  fake_case arrays;
  measure_options options;
  options.sampling = {.budget_s = 0, .min_samples = 3, .max_samples = 3, .warm_up_s = 0};
  const result r =
      measure({&c, {teff::device::cpu(), "f64", {4}}, {}}, {variant, variant, {}}, arrays, options);
  if (runs != nullptr) *runs = arrays.runs;
  return r;
}

}  // namespace teff::inline TEFF_MODE::test

// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <teff/stencil/stepper.hpp>
#include <teff/stencil/trial.hpp>

#include "made_up_facts.hpp"

namespace teff::runtime {

/// A step without a formula, whose passes of eight steps are refused or do not fit in memory.
class made_up_stepper : public stepper {
 public:
  explicit made_up_stepper(std::string name, bool fits_in = true, index_t fails = -1)
      : fits(fits_in), fails_at(fails), name_(std::move(name)) {
    facts_.stages = 2;
    test::let(facts_, way_of(schedule::fused), {{1, 1}}, 8);
    test::let(facts_, way_of(schedule::temporal), {{4, 1}, {8, 1}}, 8);
  }
  bool fits;
  index_t fails_at;      ///< steps after which no pass of eight steps finds memory
  int not_launched = 0;  ///< passes of so many steps are not launched
  index_t steps = 0;
  std::vector<std::string> starts;
  std::chrono::milliseconds start_takes{0};

  const step_table& table() const override { return table_; }
  const std::vector<bound_field>& fields() const override { return fields_; }
  const std::vector<captured_part>& captured() const override {
    static const std::vector<captured_part> none;
    return none;
  }
  traffic per_step() const override { return {}; }
  const step_facts& facts() const override { return facts_; }
  std::string key() const override { return name_; }
  std::string borders_text() const override { return ""; }
  std::vector<kernel_facts> kernels(const step_plan&) const override { return {}; }
  double scratch_bytes(const step_plan& plan) const override { return plan.depth; }
  bool is_empty() const override { return false; }
  bool has_residual() const override { return false; }

  void start(const step_plan& plan, index_t) override {
    starts.push_back(plan_text(plan));
    std::this_thread::sleep_for(start_takes);
    if (plan.schedule != schedule::stepwise && !fits)
      throw error(failure::out_of_memory, "no room");
  }
  void take_over() override {}
  void resume(const step_plan& plan) override {
    if (plan.depth == 8 && !fits) throw error(failure::out_of_memory, "no room");
  }
  double advance(index_t count, const step_plan& plan, const sides_first*) override {
    for (index_t made = 0; made < count; made += plan.depth) {
      if (plan.depth == 8 && fails_at >= 0 && steps >= fails_at)
        throw error(failure::out_of_memory, "no room");
      if (plan.depth == not_launched && steps > 0) throw launch_error("99 KB are the limit");
      steps += plan.depth;
    }
    return static_cast<double>(count / plan.depth);
  }
  void finish() override {}
  index_t step() const override { return steps; }
  bool is_finite() const override { return true; }
  void keep_state() override {}
  void go_back() override {}
  std::string non_finite_text(bool) const override { return ""; }
  double residual() const override { return 0; }
  std::unique_ptr<stepper> over_part(const index_t (&)[3]) const override { return nullptr; }
  bool has_bits_of(const stepper&) const override { return true; }

 private:
  std::string name_;
  step_table table_;
  std::vector<bound_field> fields_{{{}, 2, true, "f64", "", stream(device::cpu())}};
  step_facts facts_;
};

inline const plan_check all_trusted = [](const step_plan&) { return refusal(); };
inline plan_check all_but(int depth) {
  return
      [depth](const step_plan& p) { return p.depth == depth ? refusal("wrong bits") : refusal(); };
}

}  // namespace teff::runtime

// SPDX-License-Identifier: MIT
#include <algorithm>

#include <teff/stencil/way.hpp>

namespace teff::runtime {

namespace {

class stage_by_stage : public way {
 public:
  teff::schedule schedule() const override { return schedule::stepwise; }
  const char* name() const override { return "stepwise"; }
  std::string short_text(int depth) const override { return std::to_string(depth); }
  std::string text(int depth) const override { return steps_text(depth) + " per pass"; }
  runtime::second_arrays second_arrays() const override {
    return runtime::second_arrays::where_stages_need_them;
  }
  index_t least_steps(int) const override { return 0; }
  double seconds(const device_model& on, const step_facts& facts, int, double,
                 index_t) const override {
    const double bytes_s = on.single_cost * on.memory_s(facts.stepwise_bytes),
                 chip_s = on.chip_s(operations_of(facts, schedule()));
    return (on.is_gpu ? std::max(bytes_s, chip_s) : bytes_s + chip_s) + facts.stages * on.pass_s;
  }
};

}  // namespace

const way& stages_way() {
  static const stage_by_stage the_way;
  return the_way;
}

}  // namespace teff::runtime

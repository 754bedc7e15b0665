// SPDX-License-Identifier: MIT
#include <algorithm>

#include <teff/stencil/way.hpp>

namespace teff::runtime {

namespace {

class all_stages_at_once : public way {
 public:
  teff::schedule schedule() const override { return schedule::fused; }
  const char* name() const override { return "fused"; }
  std::string short_text(int) const override { return "fused"; }
  std::string text(int depth) const override {
    return steps_text(depth) + " per pass with all stages at once";
  }
  runtime::second_arrays second_arrays() const override {
    return runtime::second_arrays::all_that_last;
  }
  // A pass leaves its result in second arrays, from where a run of one would copy it.
  index_t least_steps(int) const override { return 2; }
  double seconds(const device_model& on, const step_facts& facts, int, double overlap,
                 index_t) const override {
    const double memory_s = on.single_cost * on.memory_s(facts.a_eff_bytes),
                 chip_s = on.chip_s(operations_of(facts, schedule()));
    return (on.is_gpu ? std::max(memory_s, chip_s * overlap) : memory_s + chip_s * on.pass_cost) +
           on.pass_s;
  }
};

}  // namespace

const way& fused_way() {
  static const all_stages_at_once the_way;
  return the_way;
}

}  // namespace teff::runtime

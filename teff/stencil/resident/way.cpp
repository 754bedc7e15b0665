// SPDX-License-Identifier: MIT
#include <algorithm>

#include <teff/stencil/way.hpp>

namespace teff::runtime {

namespace {

class blocks_that_stay : public way {
 public:
  teff::schedule schedule() const override { return schedule::resident; }
  const char* name() const override { return "resident"; }
  std::string short_text(int) const override { return "resident"; }
  std::string text(int depth) const override {
    return "resident, " + steps_text(depth) + " a round";
  }
  runtime::second_arrays second_arrays() const override { return runtime::second_arrays::none; }
  index_t least_steps(int) const override { return 0; }
  index_t least_steps_if_known(int depth) const override {
    return 4 * depth;  // a launch is worth some rounds
  }
  /// Blocks meet after eight steps at most: here twice.
  index_t steps_to_compare(int) const override { return 17; }
  /// Shared memory is the limit, or arithmetic; then barriers and exchanges. A launch loads and
  /// stores all fields, and a run begins with messages of four times their size.
  double seconds(const device_model& on, const step_facts& facts, int depth, double overlap,
                 index_t steps) const override {
    const double operations = operations_of(facts, schedule());
    const double tile_s = std::max(operations / (on.tile_gflop_per_s * 1e9), on.chip_s(operations));
    return tile_s * overlap + 0.25e-6 + 0.7e-6 / depth +
           (3 * on.pass_s + 4 * on.memory_s(facts.a_eff_bytes)) /
               static_cast<double>(std::max<index_t>(steps, 1));
  }
};

}  // namespace

const way& resident_way() {
  static const blocks_that_stay the_way;
  return the_way;
}

}  // namespace teff::runtime

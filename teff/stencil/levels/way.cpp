// SPDX-License-Identifier: MIT
#include <algorithm>
#include <charconv>

#include <teff/stencil/way.hpp>

namespace teff::runtime {

namespace {

/// Tiles and warps, each on its device: the levels of several steps share a pass.
class several_steps_per_pass : public way {
 public:
  teff::schedule schedule() const override { return schedule::temporal; }
  const char* name() const override { return "temporal"; }
  std::string short_text(int depth) const override {
    return depth == 1 ? of_one_step().short_text(depth) : std::to_string(depth);
  }
  std::optional<int> depth_of(std::string_view text) const override {
    int depth = 0;
    const char* const end = text.data() + text.size();
    const auto [rest, failure] = std::from_chars(text.data(), end, depth);
    if (failure != std::errc() || rest != end || depth < 1) return {};
    return depth;
  }
  std::string text(int depth) const override {
    return depth == 1 ? of_one_step().text(depth) : steps_text(depth) + " per pass";
  }
  bool has_depths() const override { return true; }
  const way& of_one_step() const override { return way_of(teff::schedule::fused); }
  runtime::second_arrays second_arrays() const override {
    return runtime::second_arrays::all_that_last;
  }
  // A pass leaves its result in second arrays, from where a run of one would copy it.
  index_t least_steps(int depth) const override { return std::max(depth, 2); }
  double seconds(const device_model& on, const step_facts& facts, int depth, double overlap,
                 index_t steps) const override {
    const double slabs = static_cast<double>(std::max<index_t>(facts.slabs, 1));
    if (facts.dims > 1) overlap *= 1 + 2 * depth / slabs;  // along the dim of the slabs, too
    const double passes = static_cast<double>(ceil_div(steps, index_t{depth})) /
                          static_cast<double>(steps);  // of a step
    return passes * (on.memory_share * on.memory_s(facts.a_eff_bytes) + on.pass_s) +
           on.chip_s(operations_of(facts, schedule())) * overlap * on.pass_cost;
  }
};

}  // namespace

const way& levels_way() {
  static const several_steps_per_pass the_way;
  return the_way;
}

}  // namespace teff::runtime

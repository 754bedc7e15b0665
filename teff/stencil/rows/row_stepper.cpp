// SPDX-License-Identifier: MIT
#include <algorithm>
#include <utility>

#include <teff/base/error.hpp>
#include <teff/stencil/resident/limits.hpp>
#include <teff/stencil/rows/row_cells.hpp>
#include <teff/stencil/rows/row_residual.hpp>
#include <teff/stencil/rows/row_stepper.hpp>
#include <teff/stencil/way.hpp>

namespace teff::runtime {

namespace {

std::vector<bound_field> facts_of(const std::vector<std::unique_ptr<row_field>>& fields) {
  std::vector<bound_field> all;
  for (const auto& field : fields) all.push_back(field->facts());
  return all;
}

bool can_be_resident(const std::vector<bound_field>& fields, device dev) {
  index_t bytes = 0;
  for (const bound_field& field : fields) bytes += field.cells.bytes();
  return bytes <= most_resident_bytes(dev);
}

std::vector<region> current_of(const std::vector<std::unique_ptr<row_field>>& fields) {
  std::vector<region> all;
  for (const auto& field : fields) all.push_back(field->memory().current());
  return all;
}

/// The values of a condition's formula at border cells.
template <class V>
class side_values_of_row : public side_values {
 public:
  side_values_of_row(const row& what, const stream& on, const index_t (&start)[3],
                     const index_t (&count)[3])
      : what_(what), on_(on), count_(count[0], count[1], count[2]) {
    for (int d = 0; d < 3; ++d) start_[d] = start[d];
  }
  void fill(index_t first, int states) override {
    for (int s = 0; s < states; ++s) {
      const auto at = static_cast<std::size_t>(s);
      if (values_.size() <= at) values_.emplace_back(on_, count_, "values of a condition");
      if (on_.dev().is_cuda()) {
        launch_row_kernel(on_, {what_, first + s, region_of(values_[at]), {0, 0, 0}, {}}, start_,
                          is_converted());
        continue;
      }
      for (index_t k = 0; k < count_[2]; ++k)
        for (index_t j = 0; j < count_[1]; ++j) {
          const index_t cell[4] = {start_[0], start_[1] + j, start_[2] + k, first + s};
          V* to = values_[at].data() + j * stride(1) + k * stride(2);
          compute(to, cell);
        }
    }
  }
  const double* real(int state) const override {
    if constexpr (std::same_as<V, double>) return values_[static_cast<std::size_t>(state)].data();
    return nullptr;
  }
  const i64* whole(int state) const override {
    if constexpr (std::same_as<V, i64>) return values_[static_cast<std::size_t>(state)].data();
    return nullptr;
  }
  index_t stride(int dim) const override { return values_.front().stride(dim); }

 private:
  bool is_converted() const { return std::same_as<V, double> && what_.type == cell_type::i64; }
  void compute(V* to, const index_t (&cell)[4]) {
    if (is_converted()) {
      std::vector<i64> whole(static_cast<std::size_t>(count_[0]));
      what_.compute_cells(whole.data(), nullptr, count_[0], cell);
      for (index_t i = 0; i < count_[0]; ++i)
        to[i] = convert<V>(whole[static_cast<std::size_t>(i)]);
    } else {
      what_.compute_cells(to, nullptr, count_[0], cell);
    }
  }

  row what_;
  stream on_;
  index_t start_[3];
  extents<3> count_;
  std::vector<array<V, 3>> values_;  // by state
};

class row_formula : public side_formula {
 public:
  explicit row_formula(const row& what) : what_(what) {}
  bool is_whole() const override { return what_.type == cell_type::i64; }
  void add_rules(flow_rules&) const override {}
  std::unique_ptr<side_values> values(const stream& on, bool as_whole, const index_t (&start)[3],
                                      const index_t (&count)[3]) const override {
    if (is_whole() && as_whole)
      return std::make_unique<side_values_of_row<i64>>(what_, on, start, count);
    return std::make_unique<side_values_of_row<double>>(what_, on, start, count);
  }

 private:
  row what_;
};

}  // namespace

row_side::row_side(kind k, double a, double b, const row& formula) : side_condition(k, a, b) {
  formula_ = std::make_shared<row_formula>(formula);
}

row_stepper::row_stepper(std::shared_ptr<const row_step> step,
                         std::vector<std::unique_ptr<row_field>> fields, compiled_kernels kernels)
    : field_stepper(step->table, true, facts_of(fields)),
      of_(std::move(step)),
      cells_(std::move(fields)),
      kernels_(std::move(kernels)) {
  std::vector<field_memory*> memory;
  for (const auto& field : cells_) memory.push_back(&field->memory());
  std::vector<const field_conditions*> conditions;
  for (std::size_t k = 0; k < of_->stages.size(); ++k) {
    const stage_table& stage = of_->tables[k];
    conditions_of_.push_back(cells_[static_cast<std::size_t>(stage.slot)]->conditions(
        of_->stages[k].sides, stage, this->fields()));
    conditions.push_back(&conditions_of_.back()->facts());
  }
  bind(std::move(memory), std::move(conditions));
  const row& first = of_->stages.front().computed;
  if (kernels_.fused)
    fused_.emplace(kernels_.fused, of_->table, cells_, leading().on, first.reals, first.integers);
  if (!kernels_.passes.empty())
    passes_.emplace(kernels_.passes, of_->table, cells_, conditions_of_, leading().on, first.reals,
                    first.integers);
  if (kernels_.resident)
    resident_.emplace(kernels_.resident, of_->table, cells_, conditions_of_, leading().on,
                      first.reals, first.integers);
}

std::string row_stepper::key() const {
  std::string rows = field_stepper::key() + "; rows";
  const auto passes = static_cast<int>(kernels_.passes.size());
  if (passes_ && shapes_to_compile(kernels_.passes.front()->facts(), dev()) > passes)
    rows += " of " + std::to_string(passes) + " kernels";
  return rows + (fused_ ? ", fused" : "") + (resident_ ? ", resident" : "");
}

std::vector<way_facts> row_stepper::facts_of_ways() const {
  way_facts single{&way_of(schedule::stepwise), {}, {{1, 1}}};
  const std::string why = !of_->interpreted.empty()
                              ? "rows are interpreted, which make single steps: " + of_->interpreted
                          : dev().is_cpu() ? "compiled as rows, which make single steps"
                          : passes_        ? "NVRTC makes no kernel of it for this formula"
                                           : "compiled as rows by NVRTC, which make single steps";
  std::vector<way_facts> all{std::move(single)};
  if (fused_)
    all.push_back(fused_->facts(arrays()));
  else if (dev().is_cuda())
    all.push_back({&way_of(schedule::fused), refusal(why), {}});
  all.push_back(passes_ ? passes_->facts(arrays())
                        : way_facts{&way_of(schedule::temporal), refusal(why), {}});
  if (resident_)
    all.push_back(resident_->facts(arrays()));
  else if (dev().is_cuda())
    all.push_back(
        {&way_of(schedule::resident),
         can_be_resident(fields(), dev()) ? refusal(why) : resident_refused(resident_cut{}),
         {}});
  return all;
}

std::vector<kernel_facts> row_stepper::kernels(const step_plan& plan) const {
  if (is_empty()) return {};
  if (plan.schedule == schedule::fused && fused_) return {fused_->kernel()};
  if (plan.schedule == schedule::temporal && passes_) return {passes_->kernel(plan.depth)};
  if (plan.schedule == schedule::resident && resident_) return {resident_->kernel()};
  return {};
}

double row_stepper::extra_bytes_of(const step_plan& plan) const {
  return plan.schedule == schedule::resident && resident_ ? resident_->extra_bytes() : 0;
}

std::unique_ptr<stepper> row_stepper::over_part(const index_t (&left_out)[3]) const {
  std::vector<std::unique_ptr<row_field>> parts;
  for (std::size_t f = 0; f < cells_.size(); ++f)
    parts.push_back(cells_[f]->part(left_out, of_->table.evolves(static_cast<int>(f))));
  return std::make_unique<row_stepper>(of_, std::move(parts), kernels_);
}

double row_stepper::residual() const {
  if (!of_->residual) return 0;
  settle();
  return value_of(*of_->residual, leading().on, step(), current_of(cells_));
}

double row_stepper::advance(index_t steps, const step_plan& plan, const sides_first*) {
  double passes = 0;
  for (const steps_by_plan& part : parts_of(steps, plan)) {
    change_to(part.plan, plan);
    try {
      passes += advance_by(part.plan, part.steps);
    } catch (const launch_error& failed) {
      throw_failed(failed, part.plan, plan);
    }
  }
  return passes;
}

/// @returns passes
double row_stepper::advance_by(const step_plan& plan, index_t steps) {
  double passes = 0;
  const auto advance = [&](index_t most, const auto& run) {
    for (index_t left = steps; left > 0; ++passes) {
      const int now = static_cast<int>(std::min(left, most));
      run(now);
      step_ += now;
      left -= now;
    }
  };
  if (plan.schedule == schedule::fused && fused_)
    advance(1, [&](int) { fused_->run(); });
  else if (plan.schedule == schedule::temporal && passes_)
    advance(plan.depth, [&](int now) { passes_->run(now, step_); });
  else if (plan.schedule == schedule::resident && resident_)
    advance(most_resident_steps, [&](int now) { resident_->run(now); });
  else if (plan.schedule == schedule::stepwise)
    advance(1, [&](int) { make_step(); });
  else
    throw_no_kernel(plan, dev());
  return passes;
}

void row_stepper::make_step() {
  const step_table& whole = of_->table;
  const bool hands_on = rings().are_used();
  for (int k = 0; k < whole.stages; ++k) {
    if (whole.first_of_statement(k, hands_on) == k) compute(k, whole.end_of_statement(k, hands_on));
    const bool is_seen = k + 1 == whole.stages || whole.stage[k + 1].sees > k;
    if (!is_seen) continue;
    for (int j = whole.stage[k].sees; j <= k; ++j) show_new(j);
  }
}

field_memory& row_stepper::memory(int stage) const {
  return cells_[static_cast<std::size_t>(of_->table.stage[stage].slot)]->memory();
}

bool row_stepper::begins_ring(int stage) const {
  return rings().are_used() && of_->table.begins_ring(stage);
}

/// Stages that are one statement.
void row_stepper::compute(int first, int end) {
  const step_table& whole = of_->table;
  const std::vector<region> now = current_of(cells_);
  std::vector<row_cells> all;
  for (int k = first; k < end; ++k) {
    const stage_table& stage = whole.stage[k];
    if (rings().are_used() && whole.is_handed_on(k)) continue;
    const bool in_place = is_in_place(k);
    if (whole.writers(stage.slot) > 1 && !in_place) memory(k).keep_frame(stage);
    region target = begins_ring(k) ? rings().of(k).ready().current()
                    : in_place     ? memory(k).current()
                                   : memory(k).upcoming();
    auto* cell = static_cast<const char*>(target.first);
    index_t low[3];
    for (int d = 0; d < 3; ++d) {
      low[d] = stage.low[d];
      cell += low[d] * target.stride_bytes[d];
      target.count[d] -= stage.low[d] + stage.high[d];
    }
    target.first = cell;
    if (target.is_empty()) continue;
    all.emplace_back(of_->stages[static_cast<std::size_t>(k)].computed, step(), target, low, now);
    all.back().is_of_one_block = is_of_one_block(k);
  }
  if (!all.empty()) compute_rows(leading().on, all);
}

/// From now on stages see what this one wrote, and its conditions hold.
void row_stepper::show_new(int stage) {
  if (begins_ring(stage))
    rings().of(stage).turn();
  else if (!is_in_place(stage))
    memory(stage).turn();
  row_conditions& conditions = *conditions_of_[static_cast<std::size_t>(stage)];
  if (!conditions.facts().keeps_all()) conditions.apply(step() + 1, {});
}

/// As hold_conditions() of given_state.hpp.
void row_stepper::hold_conditions(index_t state) {
  const step_table& whole = of_->table;
  for (int k = 0; k < whole.stages; ++k) {
    row_conditions& conditions = *conditions_of_[static_cast<std::size_t>(k)];
    if (conditions.facts().keeps_all()) continue;
    std::vector<cell_box> later;
    for (int j = k + 1; j < whole.stages; ++j)
      if (whole.stage[j].slot == whole.stage[k].slot)
        conditions_of_[static_cast<std::size_t>(j)]->facts().add_changed(later);
    conditions.apply(state, later);
  }
}

}  // namespace teff::runtime

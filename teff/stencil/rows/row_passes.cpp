// SPDX-License-Identifier: MIT
#include <cstring>
#include <string>
#include <utility>

#include <teff/stencil/array_facts.hpp>
#include <teff/stencil/levels/pass_extents.hpp>
#include <teff/stencil/rows/row_passes.hpp>
#include <teff/stencil/warps/cut.hpp>
#include <teff/stencil/way.hpp>

namespace teff::runtime {

namespace {

/// As periodic_extents of warps/slabs.hpp; its first three numbers are slab_extents.
struct extents_of_field {
  int columns, rows, slabs;
  int first[3], period[3];
};

}  // namespace

int shapes_to_compile(const pass_facts& facts, device dev) {
  if (facts.allows_passes && facts.shapes == 0) return -1;
  int count = 0;
  bool fits = true;
  facts.each_sensible([&](int s) {
    fits = fits && static_cast<std::size_t>(facts.of[s].shared_bytes) <= shared_bytes_of(dev);
    count += fits ? 1 : 0;
  });
  return count;
}

row_passes::row_passes(std::vector<std::shared_ptr<const pass_kernel>> kernels,
                       const step_table& table,
                       const std::vector<std::unique_ptr<row_field>>& fields,
                       const std::vector<std::unique_ptr<row_conditions>>& conditions,
                       const stream& on, const double* reals, const i64* integers)
    : kernels_(std::move(kernels)),
      parameters_(kernels_.size()),
      table_(table, kernels_.front()->facts().has_conditions),
      fields_(fields),
      conditions_(conditions),
      on_(on),
      reals_(reals),
      integers_(integers) {}

way_facts row_passes::facts(const array_facts& arrays) const {
  way_facts made{&way_of(schedule::temporal), arrays.formula_refused(), {}};
  if (made.refused) return made;
  const pass_facts& facts = kernels_.front()->facts();
  made.cost_of_fewer = compiled_depths_cost(facts.has_conditions);
  if (facts.uses_step) {
    made.refused = step_number_refused();
    return made;
  }
  const std::size_t most_bytes = shared_bytes_of(arrays.dev());
  std::size_t number = 0;
  int least_bytes = 0;
  bool fits = true;
  facts.each_sensible([&](int s) {
    const pass_facts::shape& shape = facts.of[s];
    if (least_bytes == 0) least_bytes = shape.shared_bytes;
    fits = fits && static_cast<std::size_t>(shape.shared_bytes) <= most_bytes &&
           number < kernels_.size();
    if (fits) made.choices.push_back({shape.fit.steps, shape.fit.overlap()});
    ++number;
  });
  if (number == 0) {
    std::vector<shape_fit> fits_of_all;
    for (int s = 0; s < facts.shapes; ++s) fits_of_all.push_back(facts.of[s].fit);
    if (!fits_of_all.empty())
      made.refused = refused_all(fits_of_all);
    else
      made.refused = facts.allows_passes
                         ? refusal("compiled by NVRTC, which makes single steps of more than " +
                                   std::to_string(pass_facts::most_stages) + " stages")
                         : refusal("the fields are not of f32 or f64");
  } else {
    made.refused = room_refused(least_bytes, most_bytes);
  }
  if (!made.refused) made.refused = arrays.refused(facts.farthest_reach);
  if (made.refused)
    made.choices.clear();
  else
    made.deepest = made.choices.back().depth;
  return made;
}

const pass_kernel& row_passes::with_levels(int steps, std::vector<std::byte>** parameter) {
  std::size_t k = 0;
  while (k + 1 < kernels_.size() && kernels_[k]->facts().levels < steps) ++k;
  if (parameters_[k].empty()) parameters_[k] = kernels_[k]->parameter(on_, reals_, integers_);
  *parameter = &parameters_[k];
  return *kernels_[k];
}

kernel_facts row_passes::kernel(int depth) const {
  std::size_t k = 0;
  while (k + 1 < kernels_.size() && kernels_[k]->facts().levels < depth) ++k;
  const pass_facts& facts = kernels_[k]->facts();
  kernel_facts use = kernels_[k]->use(on_.dev(), facts.threads, facts.shared_bytes);
  use.shape = warp_shape_text(facts.threads, 32 * facts.cells, facts.rows, facts.levels);
  use.bytes_in_flight =
      static_cast<double>(facts.bytes_in_flight) * facts.threads * use.blocks_per_processor;
  return use;
}

void row_passes::run(int steps, index_t step) {
  std::vector<std::byte>* parameter = nullptr;
  const pass_kernel& kernel = with_levels(steps, &parameter);
  const pass_facts& facts = kernel.facts();
  const int rank = table_->rank, slab = rank == 3 ? 2 : 1, row = rank == 3 ? 1 : 2;

  std::vector<const field_conditions*> conditions;
  for (int k = 0; k < table_->stages; ++k) {
    row_conditions& of_stage = *conditions_[static_cast<std::size_t>(k)];
    conditions.push_back(&of_stage.facts());
    if (facts.edges[k] < 0) continue;
    of_stage.facts().fill(step + 1, steps);
    of_stage.set_pass_edges(parameter->data() + facts.edges[k], rank,
                            facts.has_formulas ? facts.levels : 0, steps);
  }

  index_t n[most_fields][3];
  for (int f = 0; f < table_->fields; ++f) {
    field_memory& memory = fields_[static_cast<std::size_t>(f)]->memory();
    const region now = memory.current();
    for (int d = 0; d < 3; ++d) n[f][d] = now.count[d];
    set_bytes(*parameter, facts.from[f], of_region(now, rank));
    set_bytes(*parameter, facts.to[f], of_region(memory.upcoming(), rank));
  }
  pass_period periods[most_fields][3];
  if (facts.has_conditions) find_periods(*table_, conditions, n, periods);
  for (int f = 0; f < table_->fields; ++f) {
    extents_of_field extents{static_cast<int>(n[f][0]),
                             static_cast<int>(n[f][row]),
                             static_cast<int>(n[f][slab]),
                             {},
                             {}};
    for (int d = 0; d < 3; ++d) {
      extents.first[d] = periods[f][d].first;
      extents.period[d] = periods[f][d].period;
    }
    std::memcpy(parameter->data() + facts.extents[f], &extents,
                static_cast<std::size_t>(facts.extents_bytes));
  }

  const pass_cells cells = cells_of_pass(*table_, n);
  const tasks_beside none;
  const warp_cut cut = cut_for({rank, facts.cells, facts.kept, facts.kept_rows, facts.slabs_more,
                                facts.blocks, facts.tasks_of_block},
                               cells, 0, cells.n[slab],
                               on_.dev().is_cpu() ? 1 : known_device(on_.dev()).processors, &none);
  set_bytes(*parameter, facts.cut, cut);
  set_bytes(*parameter, facts.depth, steps);
  set_bytes(*parameter, facts.has_side_formulas, have_formulas(conditions, rank - 1));
  kernel.launch(on_,
                {.blocks = {ceil_div(cut.tasks(), facts.tasks_of_block)},
                 .threads = {facts.threads},
                 .shared_bytes = facts.shared_bytes},
                *parameter);
  for (int f = 0; f < table_->fields; ++f)
    if (table_->evolves(f)) fields_[static_cast<std::size_t>(f)]->memory().turn();
}

}  // namespace teff::runtime

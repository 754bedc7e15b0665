// SPDX-License-Identifier: MIT
#include <utility>

#include <teff/stencil/array_facts.hpp>
#include <teff/stencil/rows/row_fused.hpp>
#include <teff/stencil/way.hpp>

namespace teff::runtime {

row_fused::row_fused(std::shared_ptr<const fused_kernel> kernel, const step_table& table,
                     const std::vector<std::unique_ptr<row_field>>& fields, const stream& on,
                     const double* reals, const i64* integers)
    : kernel_(std::move(kernel)),
      table_(table),
      fields_(fields),
      on_(on),
      reals_(reals),
      integers_(integers) {}

way_facts row_fused::facts(const array_facts& arrays) const {
  const fused_facts& facts = kernel_->facts();
  way_facts made{&way_of(schedule::fused), arrays.formula_refused(), {}};
  if (!made.refused && facts.uses_step) made.refused = step_number_refused();
  if (!made.refused && !facts.fits_formula) made.refused = fused_formula_refused();
  if (!made.refused) made.refused = arrays.refused(0);
  if (!made.refused) made.choices = {{1, facts.overlap}};
  return made;
}

kernel_facts row_fused::kernel() const {
  const fused_facts& facts = kernel_->facts();
  kernel_facts use = kernel_->use(on_.dev(), facts.block.threads, 0);
  use.shape = fused_shape_text(facts.block);
  use.bytes_in_flight =
      static_cast<double>(facts.bytes_in_flight) * use.threads * use.blocks_per_processor;
  return use;
}

void row_fused::run() {
  const fused_facts& facts = kernel_->facts();
  if (parameter_.empty()) parameter_ = kernel_->parameter(on_, reals_, integers_);
  index_t n[most_fields][3];
  for (int f = 0; f < table_.fields; ++f) {
    field_memory& memory = fields_[static_cast<std::size_t>(f)]->memory();
    const region now = memory.current();
    for (int d = 0; d < 3; ++d) n[f][d] = now.count[d];
    set_bytes(parameter_, facts.from[f], of_region(now, table_.rank));
    set_bytes(parameter_, facts.to[f], of_region(memory.upcoming(), table_.rank));
    set_bytes(parameter_, facts.extents[f], n[f]);
  }
  const fused_cut cut = cut_fused(table_, facts.reach, n, facts.block);
  set_bytes(parameter_, facts.cut, cut);
  kernel_->launch(on_, {.blocks = {cut.count()}, .threads = {facts.block.threads}}, parameter_);
  for (int f = 0; f < table_.fields; ++f)
    if (table_.evolves(f)) fields_[static_cast<std::size_t>(f)]->memory().turn();
}

}  // namespace teff::runtime

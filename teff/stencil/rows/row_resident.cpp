// SPDX-License-Identifier: MIT
#include <utility>

#include <teff/stencil/array_facts.hpp>
#include <teff/stencil/levels/pass_extents.hpp>
#include <teff/stencil/resident/limits.hpp>
#include <teff/stencil/rows/row_resident.hpp>
#include <teff/stencil/way.hpp>

namespace teff::runtime {

row_resident::row_resident(std::shared_ptr<const resident_kernel> kernel, const step_table& table,
                           const std::vector<std::unique_ptr<row_field>>& fields,
                           const std::vector<std::unique_ptr<row_conditions>>& conditions,
                           const stream& on, const double* reals, const i64* integers)
    : kernel_(std::move(kernel)),
      table_(table, kernel_->facts().has_conditions),
      fields_(fields),
      conditions_(conditions),
      on_(on),
      reals_(reals),
      integers_(integers) {}

resident_cut row_resident::cut() const {
  const resident_facts& facts = kernel_->facts();
  index_t of_fields[most_fields][3];
  for (std::size_t f = 0; f < fields_.size(); ++f)
    for (int d = 0; d < 3; ++d) of_fields[f][d] = fields_[f]->memory().current().count[d];
  const pass_cells cells = cells_of_pass(*table_, of_fields);
  const int n[2] = {static_cast<int>(cells.n[0]), static_cast<int>(cells.n[1])},
            border[2] = {static_cast<int>(cells.border[0]), static_cast<int>(cells.border[1])};
  constexpr int emulated_blocks = 6;
  if (on_.dev().is_cpu())
    return cut_resident(n, border, facts.reach, table_->stages, facts.cell_bytes,
                        static_cast<int>(emulated_shared_bytes), emulated_blocks);
  return known_cut_resident(n, border, facts.reach, table_->stages, facts.cell_bytes, on_.dev());
}

way_facts row_resident::facts(const array_facts& arrays) const {
  way_facts made{&way_of(schedule::resident), {}, {}};
  made.refused =
      kernel_->facts().fits_formula ? resident_refused(arrays) : resident_formula_refused();
  if (made.refused) return made;
  const resident_cut c = cut();
  made.refused = resident_refused(c);
  if (made.refused) return made;
  made.choices = {resident_choice(c)};
  made.deepest = c.steps_of_round;
  return made;
}

kernel_facts row_resident::kernel() const {
  const resident_facts& facts = kernel_->facts();
  return kernel_->use(on_.dev(), facts.threads, cut().cells() * facts.cell_bytes);
}

double row_resident::extra_bytes() const {
  double bytes = 0;
  for (int f = 0; f < table_->fields; ++f)
    if (table_->evolves(f))
      bytes +=
          detail::message_copies *
          static_cast<double>(fields_[static_cast<std::size_t>(f)]->memory().current().bytes());
  return bytes;
}

void row_resident::make_messages(const resident_cut& cut) {
  const index_t cells = index_t{cut.all(0)} * cut.all(1);
  std::vector<index_t> words;
  for (int f = 0; f < table_->fields; ++f)
    words.push_back(
        table_->evolves(f)
            ? detail::message_words(
                  cells, fields_[static_cast<std::size_t>(f)]->memory().current().cell_bytes)
            : 0);
  messages_.emplace(on_, words);
}

void row_resident::run(int steps) {
  const resident_facts& facts = kernel_->facts();
  const resident_cut cut = this->cut();
  if (!messages_) make_messages(cut);
  if (parameter_.empty()) parameter_ = kernel_->parameter(on_, reals_, integers_);
  for (int f = 0; f < table_->fields; ++f) {
    const region cells = fields_[static_cast<std::size_t>(f)]->memory().current();
    set_bytes(parameter_, facts.from[f], of_region(cells, table_->rank));
    set_bytes(parameter_, facts.to[f], of_region(cells, table_->rank));
    const int n[2] = {static_cast<int>(cells.count[0]), static_cast<int>(cells.count[1])};
    set_bytes(parameter_, facts.extents[f], n);
    for (int odd = 0; odd < 2; ++odd)
      set_bytes(parameter_, facts.messages[odd][f], messages_->half(f, odd));
  }
  for (int k = 0; k < table_->stages; ++k)
    if (facts.edges[k] >= 0)
      conditions_[static_cast<std::size_t>(k)]->set_pass_edges(parameter_.data() + facts.edges[k],
                                                               table_->rank, 0, 1);
  set_bytes(parameter_, facts.cut, cut);
  set_bytes(parameter_, facts.steps, steps);
  set_bytes(parameter_, facts.rounds_before, messages_->rounds());
  kernel_->launch(on_,
                  {.blocks = {index_t{cut.blocks[0]} * cut.blocks[1]},
                   .threads = {facts.threads},
                   .shared_bytes = index_t{cut.cells()} * facts.cell_bytes,
                   .all_resident = true},
                  parameter_);
  messages_->add_rounds(steps, cut);
}

}  // namespace teff::runtime

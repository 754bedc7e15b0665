// SPDX-License-Identifier: MIT
#include <teff/expr/read_count.hpp>
#include <teff/stencil/step_traffic.hpp>

namespace teff::runtime {

traffic traffic_of_step(const step_table& table, const std::vector<bound_field>& fields,
                        const std::vector<captured_part>& captured) {
  traffic moved;
  read_count reads;
  for (int s = 0; s < table.fields; ++s) {
    if (fields[static_cast<std::size_t>(s)].is_own()) continue;
    const region& cells = fields[static_cast<std::size_t>(s)].cells;
    if (table.evolves(s)) moved.write_bytes += static_cast<double>(cells.bytes());
    if (table.evolves(s) ? table.has_history(s) : table.reads(s).is_read) reads.add(cells);
  }
  moved.cells = static_cast<double>(fields[static_cast<std::size_t>(table.leading)].cells.cells());
  for (int k = 0; k < table.stages; ++k) {
    const stage_table& stage = table.stage[k];
    moved.flop += static_cast<double>(fields[static_cast<std::size_t>(stage.slot)].cells.cells()) *
                  stage.flops;
  }
  for (const captured_part& part : captured)
    if (part.stage >= 0) reads.add(part.read);
  moved.read_bytes = reads.bytes();
  return moved;
}

double bytes_stage_by_stage(const step_table& table, const std::vector<bound_field>& fields,
                            const std::vector<captured_part>& captured, bool hands_on) {
  double moved = 0;
  for (int first = 0; first < table.stages; first = table.end_of_statement(first, hands_on)) {
    const int end = table.end_of_statement(first, hands_on);
    read_count reads;
    for (int s = 0; s < table.fields; ++s) {
      const region& cells = fields[static_cast<std::size_t>(s)].cells;
      for (int k = first; k < end; ++k) {
        if (hands_on && table.is_handed_on(k)) continue;
        if (table.stage[k].slot == s) moved += static_cast<double>(cells.bytes());
        if (table.stage[k].reads[s].is_read) reads.add(cells);
      }
    }
    for (const captured_part& part : captured)
      if (first <= part.stage && part.stage < end) reads.add(part.read);
    moved += reads.bytes();
  }
  return moved;
}

}  // namespace teff::runtime

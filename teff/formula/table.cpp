// SPDX-License-Identifier: MIT
#include <algorithm>

#include <teff/formula/table.hpp>

namespace teff::runtime {

std::string step_table::stage_text(int k) const {
  const auto begin_stages = [&](int end) {
    int count = 0;
    for (int j = 0; j < end; ++j) count += stage[j].sees == j;
    return count;
  };
  const int first = stage[k].sees;
  int end = k + 1;
  while (end < stages && stage[end].sees == first) ++end;
  const std::string text = "stage " + std::to_string(begin_stages(k + 1)) + " of " +
                           std::to_string(begin_stages(stages));
  return end == first + 1 ? text
                          : text + ", update " + std::to_string(k - first + 1) + " of " +
                                std::to_string(end - first);
}

bool step_table::has_history(int field) const {
  const stage_table* const first_writer = std::find_if(
      stage, stage + stages, [&](const stage_table& one) { return one.slot == field; });
  return std::any_of(stage, stage + stages, [&](const stage_table& one) {
    return one.reads[field].is_read && one.sees <= first_writer - stage;
  });
}

bool step_table::fits_one_block(int k, const index_t* extents) const {
  constexpr index_t most_cells = 256, most_planes = 64;  // threads of a block; along z
  if (end_of_statement(k) - first_of_statement(k) > 1 || is_read_later(k)) return false;
  index_t cells = 1;
  for (int d = 0; d < 3; ++d) {
    const index_t n = d < rank ? extents[d] - stage[k].low[d] - stage[k].high[d] : 1;
    if (n < 1 || n > (d < 2 ? most_cells : most_planes)) return false;
    cells *= n;
  }
  return cells <= most_cells;
}

footprint step_table::reads(int field) const {
  footprint all;
  for (int k = 0; k < stages; ++k) all = all | stage[k].reads[field];
  return all;
}

bool step_table::reads_only_fields() const {
  // Whatever else a stage reads is in its footprint on any field.
  return std::all_of(stage, stage + stages,
                     [](const stage_table& one) { return one.reads[0].only_fields; });
}

bool step_table::evolves_in_reals() const {
  return std::all_of(stage, stage + stages, [](const stage_table& one) { return one.is_real; });
}

int step_table::widest_border(int dim) const {
  int most = 0;
  for (int k = 0; k < stages; ++k) most = std::max({most, stage[k].low[dim], stage[k].high[dim]});
  return most;
}

namespace {

/// " 0[-1..1,0..0,0..0]#cells": how a stage reads one field; "" if it does not.
std::string reads_text(int field, const footprint& reads) {
  if (!reads.is_read) return "";
  std::string text = " " + std::to_string(field) + "[";
  for (int d = 0; d < 3; ++d)
    text +=
        (d > 0 ? "," : "") + std::to_string(reads.low[d]) + ".." + std::to_string(reads.high[d]);
  return text + "]#" + std::to_string(reads.cells) + (reads.has_corners ? "c" : "");
}

}  // namespace

std::string step_table::key() const {
  std::string text;
  for (int k = 0; k < stages; ++k) {
    text += (k == 0               ? ""
             : stage[k].sees == k ? "; "
                                  : " & ") +
            std::to_string(stage[k].slot) + " = " + std::to_string(stage[k].flops) + " flop";
    for (int d = 0; d < rank; ++d)
      text += " +" + std::to_string(stage[k].low[d]) + "-" + std::to_string(stage[k].high[d]);
    for (int s = 0; s < fields; ++s) text += reads_text(s, stage[k].reads[s]);
  }
  return text;
}

}  // namespace teff::runtime

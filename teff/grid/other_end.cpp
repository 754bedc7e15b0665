// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstring>

#include <teff/grid/other_end.hpp>

namespace teff::runtime {

cells_of_other_end::cells_of_other_end(const grid_state& grid, const step_on_grid& step)
    : grid_(grid), step_(step) {}

/// No step writes the cell, nor sets it by a condition.
bool cells_of_other_end::is_left(int field, const index_t (&cell)[3]) const {
  if (!step_.table.evolves(field)) return true;
  for (int k = 0; k < step_.table.stages; ++k) {
    const stage_table& stage = step_.table.stage[k];
    if (stage.slot != field) continue;
    const stage_sides& sides = step_.sides[static_cast<std::size_t>(k)];
    for (int d = step_.table.rank - 1; d >= 0; --d) {  // where sides meet, the last one says it
      const index_t n = grid_.cells.extent(step_.more[static_cast<std::size_t>(field)], d);
      const bool is_low = cell[d] < stage.low[d], is_high = cell[d] >= n - stage.high[d];
      if (!is_low && !is_high) continue;
      if (sides.keeps[d][is_low ? 0 : 1]) return true;
      break;
    }
  }
  return false;
}

/// By some stage, where it writes cells of the grid; of a residual it is not known.
bool cells_of_other_end::is_read(int field, const index_t (&cell)[3]) const {
  for (int k = 0; k < step_.table.stages; ++k) {
    const stage_table& stage = step_.table.stage[k];
    const footprint& reads = stage.reads[field];
    if (!reads.is_read) continue;
    int beside = 0, beyond = 0;  // dims in which the cell is beside those written, or out of reach
    for (int d = 0; d < step_.table.rank; ++d) {
      const index_t n = grid_.cells.extent(step_.more[static_cast<std::size_t>(stage.slot)], d);
      const index_t begin = stage.low[d], end = n - stage.high[d];
      beside += cell[d] < begin || cell[d] >= end;
      beyond += cell[d] < begin + reads.low[d] || cell[d] >= end + reads.high[d];
    }
    if (beyond == 0 && (reads.has_corners || beside <= 1)) return true;
  }
  return step_.has_residual;
}

std::string cells_of_other_end::put_aside(halo_exchange& all, const std::vector<held_cells>& fields,
                                          const std::string& place) {
  std::string why;
  aside_.clear();
  all.show(fields, place, [&](const halo_move& move, const std::byte* cells) {
    const held_cells& here = fields[static_cast<std::size_t>(move.field)];
    const grid_box own =
        grid_.cells.own(grid_.on.rank(), step_.more[static_cast<std::size_t>(move.field)]);
    const auto is_own = [&](const index_t(&cell)[3]) {
      for (int d = 0; d < 3; ++d)
        if (cell[d] < own.of[d].begin || cell[d] >= own.of[d].end) return false;
      return true;
    };
    const auto bytes = static_cast<std::size_t>(here.cells.cell_bytes);
    const grid_box& box = move.target;
    index_t c[3];
    for (c[2] = box.of[2].begin; c[2] < box.of[2].end; ++c[2])
      for (c[1] = box.of[1].begin; c[1] < box.of[1].end; ++c[1])
        for (c[0] = box.of[0].begin; c[0] < box.of[0].end; ++c[0], cells += bytes) {
          if (!is_own(c) || !is_left(move.field, c)) continue;
          const std::byte* const mine = here.at(c[0], c[1], c[2]);
          if (std::memcmp(mine, cells, bytes) == 0) continue;
          if (!is_read(move.field, c)) {
            aside_.push_back({move.field,
                              {{{c[0], c[0] + 1}, {c[1], c[1] + 1}, {c[2], c[2] + 1}}},
                              {mine, mine + bytes}});
          } else if (why.empty()) {
            why =
                "iterate: the time step is periodic along a dim that is cut, and reads cells of " +
                step_.described[static_cast<std::size_t>(move.field)] +
                " that it leaves as they are and that do not repeat themselves: cell (";
            for (int d = 0; d < grid_.cells.dims(); ++d)
              why += (d > 0 ? ", " : "") + std::to_string(c[d]);
            why +=
                ") differs from the one a period away; make them equal, or leave that dim whole "
                "by grid_options::cuts";
          }
        }
  });
  return why;
}

void cells_of_other_end::give_back(const std::vector<held_cells>& fields, const stream& on,
                                   const packer& by) {
  constexpr std::size_t widest = 16;  // bytes of a cell
  const device place = on.dev().is_cpu() ? on.dev() : device::cpu_pinned();
  const memory_block values(on, place, widest * aside_.size(), "cells of the other end");
  auto* next = static_cast<std::byte*>(values.data());
  std::vector<packed_box> all;
  for (const aside& one : aside_) {
    all.push_back({fields[static_cast<std::size_t>(one.field)], one.cell, next});
    std::copy(one.value.begin(), one.value.end(), next);
    next += widest;
  }
  by.unpack(all);
  on.synchronize();
}

}  // namespace teff::runtime

// SPDX-License-Identifier: MIT
#include <algorithm>

#include <teff/grid/halo_plan.hpp>

namespace teff::runtime {

padded_part padded(const decomposition& whole, int rank, const step_reach& reach,
                   const bool (&is_periodic)[3]) {
  padded_part part;
  for (int d = 0; d < whole.dims(); ++d) {
    const index_t n = whole.extent(d);
    const index_t(&halo)[2] = reach.halo.of[d];
    const index_t(&edge)[2] = reach.edge.of[d];
    cell_range& box = part.box.of[d];
    box = whole.part(d, whole.part_of(rank, d));
    if (!whole.is_cut(d)) continue;
    box.begin -= halo[0];
    box.end += halo[1];
    if (!is_periodic[d]) {
      if (box.begin <= 0) box = {0, std::max(box.end, edge[0] + halo[1])};
      if (box.end >= n) box = {std::min(box.begin, n - edge[1] - halo[0]), n};
      box.begin = std::max<index_t>(box.begin, 0);
    }
    part.goes_on[d][0] = is_periodic[d] || box.begin > 0;
    part.goes_on[d][1] = is_periodic[d] || box.end < n;
  }
  return part;
}

grid_box halo_move::source() const {
  grid_box box = target;
  for (int d = 0; d < 3; ++d) {
    box.of[d].begin += shift[d];
    box.of[d].end += shift[d];
  }
  return box;
}

namespace {

/// Neighbouring cells along one dim that one part owns.
struct segment {
  cell_range target;
  index_t shift;
  int part;
};

std::vector<segment> segments_of(const decomposition& whole, int dim, cell_range cells,
                                 const exchanged_field& field) {
  std::vector<segment> all;
  const index_t low = field.low[dim], period = field.period[dim];
  const index_t n = whole.extent(field.more, dim);
  for (index_t j = cells.begin; j < cells.end;) {
    index_t at = j, beyond = n;
    if (period > 0) {
      at = low + ((j - low) % period + period) % period;
      beyond = low + period;
    }
    const int part = whole.part_with(dim, at);
    if (part < whole.parts(dim) - 1) beyond = std::min(beyond, whole.part(dim, part).end);
    const index_t end = std::min(cells.end, j + (beyond - at));
    all.push_back({{j, end}, at - j, part});
    j = end;
  }
  return all;
}

}  // namespace

std::vector<halo_move> received_by(int rank, const decomposition& whole, const padded_part& part,
                                   const std::vector<exchanged_field>& fields) {
  std::vector<halo_move> all;
  for (std::size_t f = 0; f < fields.size(); ++f) {
    std::vector<segment> along[3];
    for (int d = 0; d < 3; ++d) {
      if (d >= whole.dims()) {
        along[d] = {{{0, 1}, 0, 0}};
        continue;
      }
      cell_range cells = part.box.of[d];
      cells.end += fields[f].more.of[d];
      along[d] = segments_of(whole, d, cells, fields[f]);
    }
    for (const segment& z : along[2])
      for (const segment& y : along[1])
        for (const segment& x : along[0]) {
          const int parts[3] = {x.part, y.part, z.part};
          const int from = whole.rank_of(parts);
          if (from == rank && x.shift == 0 && y.shift == 0 && z.shift == 0) continue;
          all.push_back({static_cast<int>(f),
                         from,
                         rank,
                         {{x.target, y.target, z.target}},
                         {x.shift, y.shift, z.shift}});
        }
  }
  return all;
}

}  // namespace teff::runtime

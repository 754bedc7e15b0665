// SPDX-License-Identifier: MIT
#include <algorithm>

#include <teff/stencil/conditions/cell_box.hpp>

namespace teff::runtime {

namespace {

cell_box common_cells(const cell_box& a, const cell_box& b) {
  cell_box both;
  for (int d = 0; d < 3; ++d) {
    both.begin[d] = std::max(a.begin[d], b.begin[d]);
    both.end[d] = std::min(a.end[d], b.end[d]);
  }
  return both;
}

bool is_empty(const cell_box& a) {
  return a.begin[0] >= a.end[0] || a.begin[1] >= a.end[1] || a.begin[2] >= a.end[2];
}

}  // namespace

std::vector<cell_box> without(const cell_box& all, const std::vector<cell_box>& others) {
  std::vector<cell_box> left;
  if (!is_empty(all)) left.push_back(all);
  for (const cell_box& other : others) {
    std::vector<cell_box> next;
    for (cell_box rest : left) {
      const cell_box both = common_cells(rest, other);
      if (is_empty(both)) {
        next.push_back(rest);
        continue;
      }
      for (int d = 0; d < 3; ++d) {  // what is before and behind the common cells; then between
        cell_box before = rest, behind = rest;
        before.end[d] = both.begin[d];
        behind.begin[d] = both.end[d];
        for (const cell_box& part : {before, behind})
          if (!is_empty(part)) next.push_back(part);
        rest.begin[d] = both.begin[d];
        rest.end[d] = both.end[d];
      }
    }
    left = std::move(next);
  }
  return left;
}

}  // namespace teff::runtime

// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include <teff/solver/conductances.hpp>

/// From a level of multigrid to the next one and back, by statements.
namespace teff::inline TEFF_MODE::detail {

template <class R, int N>
void assign_sum(const array_ref<R, N>& t, const std::vector<array_ref<R, N>>& c) {
  switch (c.size()) {
    case 1:
      t = c[0];
      break;
    case 2:
      t = c[0] + c[1];
      break;
    case 4:
      t = (c[0] + c[1]) + (c[2] + c[3]);
      break;
    default:
      t = ((c[0] + c[1]) + (c[2] + c[3])) + ((c[4] + c[5]) + (c[6] + c[7]));
  }
}
/// target = the sum of all cells of a pair, over the dims that are paired.
template <class R, int N>
void add_up(const array_ref<R, N>& target, const std::vector<array_ref<R, N>>& cells,
            const std::vector<pairing<R, N>>& pairs, std::size_t paired_dims) {
  if (paired_dims == pairs.size()) return assign_sum(target, cells);
  const int d = pairs[paired_dims].dim;
  const index_t n = cells.front().extent(d), whole_pairs = n / 2;
  std::vector<array_ref<R, N>> both, last;
  for (const array_ref<R, N>& c : cells) {
    both.push_back(part(c, d, 0, 2 * whole_pairs, 2));
    both.push_back(part(c, d, 1, 2 * whole_pairs, 2));
    if (n % 2 == 1) last.push_back(plane(c, d, n - 1));
  }
  if (whole_pairs > 0) add_up(part(target, d, 0, whole_pairs), both, pairs, paired_dims + 1);
  if (n % 2 == 1) add_up(plane(target, d, whole_pairs), last, pairs, paired_dims + 1);
}

template <class R, int N>
void interpolate_cells(const array_ref<R, N>& t, const array_ref<R, N>& own,
                       const array_ref<R, N>& weight, const array_ref<R, N>& next, bool adds) {
  if (adds)
    t = t + (own + weight * (next - own));
  else
    t = own + weight * (next - own);
}
/// target = what `from`, of pairs, comes to in their cells, along their dim; or it is added.
template <class R, int N>
void from_pairs(const array_ref<R, N>& target, const array_ref<R, N>& from,
                const pairing<R, N>& how, bool adds) {
  const int d = how.dim;
  const array_ref<R, N> cells = inner(target), own = inner(from);
  const index_t n = cells.extent(d);
  for (const bool is_upper : {false, true}) {
    const index_t count = is_upper ? n / 2 : ceil_div(n, 2);
    const auto first = [&](const array_ref<R, N>& a) { return part(a, d, 0, count); };
    interpolate_cells(part(cells, d, is_upper ? 1 : 0, n, 2), first(own),
                      first(is_upper ? how.to_high : how.to_low),
                      first(moved_by_one(own, d, is_upper)), adds);
  }
}

}  // namespace teff::inline TEFF_MODE::detail

// SPDX-License-Identifier: MIT
#pragma once

#include <utility>

#include <teff/kernel/launch.hpp>
#include <teff/solver/conductances.hpp>

/// Pairs of cells along a dim in one launch, where the statements of `paired` would be seventeen.
/// The formulas are theirs, and so are the bits.
namespace teff::inline TEFF_MODE::detail {

/// A place in a grid of cells or faces, numbered along each dim.
template <int N>
struct place_in_grid {
  index_t at[N];

  TEFF_INLINE place_in_grid with(int dim, index_t value) const {
    place_in_grid other = *this;
    other.at[dim] = value;
    return other;
  }
};

/// Of conductances (of[d]: contiguous, one more along d than there are cells).
template <class R, int N>
struct pair_up_cells {
  using place = place_in_grid<N>;

  int dim;
  index_t n[N], pairs[N];  ///< cells, and what is left of them
  bool is_periodic[N];
  const R* of[N];
  R* coarse[N];
  R *to_low, *to_high;

  TEFF_FN void operator()(index_t i, index_t j, index_t k = 0) const {
    place p{};
    p.at[0] = i, p.at[1] = j;
    if constexpr (N > 2) p.at[2] = k;
    // The index space has one more along each dim than there are pairs.
    int beyond = 0, where = -1;
    for (int d = 0; d < N; ++d)
      if (p.at[d] == pairs[d]) ++beyond, where = d;
    if (beyond == 0) {
      store(to_low, pairs, -1, p, low(p));
      store(to_high, pairs, -1, p, high(p));
    }
    for (int d = 0; d < N; ++d) {
      if (beyond > 1 || (beyond == 1 && where != d)) continue;
      store(coarse[d], pairs, d, p, d == dim ? along(p) : across(d, p));
    }
  }

 private:
  /// Of an array with one more than n along dim `wide` (-1: none).
  TEFF_INLINE static index_t index_of(const index_t (&n)[N], int wide, const place& p) {
    index_t index = 0;
    for (int d = N - 1; d >= 0; --d) index = index * (n[d] + (d == wide ? 1 : 0)) + p.at[d];
    return index;
  }
  TEFF_INLINE static void store(R* to, const index_t (&n)[N], int wide, const place& p, R value) {
    to[index_of(n, wide, p)] = value;
  }
  TEFF_INLINE R fine(int d, const place& p, index_t at) const {
    return of[d][index_of(n, d, p.with(dim, at))];
  }

  /// How strongly a cell is held to those beside it, across the dim.
  TEFF_INLINE R held_across(const place& p, index_t cell) const {
    R sum = 0;
    for (int d = 0; d < N; ++d) {
      if (d == dim) continue;
      const R both = rounded::add(fine(d, p, cell), fine(d, p.with(d, p.at[d] + 1), cell));
      sum = d == (dim == 0 ? 1 : 0) ? both : rounded::add(sum, both);
    }
    return sum;
  }
  /// The resistance from the point of a pair to its upper or lower cell: none, where it is one.
  template <bool IsUp>
  TEFF_INLINE R to_cell(const place& p) const {
    const index_t c = p.at[dim];
    if (c >= n[dim] / 2) return 0;
    constexpr R tie = tie_of_pair<R, N>;
    const R within = fine(dim, p, 2 * c + 1);
    const R lower = held_across(p, 2 * c), upper = held_across(p, 2 * c + 1);
    const R other = rounded::fused_multiply_add(tie, within, IsUp ? lower : upper);
    const R both = rounded::fused_multiply_add(2 * tie, within, rounded::add(lower, upper));
    return rounded::divide(rounded::divide(other, both), within);
  }
  TEFF_INLINE R down(const place& p) const { return to_cell<false>(p); }
  TEFF_INLINE R up(const place& p) const { return to_cell<true>(p); }
  TEFF_INLINE R along(const place& p) const {
    const index_t c = p.at[dim], last = pairs[dim];
    if (c > 0 && c < last) return in_a_row(fine(dim, p, 2 * c), up(p.with(dim, c - 1)), down(p));
    if (is_periodic[dim]) {
      if (last == 1) return 0;  // a cell does not exchange with itself
      return in_a_row(fine(dim, p, 0), up(p.with(dim, last - 1)), down(p.with(dim, 0)));
    }
    const R face = fine(dim, p, c == 0 ? 0 : n[dim]);
    const R own = c == 0 ? down(p) : up(p.with(dim, last - 1));
    return rounded::divide(face, rounded::fused_multiply_add(face, own, R(1)));
  }
  TEFF_INLINE static R in_a_row(R face, R low, R high) {
    return rounded::divide(face, rounded::fused_multiply_add(face, rounded::add(low, high), R(1)));
  }
  TEFF_INLINE R low(const place& p) const { return rounded::multiply(down(p), along(p)); }
  TEFF_INLINE R high(const place& p) const {
    return rounded::multiply(up(p), along(p.with(dim, p.at[dim] + 1)));
  }
  /// A weight at a face across: the mean of two cells.
  template <bool IsHigh>
  TEFF_INLINE R at_face(int d, const place& p, index_t pair) const {
    const index_t face = p.at[d], last = n[d];
    const index_t below = face > 0 ? face - 1 : is_periodic[d] ? last - 1 : 0;
    const index_t above = face < last ? face : is_periodic[d] ? 0 : last - 1;
    const auto weight = [&](index_t cell) {
      const place q = p.with(d, cell).with(dim, pair);
      return IsHigh ? high(q) : low(q);
    };
    return rounded::multiply(R(0.5), rounded::add(weight(below), weight(above)));
  }
  /// Each cell's is shared out by the weights with which it counts the pairs.
  TEFF_INLINE R across(int d, const place& p) const {
    const index_t c = p.at[dim], last = pairs[dim] - 1;
    const auto of_cell = [&](index_t cell) { return fine(d, p, cell); };
    const auto rest = [](R weight) { return rounded::subtract(R(1), weight); };
    R g = rounded::multiply(rest(at_face<false>(d, p, c)), of_cell(2 * c));
    if (2 * c + 1 < n[dim])
      g = rounded::fused_multiply_add(rest(at_face<true>(d, p, c)), of_cell(2 * c + 1), g);
    if (c < last)
      g = rounded::fused_multiply_add(at_face<false>(d, p, c + 1), of_cell(2 * c + 2), g);
    if (c > 0) g = rounded::fused_multiply_add(at_face<true>(d, p, c - 1), of_cell(2 * c - 1), g);
    if (is_periodic[dim]) {
      if (c == last) g = rounded::fused_multiply_add(at_face<false>(d, p, 0), of_cell(0), g);
      if (c == 0 && n[dim] % 2 == 0)
        g = rounded::fused_multiply_add(at_face<true>(d, p, last), of_cell(n[dim] - 1), g);
    }
    return g;
  }
};

/// What `paired` gives.
template <rounded::real R, int N>
std::pair<conductances<R, N>, pairing<R, N>> paired_by_kernel(const conductances<R, N>& fine,
                                                              int dim) {
  const extents<N> cells = fine.cells();
  extents<N> pairs = cells;
  pairs[dim] = ceil_div(cells[dim], 2);
  conductances<R, N> coarse;
  pairing<R, N> how{dim, array<R, N>(fine.on(), pairs), array<R, N>(fine.on(), pairs)};
  pair_up_cells<R, N> kernel{};
  kernel.dim = dim;
  kernel.to_low = how.to_low.data(), kernel.to_high = how.to_high.data();
  coarse.of.reserve(N);
  extents<N> all = pairs;
  for (int d = 0; d < N; ++d) {
    extents<N> faces = pairs;
    ++faces[d], ++all[d];
    coarse.is_periodic[d] = kernel.is_periodic[d] = fine.is_periodic[d];
    coarse.of.emplace_back(fine.on(), faces);
    kernel.n[d] = cells[d], kernel.pairs[d] = pairs[d];
    kernel.of[d] = fine.arrays()[static_cast<std::size_t>(d)].data();
    kernel.coarse[d] = coarse.of.back().data();
  }
  launch(fine.on(), all, kernel);
  return {std::move(coarse), std::move(how)};
}

}  // namespace teff::inline TEFF_MODE::detail

// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <teff/algo/fill.hpp>
#include <teff/algo/reduce.hpp>
#include <teff/array/host_copy.hpp>
#include <teff/expr/fd2.hpp>
#include <teff/expr/fd3.hpp>
#include <teff/formula/boundary.hpp>
#include <teff/solver/conductance_factors.hpp>

/// Cells that exchange by conductances of their faces, and how a grid of half as many cells along a
/// dim follows from one. What Poisson's equation is once its coefficient, spacings and sides are
/// put together.
namespace teff::inline TEFF_MODE {

// The operators are named at namespace scope: nvcc does not see a using directive of a function
// from inside a generic lambda.
namespace conduction {
namespace in2d {
using namespace fd2;

/// What flows out of each cell: the sum over its faces of g * (u - u beyond the face).
auto outflow(const auto& u, const auto& gx, const auto& gy) {
  return -(d_xa(gx * d_xi(u)) + d_ya(gy * d_yi(u)));
}
/// The same where conductances are cx between all cells along x, and cy along y.
auto even_outflow(const auto& u, auto cx, auto cy) {
  return -(cx * d2_xi(u) + cy * d2_yi(u));
}
/// The sum of a cell's conductances: what u counts in its own outflow.
auto diagonal(const auto& gx, const auto& gy) {
  return 2 * (av_xa(gx) + av_ya(gy));
}
}  // namespace in2d

namespace in3d {
using namespace fd3;

auto outflow(const auto& u, const auto& gx, const auto& gy, const auto& gz) {
  return -(d_xa(gx * d_xi(u)) + d_ya(gy * d_yi(u)) + d_za(gz * d_zi(u)));
}
auto even_outflow(const auto& u, auto cx, auto cy, auto cz) {
  return -(cx * d2_xi(u) + cy * d2_yi(u) + cz * d2_zi(u));
}
auto diagonal(const auto& gx, const auto& gy, const auto& gz) {
  return 2 * (av_xa(gx) + av_ya(gy) + av_za(gz));
}
}  // namespace in3d
}  // namespace conduction

namespace detail {

/// The cells from, from + step, ... below `to` along a dim. (By dims known at run time, so that
/// statements over such parts have one type.)
template <class T, int N>
array_ref<T, N> part(const array_ref<T, N>& a, int dim, index_t from, index_t to,
                     index_t step = 1) {
  view<T, N> cells = a.view();
  if (to > from) cells.data += from * cells.strides[dim];
  cells.shape[dim] = to > from ? ceil_div(to - from, step) : 0;
  cells.strides[dim] *= step;
  return {a.handle(), cells};
}
template <class T, int N>
array_ref<T, N> plane(const array_ref<T, N>& a, int dim, index_t at) {
  return part(a, dim, at, at + 1);
}
/// Without the outermost cells.
template <class T, int N>
array_ref<T, N> inner(const array_ref<T, N>& a) {
  if constexpr (N == 2)
    return fd2::inn(a);
  else
    return fd3::inn(a);
}
/// The cells next to those of an inner part, along a dim.
template <class T, int N>
array_ref<T, N> moved_by_one(const array_ref<T, N>& a, int dim, bool is_upwards) {
  view<T, N> cells = a.view();
  cells.data += is_upwards ? cells.strides[dim] : -cells.strides[dim];
  return {a.handle(), cells};
}
/// The cells beyond the sides become those of the other side.
template <class T, int N>
void repeat(const array_ref<T, N>& a, const bool (&is_periodic)[N]) {
  for (int d = 0; d < N; ++d) {
    if (!is_periodic[d]) continue;
    const index_t last = a.extent(d) - 1;
    plane(a, d, 0) = plane(a, d, last - 1);
    plane(a, d, last) = plane(a, d, 1);
  }
}

/// target = the product of vectors, one along each dim.
template <class T, int N>
void store_product(const array_ref<T, N>& target, const std::vector<double> (&along_dims)[3]) {
  std::vector<array<T, 1>> v;
  for (int d = 0; d < N; ++d) {
    const std::vector<T> values(along_dims[d].begin(), along_dims[d].end());
    v.emplace_back(target.on(), extents<1>(static_cast<index_t>(values.size())));
    v.back() = from_host(values);
  }
  if constexpr (N == 2)
    target = along<0>(v[0]) * along<1>(v[1]);
  else
    target = along<0>(v[0]) * along<1>(v[1]) * along<2>(v[2]);
}

}  // namespace detail

/// @shape of[d]: the cells' extents, and one more along dim d; 0 at a face that lets nothing
/// through
template <rounded::real R, int N>
struct conductances {
  /// Where there are factors, arrays() makes them.
  mutable std::vector<array<R, N>> of;
  bool is_periodic[N] = {};
  R even[N] = {};  ///< what all faces of a dim have; 0: not all have the same, or not of all dims
  std::optional<runtime::conductance_factors> factors;  ///< where they are products
  std::optional<stream> place;                          ///< of the factors

  const stream& on() const { return factors ? *place : of[0].on(); }
  extents<N> cells() const {
    extents<N> n;
    for (int d = 0; d < N; ++d)
      n[d] = factors ? factors->cells(d) : of[0].extent(d) - (d == 0 ? 1 : 0);
    return n;
  }
  /// By dim. @traffic where there are factors, the first call writes them
  const std::vector<array<R, N>>& arrays() const {
    if (of.empty() && factors) {
      for (int d = 0; d < N; ++d) {
        extents<N> n = cells();
        ++n[d];
        of.emplace_back(on(), n);
        detail::store_product(of.back(), factors->of[d]);
      }
    }
    return of;
  }
  /// They are numbers: formulas need not read them.
  bool is_even() const { return even[0] > 0; }
  /// Of u with a cell beyond each side.
  template <class E>
  auto outflow(const E& u) const {
    if constexpr (N == 2)
      return conduction::in2d::outflow(u, arrays()[0], arrays()[1]);
    else
      return conduction::in3d::outflow(u, arrays()[0], arrays()[1], arrays()[2]);
  }
  template <class E>
  auto even_outflow(const E& u) const {
    if constexpr (N == 2)
      return conduction::in2d::even_outflow(u, even[0], even[1]);
    else
      return conduction::in3d::even_outflow(u, even[0], even[1], even[2]);
  }
  auto diagonal() const {
    if constexpr (N == 2)
      return conduction::in2d::diagonal(arrays()[0], arrays()[1]);
    else
      return conduction::in3d::diagonal(arrays()[0], arrays()[1], arrays()[2]);
  }
  /// How strongly cells exchange, by dim: the mean share that its faces have in the conductances of
  /// a cell (where these are products, the mean between two cells). So a few strong cells do not
  /// hide how most exchange. @sync waits once
  std::array<double, 3> strengths() const {
    std::array<double, 3> all{};
    if (factors) {
      for (int d = 0; d < N; ++d) all[static_cast<std::size_t>(d)] = factors->mean(d);
      return all;
    }
    std::vector<scalar<R>> sums;
    for (int d = 0; d < N; ++d) sums.push_back(sum(both_faces(d) / diagonal()));
    for (std::size_t d = 0; d < sums.size(); ++d)
      all[d] = static_cast<double>(sums[d]) / static_cast<double>(cells().size());
    return all;
  }
  /// The sum of the conductances of a cell's faces along a dim.
  auto both_faces(int dim) const {
    const array<R, N>& g = of[static_cast<std::size_t>(dim)];
    const index_t n = cells()[dim];
    return detail::part(g, dim, 0, n) + detail::part(g, dim, 1, n + 1);
  }
};

/// How cells follow from pairs of them along a dim, by linear interpolation of the potential: the
/// lower one of a pair counts the value of the next lower pair by `to_low`, the upper one that of
/// the next higher pair by `to_high`, and the rest that of its own pair. Where conductances jump,
/// so do the slopes.
template <rounded::real R, int N>
struct pairing {
  int dim;
  array<R, N> to_low, to_high;  ///< of pairs; the last pair is one cell where their number is odd
};

namespace detail {

/// Weights of cells as those of their faces along dim `across`: the mean of two cells.
template <class R, int N>
array<R, N> at_faces(const array_ref<R, N>& w, int across, bool is_periodic) {
  extents<N> faces = w.shape();
  const index_t n = faces[across]++;
  array<R, N> result(w.on(), faces);
  part(result, across, 1, n) = R(0.5) * (part(w, across, 0, n - 1) + part(w, across, 1, n));
  const index_t low = is_periodic ? n - 1 : 0, high = is_periodic ? 0 : n - 1;
  plane(result, across, 0) = R(0.5) * (plane(w, across, 0) + plane(w, across, low));
  plane(result, across, n) = R(0.5) * (plane(w, across, n - 1) + plane(w, across, high));
  return result;
}

/// The conductances of pairs across their dim: each cell's is shared out by the weights with which
/// it counts them.
template <class R, int N>
array<R, N> shared_out(const array_ref<R, N>& fine, const pairing<R, N>& pairs, int across,
                       const bool (&is_periodic)[N]) {
  const int d = pairs.dim;
  const index_t n = fine.extent(d), nc = ceil_div(n, 2), upper = n / 2;
  const array<R, N> low = at_faces<R, N>(pairs.to_low, across, is_periodic[across]);
  const array<R, N> high = at_faces<R, N>(pairs.to_high, across, is_periodic[across]);
  const auto first = part(fine, d, 0, n, 2), second = part(fine, d, 1, n, 2);
  array<R, N> g(fine.on(), low.shape());
  const auto add = [](const array_ref<R, N>& to, const array_ref<R, N>& w,
                      const array_ref<R, N>& of) { to = to + w * of; };
  g = (1 - low) * first;
  part(g, d, 0, upper) = part(g, d, 0, upper) + (1 - part(high, d, 0, upper)) * second;
  add(part(g, d, 0, nc - 1), part(low, d, 1, nc), part(first, d, 1, nc));
  add(part(g, d, 1, nc), part(high, d, 0, nc - 1), part(second, d, 0, nc - 1));
  if (is_periodic[d]) {
    add(plane(g, d, nc - 1), plane(low, d, 0), plane(first, d, 0));
    if (n % 2 == 0) add(plane(g, d, 0), plane(high, d, nc - 1), plane(second, d, nc - 1));
  }
  return g;
}

/// What the two cells of a pair count beside what holds them across its dim. (Tried: cycles gain
/// less with half of it around a ball, with twice of it among boxes in two dims.)
template <class R, int N>
inline constexpr R tie_of_pair = 4 * (N - 1);

/// How strongly cells are held to those beside them, across a dim: the sum of these conductances.
template <class R, int N>
array<R, N> held_across(const conductances<R, N>& g, int dim) {
  array<R, N> held(g.on(), g.cells());
  bool is_first = true;
  for (int d = 0; d < N; ++d) {
    if (d == dim) continue;
    if (is_first)
      held = g.both_faces(d);
    else
      held = held + g.both_faces(d);
    is_first = false;
  }
  return held;
}

}  // namespace detail

/// Pairs of cells along a dim. Along it, conductances are in a row, from point to point of the
/// pairs; across it they are side by side. Positive ones stay positive, sums stay what they are.
///
/// The point of a pair is the middle of its two cells where these are alike; the more strongly one
/// exchanges across the dim, the nearer the point is to it. Else the value of a cell that conducts
/// well would be one of two pairs, each of which then had to follow it.
template <rounded::real R, int N>
std::pair<conductances<R, N>, pairing<R, N>> paired(const conductances<R, N>& fine, int dim) {
  using detail::part, detail::plane;
  const array<R, N>& g = fine.of[static_cast<std::size_t>(dim)];
  const extents<N> cells = fine.cells();
  extents<N> pairs = cells, faces;
  const index_t n = cells[dim], nc = pairs[dim] = ceil_div(n, 2);
  faces = pairs;
  ++faces[dim];

  // Resistances from the point of a pair down and up to its cells: none, where it is one cell.
  array<R, N> down = zeros<R>(g.on(), pairs), up = down;
  const array<R, N> held = detail::held_across(fine, dim);
  const array_ref<R, N> within = part(g, dim, 1, n, 2), lower = part(held, dim, 0, n / 2 * 2, 2),
                        upper = part(held, dim, 1, n, 2);
  constexpr R tie = detail::tie_of_pair<R, N>;
  const auto away_from = [&](const array_ref<R, N>& other) {
    return (other + tie * within) / (lower + upper + 2 * tie * within) / within;
  };
  part(down, dim, 0, n / 2) = away_from(upper);
  part(up, dim, 0, n / 2) = away_from(lower);
  const auto in_a_row = [](const array_ref<R, N>& to, const array_ref<R, N>& face,
                           const array_ref<R, N>& low,
                           const array_ref<R, N>& high) { to = face / (1 + face * (low + high)); };
  array<R, N> along(g.on(), faces);
  in_a_row(part(along, dim, 1, nc), part(g, dim, 2, n, 2), part(up, dim, 0, nc - 1),
           part(down, dim, 1, nc));
  const array_ref<R, N> first = plane(down, dim, 0), last = plane(up, dim, nc - 1);
  const auto at_side = [&](const array_ref<R, N>& to, const array_ref<R, N>& face,
                           const array_ref<R, N>& own) { to = face / (1 + face * own); };
  if (fine.is_periodic[dim]) {
    for (const index_t at : {index_t{0}, nc}) {
      in_a_row(plane(along, dim, at), plane(g, dim, 0), last, first);
      if (nc == 1) fill(plane(along, dim, at), 0);  // a cell does not exchange with itself
    }
  } else {
    at_side(plane(along, dim, 0), plane(g, dim, 0), first);
    at_side(plane(along, dim, nc), plane(g, dim, n), last);
  }
  array<R, N> to_low(g.on(), pairs), to_high(g.on(), pairs);
  to_low = down * part(along, dim, 0, nc);
  to_high = up * part(along, dim, 1, nc + 1);
  pairing<R, N> how{dim, std::move(to_low), std::move(to_high)};

  conductances<R, N> coarse;
  for (int d = 0; d < N; ++d) {
    coarse.is_periodic[d] = fine.is_periodic[d];
    coarse.of.push_back(d == dim ? std::move(along)
                                 : detail::shared_out(fine.of[static_cast<std::size_t>(d)], how, d,
                                                      fine.is_periodic));
  }
  return {std::move(coarse), std::move(how)};
}

/// The same of conductances that are products: only what belongs to this dim changes.
template <rounded::real R, int N>
std::pair<conductances<R, N>, pairing<R, N>> paired_factors(const conductances<R, N>& fine,
                                                            int dim) {
  conductances<R, N> coarse;
  coarse.place = fine.place;
  coarse.factors = fine.factors;
  for (int d = 0; d < N; ++d) coarse.is_periodic[d] = fine.is_periodic[d];
  const runtime::pair_weights w = runtime::pair_up(*coarse.factors, dim);
  const auto stretched = [&](const std::vector<double>& weights) {
    std::vector<double> all[3];
    for (int d = 0; d < N; ++d) all[d].assign(static_cast<std::size_t>(coarse.cells()[d]), 1.0);
    all[dim] = weights;
    array<R, N> result(fine.on(), coarse.cells());
    detail::store_product(result, all);
    return result;
  };
  return {std::move(coarse), pairing<R, N>{dim, stretched(w.to_low), stretched(w.to_high)}};
}

}  // namespace teff::inline TEFF_MODE

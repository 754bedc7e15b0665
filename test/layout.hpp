// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <vector>

#include <teff/array/host_copy.hpp>
#include <teff/expr/statement.hpp>

#include "compare.hpp"
#include "generator.hpp"

namespace teff::inline TEFF_MODE::test {

/// Where the cells of an array lie in a block of memory: the oracle's own book-keeping, in cells.
struct lattice {
  index_t first = 0;
  index_t n[3] = {1, 1, 1};
  index_t stride[3] = {0, 0, 0};

  std::size_t at(index_t i, index_t j, index_t k) const {
    return static_cast<std::size_t>(first + i * stride[0] + j * stride[1] + k * stride[2]);
  }
  index_t cells() const { return n[0] * n[1] * n[2]; }

  /// f(i, j, k) for every cell.
  template <class F>
  void each(const F& f) const {
    for (index_t k = 0; k < n[2]; ++k)
      for (index_t j = 0; j < n[1]; ++j)
        for (index_t i = 0; i < n[0]; ++i) f(i, j, k);
  }
};

/// An array that lies somehow in a larger block of memory, of which a copy is kept on the host.
template <class T, int N>
struct placed {
  array<T, 1> memory;
  array_ref<T, N> cells;
  lattice where;
  std::vector<T> host;  ///< of the whole block

  T at(index_t i, index_t j = 0, index_t k = 0) const { return host[where.at(i, j, k)]; }
  /// "" if the whole block holds `expected`, cells outside the array included.
  std::string differs(const std::vector<T>& expected) const {
    return difference(to_host(memory), expected);
  }
};

template <int N>
extents<N> extents_of(const lattice& l) {
  extents<N> e;
  for (int d = 0; d < N; ++d) e[d] = l.n[d];
  return e;
}

/// A lattice of these extents: dims in any order from narrow to wide, gaps between cells, rows and
/// planes, some dims backwards; `with_zeros`: some strides are 0, so that cells coincide.
inline lattice random_lattice(generator& g, const index_t (&n)[3], int rank, bool with_zeros,
                              index_t& size) {
  lattice l;
  int order[3] = {0, 1, 2};
  if (g.chance(50))
    for (int d = rank - 1; d > 0; --d) std::swap(order[d], order[g.between(0, d)]);
  const bool tight = g.chance(40);
  index_t next = tight || g.chance(50) ? 1 : g.between(2, 3), lowest = 0, highest = 0;
  for (int at = 0; at < rank; ++at) {
    const int d = order[at];
    l.n[d] = n[d];
    l.stride[d] = next;
    if (with_zeros && g.chance(50)) l.stride[d] = 0;
    next = next * std::max<index_t>(n[d], 1) + (tight ? 0 : g.between(0, 5));
    if (!tight && g.chance(25)) l.stride[d] = -l.stride[d];
    if (n[d] > 0) (l.stride[d] < 0 ? lowest : highest) += (n[d] - 1) * l.stride[d];
  }
  const index_t pad = g.between(0, 5);  // addresses of every remainder modulo 16 bytes
  l.first = pad - lowest;
  size = pad - lowest + highest + 1 + g.between(0, 5);
  return l;
}

/// A part of a contiguous array, made by Teff's own slices, flips and transposition.
template <class T, int N>
array_ref<T, N> random_part(generator& g, const array<T, 1>& memory, const index_t (&parent)[3],
                            const index_t (&start)[3], const index_t (&step)[3], lattice& l) {
  const auto slice = [&](int d) {
    if (l.n[d] == 0) return range(start[d], start[d], step[d]);
    const index_t last = start[d] + (l.n[d] - 1) * step[d] + 1;
    // Any stop that holds no further cell.
    return range(start[d], std::min(parent[d], last + g.between(0, step[d] - 1)), step[d]);
  };
  index_t stride = 1;
  for (int d = 0; d < N; ++d) {
    l.first += start[d] * stride;
    l.stride[d] = step[d] * stride;
    stride *= parent[d];
  }
  const auto cut = [&] {
    if constexpr (N == 1) {
      return wrap(memory.on(), memory.data(), {parent[0]}, {1})(slice(0));
    } else if constexpr (N == 2) {
      return wrap(memory.on(), memory.data(), {parent[0], parent[1]}, {1, parent[0]})(slice(0),
                                                                                      slice(1));
    } else {
      return wrap(memory.on(), memory.data(), {parent[0], parent[1], parent[2]},
                  {1, parent[0], parent[0] * parent[1]})(slice(0), slice(1), slice(2));
    }
  };
  array_ref<T, N> part = cut();
  const auto flipped = [&](int d, const array_ref<T, N>& a) -> array_ref<T, N> {
    if (!g.chance(25)) return a;
    if (l.n[d] > 0) l.first += (l.n[d] - 1) * l.stride[d];
    l.stride[d] = -l.stride[d];
    return flip(a, d);
  };
  if constexpr (N == 1)
    return flipped(0, part);
  else if constexpr (N == 2)
    return flipped(1, flipped(0, part));
  else
    return flipped(2, flipped(1, flipped(0, part)));
}

enum class role { target, source };

/// Cells side by side, x first, from anywhere in a block of `size`, often from its start, where
/// accesses of 16 bytes are possible.
inline lattice contiguous_lattice(generator& g, const index_t (&n)[3], index_t& size) {
  lattice l;
  size = 1;
  for (int d = 0; d < 3; ++d) {
    l.n[d] = n[d];
    l.stride[d] = size;
    size *= n[d];
  }
  l.first = g.chance(50) ? 0 : g.between(0, 5);
  size += l.first + g.between(0, 5);
  return l;
}
inline bool is_contiguous(const lattice& l) {
  index_t next = 1;
  for (int d = 0; d < 3; ++d) {
    if (l.n[d] > 1 && l.stride[d] != next) return false;
    next *= l.n[d];
  }
  return true;
}

/// An array of these extents anywhere in a block: a target's block is all poison, a source's
/// random. Of any strides, unless it must be contiguous.
template <class T, int N>
placed<T, N> random_placed(generator& g, const stream& on, const extents<N>& e, role as,
                           bool is_contiguous = false) {
  index_t n[3] = {1, 1, 1};
  for (int d = 0; d < N; ++d) n[d] = e[d];
  index_t size = 1;
  lattice l;
  const bool by_slices = !is_contiguous && g.chance(40);
  index_t parent[3] = {1, 1, 1}, start[3] = {0, 0, 0}, step[3] = {1, 1, 1};
  if (by_slices) {
    for (int d = 0; d < N; ++d) {
      l.n[d] = n[d];
      step[d] = g.chance(70) ? 1 : g.between(2, 3);
      start[d] = g.between(0, 3);
      parent[d] = start[d] + (n[d] == 0 ? 0 : (n[d] - 1) * step[d] + 1) + g.between(0, 3);
      size *= parent[d];
    }
  } else {
    l = is_contiguous ? contiguous_lattice(g, n, size)
                      : random_lattice(g, n, N, as == role::source && g.chance(10), size);
  }
  std::vector<T> host(static_cast<std::size_t>(size));
  for (T& v : host) v = as == role::target ? poison<T>() : g.value<T>();
  array<T, 1> memory(on, {size}, "block");
  memory = from_host(host);
  const auto cells = [&]() -> array_ref<T, N> {
    if (by_slices) return random_part<T, N>(g, memory, parent, start, step, l);
    extents<N> strides;
    for (int d = 0; d < N; ++d) strides[d] = l.stride[d];
    return wrap_strided<T, N>(on, memory.data() + l.first, e, strides, "cells");
  }();
  return {std::move(memory), cells, l, std::move(host)};
}

/// Extents small enough that thousands of cases take no time; often 1, sometimes 0, now and then a
/// row that is longer than the pieces that the backends work in.
template <int N>
extents<N> random_extents(generator& g) {
  extents<N> e;
  for (int d = 0; d < N; ++d)
    e[d] = g.chance(3) ? 0 : g.chance(12) ? 1 : g.between(2, N == 3 ? 9 : 24);
  if (g.chance(4)) e[0] = g.between(1000, N == 1 ? 5000 : 1100);
  return e;
}

}  // namespace teff::inline TEFF_MODE::test

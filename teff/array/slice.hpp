// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <string>
#include <type_traits>

#include <teff/array/extents.hpp>
#include <teff/base/error.hpp>

namespace teff::inline TEFF_MODE {

/// The cells start, start + step, ... below stop.
struct range {
  index_t start, stop, step;

  template <std::integral A, std::integral B, std::integral C = int>
  constexpr range(A first, B end, C every = 1)
      : start(static_cast<index_t>(first)),
        stop(static_cast<index_t>(end)),
        step(static_cast<index_t>(every)) {}
};

/// All cells of a dim.
struct whole_dim {};
inline constexpr whole_dim whole{};

/// What may stand in the parentheses of a slice: a range, whole, or one index, which drops the dim.
template <class S>
concept slice_argument = std::integral<S> || std::same_as<S, range> || std::same_as<S, whole_dim>;

/// Number of dims that are left.
template <class... S>
inline constexpr int sliced_rank = (0 + ... + (std::integral<S> ? 0 : 1));

namespace detail {

/// A slice of one dim in numbers.
struct dim_slice {
  index_t start = 0, count = 0, step = 1;
};

/// @throws error if the slice leaves [0, extent); then `whose()` names the array.
template <class Name>
dim_slice resolve(const range& r, index_t extent, int dim, const Name& whose) {
  const bool inside = r.start >= 0 && r.stop <= extent && r.start <= r.stop;
  if (!inside || r.step < 1)
    throw error("slice out of range: " + whose() + " has " + std::to_string(extent) +
                " cells along dim " + std::to_string(dim) + ", asked for range(" +
                std::to_string(r.start) + ", " + std::to_string(r.stop) +
                (r.step == 1 ? "" : ", " + std::to_string(r.step)) +
                "); expected 0 <= start <= stop <= " + std::to_string(extent) +
                " and a step of at least 1");
  return {r.start, ceil_div(r.stop - r.start, r.step), r.step};
}
template <class Name>
dim_slice resolve(whole_dim, index_t extent, int, const Name&) {
  return {0, extent, 1};
}
template <std::integral I, class Name>
dim_slice resolve(I index, index_t extent, int dim, const Name& whose) {
  if (index < 0 || static_cast<index_t>(index) >= extent)
    throw error("index out of range: " + whose() + " has " + std::to_string(extent) +
                " cells along dim " + std::to_string(dim) + ", asked for " + std::to_string(index) +
                "; indices count from 0");
  return {static_cast<index_t>(index), 1, 1};
}

}  // namespace detail
}  // namespace teff::inline TEFF_MODE

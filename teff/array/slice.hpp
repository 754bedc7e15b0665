// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <limits>
#include <string>
#include <type_traits>

#include <teff/array/extents.hpp>
#include <teff/base/conversion.hpp>
#include <teff/base/error.hpp>

namespace teff::inline TEFF_MODE {

namespace detail {
/// Of an integer of any type; one beyond all indices is as far beyond as can be.
template <std::integral I>
constexpr index_t index_of(I value) {
  constexpr index_t farthest = std::numeric_limits<index_t>::max();
  if constexpr (std::is_unsigned_v<I> && sizeof(I) == sizeof(index_t))
    if (value > static_cast<I>(farthest)) return farthest;
  return static_cast<index_t>(value);
}
}  // namespace detail

/// The cells start, start + step, ... below stop.
struct range {
  index_t start, stop, step;

  template <std::integral A, std::integral B, std::integral C = int>
  constexpr range(A first, B end, C every = 1)
      : start(detail::index_of(first)),
        stop(detail::index_of(end)),
        step(detail::index_of(every)) {}
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
  // (A step beyond all cells is as good as one to the end; strides can not overflow.)
  const index_t cells = r.stop - r.start, step = lesser_of(r.step, greater_of(cells, 1));
  return {r.start, ceil_div(cells, step), step};
}
template <class Name>
dim_slice resolve(whole_dim, index_t extent, int, const Name&) {
  return {0, extent, 1};
}
template <std::integral I, class Name>
dim_slice resolve(I index, index_t extent, int dim, const Name& whose) {
  if (is_negative(index) || index_of(index) >= extent)
    throw error("index out of range: " + whose() + " has " + std::to_string(extent) +
                " cells along dim " + std::to_string(dim) + ", asked for " + std::to_string(index) +
                "; indices count from 0");
  return {index_of(index), 1, 1};
}

}  // namespace detail
}  // namespace teff::inline TEFF_MODE

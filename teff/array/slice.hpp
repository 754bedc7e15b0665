// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <teff/array/extents.hpp>
#include <teff/base/conversion.hpp>
#include <teff/base/text_source.hpp>

namespace teff::runtime {
[[noreturn, gnu::cold]] void throw_slice_outside(const text_source& whose, index_t start,
                                                 index_t stop, index_t step, index_t extent,
                                                 int dim);
/// @param index an i64, if that is so, as bits
[[noreturn, gnu::cold]] void throw_index_outside(const text_source& whose, bool is_signed,
                                                 std::uint64_t index, index_t extent, int dim);
}  // namespace teff::runtime

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

/// @throws error if the slice leaves [0, extent); then `whose` names the array.
inline dim_slice resolve(const range& r, index_t extent, int dim,
                         const runtime::text_source& whose) {
  const bool inside = r.start >= 0 && r.stop <= extent && r.start <= r.stop;
  if (!inside || r.step < 1)
    runtime::throw_slice_outside(whose, r.start, r.stop, r.step, extent, dim);
  // (A step beyond all cells is as good as one to the end; strides can not overflow.)
  const index_t cells = r.stop - r.start, step = lesser_of(r.step, greater_of(cells, 1));
  return {r.start, ceil_div(cells, step), step};
}
inline dim_slice resolve(whole_dim, index_t extent, int, const runtime::text_source&) {
  return {0, extent, 1};
}
template <std::integral I>
dim_slice resolve(I index, index_t extent, int dim, const runtime::text_source& whose) {
  if (is_negative(index) || index_of(index) >= extent)
    runtime::throw_index_outside(whose, std::is_signed_v<I>, static_cast<std::uint64_t>(index),
                                 extent, dim);
  return {index_of(index), 1, 1};
}

}  // namespace detail
}  // namespace teff::inline TEFF_MODE

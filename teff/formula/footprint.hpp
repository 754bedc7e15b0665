// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include <teff/formula/field.hpp>

namespace teff {

/// The most fields of a time step.
inline constexpr int most_fields = 8;

/// Which neighbours of field S a formula reads, seen from the cell that it updates; and whether it
/// reads anything but fields, numbers and indices.
struct footprint {
  int low[3] = {0, 0, 0};   ///< farthest offset downwards, 0 or negative
  int high[3] = {0, 0, 0};  ///< farthest offset upwards
  bool is_read = false;
  bool has_corners = false;  ///< reads at an offset along more than one dim
  std::uint64_t cells =
      0;  ///< bit 7 * (y + 3) + x + 3 for each cell of a plane that is read, up to 3 cells away
  bool uses_step = false;   ///< the number of the step is in the formula
  bool uses_index = false;  ///< an index of the cell is in the formula
  bool has_fields = false;  ///< some field is in the formula, this one or another
  bool only_fields = true;  ///< no arrays, device scalars or run-time slices in the formula

  constexpr footprint operator|(const footprint& other) const {
    footprint both = *this;
    for (int d = 0; d < 3; ++d) {
      both.low[d] = other.low[d] < low[d] ? other.low[d] : low[d];
      both.high[d] = other.high[d] > high[d] ? other.high[d] : high[d];
    }
    both.is_read = is_read || other.is_read;
    both.cells = cells | other.cells;
    both.uses_step = uses_step || other.uses_step;
    both.uses_index = uses_index || other.uses_index;
    both.has_fields = has_fields || other.has_fields;
    both.has_corners = has_corners || other.has_corners;
    both.only_fields = only_fields && other.only_fields;
    return both;
  }
  constexpr int radius() const {
    int r = 0;
    for (int d = 0; d < 3; ++d) {
      if (-low[d] > r) r = -low[d];
      if (high[d] > r) r = high[d];
    }
    return r;
  }
  /// How far along x, to the left or right, it reads in the row (y, z) cells away. (Not beyond 3;
  /// in other planes an upper bound.)
  constexpr int left_of(int y, int z = 0) const {
    if (z != 0) return has_corners ? -low[0] : 0;
    for (int x = 3; x > 0; --x)
      if (reads_at(-x, y)) return x;
    return 0;
  }
  constexpr int right_of(int y, int z = 0) const {
    if (z != 0) return has_corners ? high[0] : 0;
    for (int x = 3; x > 0; --x)
      if (reads_at(x, y)) return x;
    return 0;
  }
  constexpr bool reads_at(int x, int y) const {
    return x >= -3 && x <= 3 && y >= -3 && y <= 3 && (cells >> (7 * (y + 3) + x + 3) & 1) != 0;
  }
  constexpr bool is_centre_only() const { return radius() == 0; }
};

}  // namespace teff

namespace teff::inline TEFF_MODE {
namespace detail {

/// The footprint of E on field S when E is evaluated at offset (X, Y, Z). By default: anything
/// else.
template <int S, class E>
struct footprint_at {
  template <int X, int Y, int Z>
  static constexpr footprint get() {
    footprint other;
    other.only_fields = false;
    return other;
  }
};
template <int S, class T>
struct footprint_at<S, number<T>> {
  template <int X, int Y, int Z>
  static constexpr footprint get() {
    return {};
  }
};
template <int S, class T, class As>
struct footprint_at<S, parameter<T, As>> : footprint_at<S, number<As>> {};
template <int S, int D>
struct footprint_at<S, index_leaf<D>> {
  template <int X, int Y, int Z>
  static constexpr footprint get() {
    footprint index;
    index.uses_index = true;
    return index;
  }
};
template <int S, int D>
struct footprint_at<S, device_index<D>> : footprint_at<S, index_leaf<D>> {};
template <int S>
struct footprint_at<S, step_leaf> {
  template <int X, int Y, int Z>
  static constexpr footprint get() {
    footprint step;
    step.uses_step = true;
    return step;
  }
};
template <int S, int Other, class T, int N>
struct footprint_at<S, field<Other, T, N>> {
  template <int X, int Y, int Z>
  static constexpr footprint get() {
    footprint cell;
    cell.has_fields = true;
    if (S != Other) return cell;
    constexpr int at[3] = {X, Y, Z};
    for (int d = 0; d < 3; ++d) (at[d] < 0 ? cell.low[d] : cell.high[d]) = at[d];
    cell.is_read = true;
    if constexpr (X >= -3 && X <= 3 && Y >= -3 && Y <= 3 && Z == 0)
      cell.cells = std::uint64_t{1} << (7 * (Y + 3) + X + 3);
    cell.has_corners = (X != 0) + (Y != 0) + (Z != 0) > 1;
    return cell;
  }
};
template <int S, class Op, class L, class R>
struct footprint_at<S, binary<Op, L, R>> {
  template <int X, int Y, int Z>
  static constexpr footprint get() {
    return footprint_at<S, L>::template get<X, Y, Z>() |
           footprint_at<S, R>::template get<X, Y, Z>();
  }
};
template <int S, class Fn, class... E>
struct footprint_at<S, call<Fn, E...>> {
  template <int X, int Y, int Z>
  static constexpr footprint get() {
    return (footprint{} | ... | footprint_at<S, E>::template get<X, Y, Z>());
  }
};
template <int S, class Fn, class Shrink, class E, class... At>
struct footprint_at<S, neighbours<Fn, Shrink, E, At...>> {
  template <int X, int Y, int Z>
  static constexpr footprint get() {
    return (footprint{} | ... |
            footprint_at<S, E>::template get<X + At::x, Y + At::y, Z + At::z>());
  }
};

/// The expression reads placeholders, so it has no values before a run.
template <class X>
constexpr bool has_fields() {
  return footprint_at<0, X>::template get<0, 0, 0>().has_fields;
}

}  // namespace detail
}  // namespace teff::inline TEFF_MODE

// SPDX-License-Identifier: MIT
#pragma once

#include <type_traits>
#include <utility>

#include <teff/formula/bound.hpp>
#include <teff/kernel/block.hpp>

/// The tiles of resident/blocks.hpp: a field's cells in shared memory, as stages see them; and
/// which of a tile's cells lie near its sides.
namespace teff::inline TEFF_MODE::detail {

/// What a stage sees at a cell of the tiles.
template <int Row, int LowX, int LowY, class Tiles>
struct tile_context {
  const Tiles& tiles;
  int x, y;         // of the formula: counts from the target's first cell
  int cell, width;  // of the target's column in the tile, Row rows above

  template <int S, int X, int Y, int Z>
  TEFF_INLINE auto load_field() const {
    using value = typename std::remove_cvref_t<decltype(entry<S>(tiles))>::value_type;
    const value found = entry<S>(tiles).now()[cell + (Row + Y - LowY) * width + X - LowX];
    return found;
  }
  template <int D, int Offset>
  TEFF_INLINE index_t index() const {
    return (D == 0 ? x : D == 1 ? y : 0) + Offset;
  }
};

/// One field's tile in shared memory; two where a stage reads neighbours of what it writes.
template <class T, bool HasTwo>
struct field_tiles {
  using value_type = T;
  shared_array<T> first, second;
  bool is_second = false;

  TEFF_INLINE field_tiles(block& blk, int cells)
      : first(blk.template shared<T>(cells)), second(first) {
    if constexpr (HasTwo) second = blk.template shared<T>(cells);
  }
  TEFF_INLINE const shared_array<T>& now() const { return HasTwo && is_second ? second : first; }
  TEFF_INLINE const shared_array<T>& next() const { return HasTwo && !is_second ? second : first; }
};

/// The cells of a rectangle that lie within `depth` of its sides, numbered: whole rows first.
struct side_cells {
  int nx, ny, depth;

  TEFF_INLINE int whole_rows() const { return 2 * depth < ny ? 2 * depth : ny; }
  TEFF_INLINE int columns() const { return 2 * depth < nx ? 2 * depth : nx; }
  TEFF_INLINE int size() const { return whole_rows() * nx + (ny - whole_rows()) * columns(); }
  TEFF_INLINE void find(int number, int& i, int& j) const {
    const int rest = number - whole_rows() * nx;
    const auto row = static_cast<unsigned>(rest < 0 ? number : rest),
               length = static_cast<unsigned>(rest < 0 ? nx : columns());
    i = static_cast<int>(row % length);
    j = static_cast<int>(row / length);
    if (rest < 0)
      j = j < depth ? j : ny - whole_rows() + j;
    else {
      i = i < depth ? i : nx - columns() + i;
      j += depth;
    }
  }
};

/// Bytes of a cell in the tiles of all fields.
template <class Step, class... T>
constexpr int resident_cell_bytes() {
  return []<int... S>(std::integer_sequence<int, S...>) {
    return (0 + ... +
            (static_cast<int>(sizeof(T)) * (Step::template steps_between_two<S>() ? 2 : 1)));
  }
  (std::make_integer_sequence<int, sizeof...(T)>{});
}

}  // namespace teff::inline TEFF_MODE::detail

// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include <teff/base/index.hpp>

/// How a copy between two arrays of different layouts is done: all of the shape logic, in plain
/// numbers.
namespace teff::runtime {

/// A copy of n[0] x n[1] x n[2] cells: cell (i, j, k) of the target takes that of the source.
/// Strides count cells; those of the source may be negative or 0.
struct strided_copy {
  index_t n[3] = {1, 1, 1};
  index_t target[3] = {0, 0, 0};
  index_t source[3] = {0, 0, 0};
};

enum class transpose_way : std::uint8_t {
  nothing,  ///< no cells
  plain,  ///< both arrays are contiguous along the same dim, or as good as that: a statement copies
          ///< them
  tiles,  ///< tiles of a fixed size
  boxes   ///< one of the two dims is short: boxes of a size that fits it
};

/// The dims by their part in the copy: the target's cells are side by side along x, the source's
/// along y; z is what is left. Dims of one cell are gone, dims that continue one another in both
/// arrays are one; the target's strides are positive.
struct transpose_plan {
  struct dim {
    index_t n = 1, target = 0, source = 0;
  };
  transpose_way way = transpose_way::nothing;
  dim x, y, z;
  index_t target_offset = 0,
          source_offset = 0;  ///< of the first cell, in cells from the pointers given

  /// Extents of a box along x, y, z (way boxes only): at most most_box_cells in all.
  int box[3] = {1, 1, 1};
  static constexpr int most_box_cells = 4096;
  /// An extent below this is short.
  static constexpr index_t least_tiled = 64;

  /// Whether the source's (target's) cells are side by side along y (x) and every row begins at a
  /// multiple of `bytes`.
  bool source_is_aligned(const void* source, int cell_bytes, int bytes) const;
  bool target_is_aligned(const void* target, int cell_bytes, int bytes) const;
};

transpose_plan plan_transpose(const strided_copy& copy);

/// Division of numbers below 2^31 by a fixed number, as a multiplication: for kernels.
/// @source T. Granlund, P. Montgomery, Division by invariant integers using multiplication, PLDI
/// 1994
class fast_divisor {
 public:
  fast_divisor() = default;
  explicit fast_divisor(std::uint32_t divisor) : divisor_(divisor) {
    while ((std::uint64_t{1} << log2_) < divisor) ++log2_;
    const int bits = 31 + log2_;
    factor_ = static_cast<std::uint32_t>(((std::uint64_t{1} << bits) + divisor - 1) / divisor);
  }
  TEFF_INLINE std::uint32_t value() const { return divisor_; }
  /// n / divisor.
  TEFF_INLINE std::uint32_t divide(std::uint32_t n) const {
    return static_cast<std::uint32_t>(static_cast<std::uint64_t>(n) * factor_ >> 31 >> log2_);
  }
  /// Replaces n by n / divisor. @return n % divisor
  TEFF_INLINE std::uint32_t split(std::uint32_t& n) const {
    const std::uint32_t quotient = divide(n), rest = n - quotient * divisor_;
    n = quotient;
    return rest;
  }

 private:
  std::uint32_t divisor_ = 1, factor_ = std::uint32_t{1} << 31;
  int log2_ = 0;
};

/// The same for numbers and divisors up to 2^15, at two instructions.
class small_divisor {
 public:
  small_divisor() = default;
  explicit small_divisor(int divisor)
      : divisor_(divisor),
        factor_(static_cast<std::uint32_t>(ceil_div(index_t{1} << 31, divisor))) {}
  /// Replaces n by n / divisor. @return n % divisor
  TEFF_INLINE int split(int& n) const {
    const auto doubled = static_cast<std::uint64_t>(static_cast<std::uint32_t>(n) * 2u);
    const int quotient = static_cast<int>(doubled * factor_ >> 32);
    const int rest = n - quotient * divisor_;
    n = quotient;
    return rest;
  }

 private:
  int divisor_ = 1;
  std::uint32_t factor_ = std::uint32_t{1} << 31;
};

/// The tiles of a plane, numbered so that those which run at the same time form a patch: their rows
/// are then long in both arrays. Bands of up to 32 tiles along y; in a band y first, then x. The
/// bands are padded to equal widths, so that some numbers name a tile outside the plane.
struct tile_order {
  fast_divisor width, rows, bands;  ///< tiles of a band along y; tiles along x; bands
  index_t tiles = 0;                ///< of all planes

  static constexpr index_t widest_band = 32;

  tile_order() = default;
  /// @param tiles_x, tiles_y, planes: how many there are
  /// @throws error if there are 2^31 tiles or more
  tile_order(index_t tiles_x, index_t tiles_y, index_t planes);

  struct tile {
    index_t x, y, z;
  };
  TEFF_INLINE tile at(std::uint32_t number) const {
    const std::uint32_t y_in_band = width.split(number), x = rows.split(number);
    const std::uint32_t band = bands.split(number);
    return {x, static_cast<index_t>(band) * width.value() + y_in_band, number};
  }
};

}  // namespace teff::runtime

namespace teff::inline TEFF_MODE::detail {
using runtime::fast_divisor;
using runtime::plan_transpose;
using runtime::small_divisor;
using runtime::strided_copy;
using runtime::tile_order;
using runtime::transpose_plan;
using runtime::transpose_way;
}  // namespace teff::inline TEFF_MODE::detail

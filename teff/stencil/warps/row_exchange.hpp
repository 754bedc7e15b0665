// SPDX-License-Identifier: MIT
#pragma once

#include <teff/stencil/warps/slab_ring.hpp>

/// In 3-D the warps of a block have rows side by side, and each reads some of its neighbours':
/// through shared memory, a slab later.
namespace teff::inline TEFF_MODE::detail {

/// Rows of a level's newest slab for the warps below and above. Two rooms in turn: while some warps
/// still read one slab's rows, others write the next one's; so one barrier a slab is enough.
template <class T, class Patch, int Low, int High, int Warps>
class row_exchange {
  static constexpr int V = Patch::columns, Y = Patch::rows;
  using pieces = row_pieces<T, V>;
  static_assert(Low <= Y && High <= Y);

 public:
  static constexpr int elements = 2 * Warps * (Low + High) * 32 * V,
                       bytes_of_block = elements * static_cast<int>(sizeof(T));

  TEFF_INLINE void carve(block& blk) {
    rows_ = blk.shared<T>(elements);
    lane_ = blk.thread() % 32;
    warp_ = blk.thread() / 32;
  }
  /// @param room 0 and 1 in turn
  template <class Window>
  TEFF_INLINE void give(int room, const Window& window) {
    const auto& slab = window.slab[0];
    TEFF_UNROLL
    for (int r = 0; r < High; ++r)  // the first rows: the warp below has them above its own
      pieces::write(rows_, place(room, warp_, r), pieces::wide * 32, slab.cell[Low + r]);
    TEFF_UNROLL
    for (int r = 0; r < Low; ++r)
      pieces::write(rows_, place(room, warp_, High + r), pieces::wide * 32, slab.cell[Y + r]);
  }
  /// At the ends of a tile, where there is no neighbour, what comes is not used.
  template <class Window>
  TEFF_INLINE void take(int room, Window& window) const {
    auto& slab = window.slab[0];
    const int below = warp_ > 0 ? warp_ - 1 : 0, above = warp_ < Warps - 1 ? warp_ + 1 : warp_;
    TEFF_UNROLL
    for (int r = 0; r < Low; ++r)
      pieces::read(slab.cell[r], rows_, place(room, below, High + r), pieces::wide * 32);
    TEFF_UNROLL
    for (int r = 0; r < High; ++r)
      pieces::read(slab.cell[Low + Y + r], rows_, place(room, above, r), pieces::wide * 32);
  }

 private:
  TEFF_INLINE int place(int room, int warp, int row) const {
    return (((room * Warps + warp) * (Low + High) + row) * pieces::count * 32 + lane_) *
           pieces::wide;
  }

  shared_array<T> rows_{shared_array<T>::none()};
  int lane_ = 0, warp_ = 0;
};
template <class T, class Patch, int Warps>
class row_exchange<T, Patch, 0, 0, Warps> {  // nobody reads beside its own rows
 public:
  static constexpr int bytes_of_block = 0;
  TEFF_INLINE void carve(block&) {}
  template <class Window>
  TEFF_INLINE void give(int, const Window&) {}
  template <class Window>
  TEFF_INLINE void take(int, Window&) const {}
};

}  // namespace teff::inline TEFF_MODE::detail

// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <cstdlib>
#include <type_traits>
#include <utility>

#include <teff/algo/transpose/plan.hpp>
#include <teff/expr/lanes.hpp>
#include <teff/kernel/block.hpp>

/// Transposing on a GPU, and in the emulator: a block copies one tile. Twin: transpose/cpu.hpp.
/// Cells are moved as bits.
///
/// Where rows begin at multiples of 16 bytes in both arrays, a thread loads squares of V x V cells
/// as V accesses, turns them in registers, and puts them into shared memory as they lie in the
/// target; the order of the accesses in a row is changed by an exclusive or with the row's number,
/// so that 8 lanes never meet in a bank. Else lanes load and store cell by cell, along y and along
/// x, through rows of odd length.
///
/// Loads in flight: 64 bytes a thread, cell by cell 72 (u8: 20), 6 blocks of 256 threads on a
/// multiprocessor: 96 and 110 KB. Boxes: 16 cells a thread, so 64 or 128 bytes, 3 blocks: 48 or 96
/// KB.
namespace teff::inline TEFF_MODE::detail {

/// Cells of an access, extents of a tile along x and y, threads of a block. A square of `access`
/// cells is one thread's.
template <int Bytes, int X, int Y, int Threads = 256>
struct tile_shape {
  static constexpr int access = Bytes == 1 ? 4 : 16 / Bytes;
  static constexpr int x = X, y = Y, threads = Threads;
  static constexpr int row = x / access;  ///< accesses of a row of the target
  /// Lanes that shared memory serves at once, and never more than a row has accesses.
  static constexpr int swizzle = lesser_of(128 / (access * Bytes), row);
  /// Cell by cell: from one row of y cells to the next, an odd number of 4-byte banks or of 8-byte
  /// pairs.
  static constexpr int pitch = y + greater_of(1, 4 / Bytes);
  static constexpr int most_skew = 32 / Bytes - 1;  ///< from whole sectors
  static constexpr int shared_bytes = (x + most_skew) * pitch * Bytes;
  static_assert(x * y % (access * access * threads) == 0 && threads % x == 0 && threads % y == 0 &&
                x * y % threads == 0 && x % (most_skew + 1) == 0);
};

template <int Bytes>
struct best_tile;
template <>
struct best_tile<1> : tile_shape<1, 128, 128> {};
template <>
struct best_tile<4> : tile_shape<4, 64, 64> {};
template <>
struct best_tile<8> : tile_shape<8, 64, 32> {};

/// What a tile kernel needs of the plan.
template <class T>
struct transposed_cells {
  T* target;
  const T* source;
  transpose_plan::dim x, y, z;

  transposed_cells(const transpose_plan& plan, void* to, const void* from)
      : target(static_cast<T*>(to) + plan.target_offset),
        source(static_cast<const T*>(from) + plan.source_offset),
        x(plan.x),
        y(plan.y),
        z(plan.z) {}

  TEFF_INLINE T* to(index_t i, index_t j, index_t k) const {
    return target + i * x.target + j * y.target + k * z.target;
  }
  TEFF_INLINE const T* from(index_t i, index_t j, index_t k) const {
    return source + i * x.source + j * y.source + k * z.source;
  }
};

/// IsAligned: accesses of 16 bytes are possible in both arrays.
template <class T, class Shape, bool IsAligned>
struct transpose_tile {
  static constexpr int threads = Shape::threads;
  static constexpr int least_blocks = threads != 256 ? 1 : sizeof(T) == 1 ? 5 : 6;
  static constexpr int V = Shape::access;
  using access = pack<T, V>;

  transposed_cells<T> cells;
  tile_order order;
  int skew;  ///< cells by which a row of a tile may begin before others: most_skew, or 0

  TEFF_INLINE void operator()(block& blk) const {
    const tile_order::tile tile = order.at(static_cast<std::uint32_t>(blk.index(0)));
    const index_t x = tile.x * Shape::x, y = tile.y * Shape::y;
    if (y >= cells.y.n) return;
    if (IsAligned && x + Shape::x <= cells.x.n && y + Shape::y <= cells.y.n)
      copy_squares(blk, x, y, tile.z);
    else
      copy_cells(blk, x, y, tile.z);
  }

 private:
  TEFF_INLINE void copy_squares(block& blk, index_t x, index_t y, index_t z) const {
    constexpr int column = Shape::y / V, squares = Shape::row * column / threads;
    const auto turned = blk.shared<access>(Shape::row * Shape::y);
    const int thread = blk.thread(0);
    access loaded[squares][V];
    TEFF_UNROLL
    for (int s = 0; s < squares; ++s) {
      const int number = thread + s * threads, in_x = number / column, in_y = number % column;
      const T* from = cells.from(x + in_x * V, y + in_y * V, z);
      TEFF_UNROLL
      for (int i = 0; i < V; ++i)
        loaded[s][i] = *reinterpret_cast<const access*>(from + i * cells.x.source);
    }
    TEFF_UNROLL
    for (int s = 0; s < squares; ++s) {
      const int number = thread + s * threads, in_x = number / column, in_y = number % column;
      TEFF_UNROLL
      for (int j = 0; j < V; ++j) {
        access row;
        TEFF_UNROLL
        for (int i = 0; i < V; ++i) row.lane[i] = loaded[s][i].lane[j];
        turned[(in_y * V + j) * Shape::row + (in_x ^ in_y % Shape::swizzle)] = row;
      }
    }
    blk.sync();
    constexpr int rows = threads / Shape::row;  // that the block stores at a time
    const int in_x = thread % Shape::row, first = thread / Shape::row;
    T* to = cells.to(x + in_x * V, y + first, z);
    TEFF_UNROLL
    for (int r = 0; r < Shape::y / rows; ++r) {
      const int in_y = first + r * rows;
      const access row = turned[in_y * Shape::row + (in_x ^ in_y / V % Shape::swizzle)];
      *reinterpret_cast<access*>(to + r * rows * cells.y.target) = row;
    }
  }

  /// Stores whole sectors, wherever the rows of the target begin: each takes cells from up to
  /// `skew` before x on, and leaves as many at its end to the next tile.
  TEFF_INLINE void copy_cells(block& blk, index_t x, index_t y, index_t z) const {
    constexpr int loads = threads / Shape::y, stores = threads / Shape::x;   // rows at a time
    constexpr int rows = (Shape::x + Shape::most_skew + loads - 1) / loads;  // of a thread
    constexpr int batch = rows / ((rows + 19) / 20);                         // loads of a thread
    static_assert(rows % batch == 0);
    const auto turned = blk.shared<T>((Shape::x + Shape::most_skew) * Shape::pitch);
    const int thread = blk.thread(0);
    // Of the cells x - skew, x - skew + 1, ..., those that there are.
    const int begin = x == 0 ? skew : 0;
    const int end = static_cast<int>(lesser_of(cells.x.n - x, index_t{Shape::x})) + skew;
    {
      const int in_y = thread % Shape::y, first = thread / Shape::y;
      const index_t step = loads * cells.x.source;
      const T* from = cells.from(x - skew + first, y + in_y, z);
      const bool is_inside = y + in_y < cells.y.n;
      for (int b = 0; b < rows; b += batch) {
        T loaded[batch];
        TEFF_UNROLL
        for (int r = 0; r < batch; ++r) {
          const int row = first + (b + r) * loads;
          loaded[r] = T{};
          if (is_inside && row >= begin && row < end) loaded[r] = *from;
          from += step;
        }
        TEFF_UNROLL
        for (int r = 0; r < batch; ++r) {
          const int row = first + (b + r) * loads;
          if (row < Shape::x + skew) turned[row * Shape::pitch + in_y] = loaded[r];
        }
      }
    }
    blk.sync();
    const int in_x = thread % Shape::x, first = thread / Shape::x;
    T* to = cells.to(x + in_x, y + first, z);
    const index_t step = stores * cells.y.target, left = cells.y.n - y - first;
    TEFF_UNROLL
    for (int r = 0; r < Shape::y / stores; ++r) {
      const auto number = static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(to) / sizeof(T));
      const int before = static_cast<int>(number - static_cast<unsigned>(in_x)) & skew;
      const int row = skew - before + in_x;
      const T value = turned[row * Shape::pitch + first + r * stores];
      if (r * stores < left && row >= begin && row < end) to[-before] = value;
      to += step;
    }
  }
};

/// The dims of a box in the order in which its cells are numbered.
template <class Offset>
struct box_side {
  int dim[3];        ///< 0 for x, 1 for y, 2 for z; the fastest first
  Offset stride[3];  ///< of the array, in the same order
  index_t wide[3];   ///< the same, for the box's first cell
  small_divisor fast, middle;
};

/// Boxes: the cells are numbered as they lie in the source, loaded in that order, and stored in the
/// order of the target. Offset: int where that suffices in a box.
template <class T, class Offset, int Threads = 256, int Cells = transpose_plan::most_box_cells>
struct transpose_box {
  static constexpr int threads = Threads, least_blocks = threads != 256 ? 1 : 3;
  static constexpr int per_thread = Cells / Threads;
  /// A gap of one bank (a pair for 8 bytes) every 128 bytes: columns of 2, 4, ... cells do not meet
  /// in a bank.
  static constexpr int every = 128 / static_cast<int>(sizeof(T));
  static constexpr int gap = greater_of(1, 4 / static_cast<int>(sizeof(T)));
  static constexpr int shared_cells = Cells + Cells / every * gap;

  T* target;
  const T* source;
  index_t n[3];
  int box[3];
  fast_divisor boxes_x, boxes_y;
  box_side<Offset> from, to;
  int in_source[3];  ///< how a cell's number in the source changes along the target's dims, the
                     ///< fastest first

  TEFF_INLINE void operator()(block& blk) const {
    std::uint32_t number = static_cast<std::uint32_t>(blk.index(0));
    index_t first[3];
    first[0] = static_cast<index_t>(boxes_x.split(number)) * box[0];
    first[1] = static_cast<index_t>(boxes_y.split(number)) * box[1];
    first[2] = static_cast<index_t>(number) * box[2];
    int limit[3];
    TEFF_UNROLL
    for (int d = 0; d < 3; ++d)
      limit[d] = static_cast<int>(n[d] - first[d] < box[d] ? n[d] - first[d] : box[d]);
    const int count = box[0] * box[1] * box[2];
    const auto turned = blk.shared<T>(shared_cells);

    const T* const read = source + offset_of(from, first);
    T loaded[per_thread];
    TEFF_UNROLL
    for (int c = 0; c < per_thread; ++c) {
      const int cell = blk.thread(0) + c * threads;
      int at[3];
      locate(from, cell, at);
      loaded[c] = T{};
      if (cell < count && is_inside(from, at, limit)) loaded[c] = read[within(from, at)];
    }
    TEFF_UNROLL
    for (int c = 0; c < per_thread; ++c) {
      const int cell = blk.thread(0) + c * threads;
      turned[cell + cell / every * gap] = loaded[c];
    }
    blk.sync();
    T* const written = target + offset_of(to, first);
    TEFF_UNROLL
    for (int c = 0; c < per_thread; ++c) {
      const int cell = blk.thread(0) + c * threads;
      int at[3];
      locate(to, cell, at);
      if (cell >= count || !is_inside(to, at, limit)) continue;
      const int from_cell = at[0] * in_source[0] + at[1] * in_source[1] + at[2] * in_source[2];
      const T value = turned[from_cell + from_cell / every * gap];
      written[within(to, at)] = value;
    }
  }

 private:
  TEFF_INLINE static void locate(const box_side<Offset>& side, int cell, int (&at)[3]) {
    at[0] = side.fast.split(cell);
    at[1] = side.middle.split(cell);
    at[2] = cell;
  }
  TEFF_INLINE static bool is_inside(const box_side<Offset>& side, const int (&at)[3],
                                    const int (&limit)[3]) {
    bool inside = true;
    TEFF_UNROLL
    for (int d = 0; d < 3; ++d) {
      const int most = side.dim[d] == 0 ? limit[0] : side.dim[d] == 1 ? limit[1] : limit[2];
      inside = inside && at[d] < most;
    }
    return inside;
  }
  TEFF_INLINE static Offset within(const box_side<Offset>& side, const int (&at)[3]) {
    return at[0] * side.stride[0] + at[1] * side.stride[1] + at[2] * side.stride[2];
  }
  TEFF_INLINE static index_t offset_of(const box_side<Offset>& side, const index_t (&first)[3]) {
    return first[0] * side.wide[0] + first[1] * side.wide[1] + first[2] * side.wide[2];
  }
};

// ---- launching

template <class T, class Shape>
void launch_tiles(const stream& on, const transpose_plan& plan, T* target, const T* source) {
  const transposed_cells<T> cells(plan, target, source);
  constexpr int bytes = sizeof(T), access = bytes * Shape::access;
  const bool is_aligned = plan.source_is_aligned(source, bytes, access) &&
                          plan.target_is_aligned(target, bytes, access);
  constexpr int sector = bytes * (Shape::most_skew + 1);
  const bool is_skewed = plan.x.target == 1 && !plan.target_is_aligned(target, bytes, sector);
  const int skew = !is_aligned && is_skewed ? Shape::most_skew : 0;
  const tile_order order(ceil_div(plan.x.n + skew, Shape::x), ceil_div(plan.y.n, Shape::y),
                         plan.z.n);
  const block_options options{
      .blocks = {order.tiles}, .threads = {Shape::threads}, .shared_bytes = Shape::shared_bytes};
  if (is_aligned)
    launch_blocks(on, options, transpose_tile<T, Shape, true>{cells, order, skew});
  else
    launch_blocks(on, options, transpose_tile<T, Shape, false>{cells, order, skew});
}

/// The order in which a box is numbered: `fastest`, then the dim of the narrower stride.
template <class Offset>
box_side<Offset> side_of(const int (&box)[3], const index_t (&stride)[3], int fastest) {
  box_side<Offset> side{};
  int middle = fastest == 0 ? 1 : 0, slowest = 3 - fastest - middle;
  const auto width = [&](int d) { return stride[d] < 0 ? -stride[d] : stride[d]; };
  if (box[middle] == 1 || (box[slowest] > 1 && width(slowest) < width(middle)))
    std::swap(middle, slowest);
  const int order[3] = {fastest, middle, slowest};
  for (int i = 0; i < 3; ++i) {
    side.dim[i] = order[i];
    side.stride[i] = static_cast<Offset>(stride[order[i]]);
    side.wide[i] = stride[i];
  }
  side.fast = small_divisor(box[fastest]);
  side.middle = small_divisor(box[middle]);
  return side;
}

template <class T, class Offset, int Threads, int Cells>
void launch_boxes_of(const stream& on, const transpose_plan& plan, T* target, const T* source) {
  using kernel = transpose_box<T, Offset, Threads, Cells>;
  const transpose_plan::dim dims[3] = {plan.x, plan.y, plan.z};
  kernel k{};
  k.target = target + plan.target_offset;
  k.source = source + plan.source_offset;
  index_t to[3], from[3], boxes[3];
  for (int d = 0; d < 3; ++d) {
    k.n[d] = dims[d].n;
    k.box[d] = plan.box[d];
    to[d] = dims[d].target;
    from[d] = dims[d].source;
    boxes[d] = ceil_div(dims[d].n, plan.box[d]);
  }
  k.from = side_of<Offset>(plan.box, from, 1);
  k.to = side_of<Offset>(plan.box, to, 0);
  int number_step[3], step = 1;
  for (const int d : k.from.dim) {
    number_step[d] = step;
    step *= plan.box[d];
  }
  for (int i = 0; i < 3; ++i) k.in_source[i] = number_step[k.to.dim[i]];
  const tile_order checked(boxes[0], boxes[1], boxes[2]);  // that there are not too many
  (void)checked;
  k.boxes_x = fast_divisor(static_cast<std::uint32_t>(boxes[0]));
  k.boxes_y = fast_divisor(static_cast<std::uint32_t>(boxes[1]));
  launch_blocks(on,
                {.blocks = {boxes[0] * boxes[1] * boxes[2]},
                 .threads = {Threads},
                 .shared_bytes = kernel::shared_cells * static_cast<index_t>(sizeof(T))},
                k);
}

template <class T, int Threads = 256, int Cells = transpose_plan::most_box_cells>
void launch_boxes(const stream& on, const transpose_plan& plan, T* target, const T* source) {
  const transpose_plan::dim dims[3] = {plan.x, plan.y, plan.z};
  index_t reach_source = 0, reach_target = 0;  // from a box's first cell to its farthest
  for (int d = 0; d < 3; ++d) {
    reach_source += std::abs(dims[d].source) * plan.box[d];
    reach_target += std::abs(dims[d].target) * plan.box[d];
  }
  constexpr index_t most = 0x7fffffff;
  if (reach_source <= most && reach_target <= most)
    launch_boxes_of<T, int, Threads, Cells>(on, plan, target, source);
  else
    launch_boxes_of<T, index_t, Threads, Cells>(on, plan, target, source);
}

/// Copies by the ways `tiles` and `boxes`, with kernels. @sync asynchronous on a GPU
template <class T>
void transpose_blocks(const stream& on, const transpose_plan& plan, T* target, const T* source) {
  using bits = std::conditional_t<sizeof(T) == 1, std::uint8_t,
                                  std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>;
  auto* const to = reinterpret_cast<bits*>(target);
  const auto* const from = reinterpret_cast<const bits*>(source);
  if (plan.way == transpose_way::tiles)
    launch_tiles<bits, best_tile<sizeof(T)>>(on, plan, to, from);
  else
    launch_boxes<bits>(on, plan, to, from);
}

}  // namespace teff::inline TEFF_MODE::detail

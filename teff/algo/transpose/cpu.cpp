// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdint>
#include <cstring>

#include <omp.h>

#include <teff/algo/transpose/cpu.hpp>
#include <teff/base/error.hpp>
#include <teff/base/for_tasks.hpp>
#include <teff/kernel/streaming_store.hpp>

/// A panel is some rows of the target, as many as the source has side by side in four kilobytes. It
/// is filled from one end to the other, block by block. A block is first copied as it lies in the
/// source, row after row, into a buffer in the L2 cache whose pitch is no power of two; from there
/// 8 rows of the target at a time are made in the L1 cache, and go to memory past the caches, whole
/// lines only: what a block leaves of a line is kept for the next one. So memory is read and
/// written in long pieces, each line once, whatever the pitch of the two arrays.
namespace teff::runtime {

namespace {

template <class T>
struct block_shape {
  static constexpr index_t line = cpu_line / static_cast<index_t>(sizeof(T));
  /// Cells of a block along y, side by side in the source, and along x, side by side in the target.
  /// (Pieces of 4 KB: with 2 KB transposing was 10 to 20% slower, on two cores of a shared
  /// machine.)
  static constexpr index_t y = (sizeof(T) == 1 ? 8 : 64) * line,
                           x = (sizeof(T) == 1 ? 2 : 4) * line;
  static constexpr index_t pitch = y + line;
  /// Rows of the target that are made at a time.
  static constexpr index_t rows = 8;
};

// ---- squares in registers: to[y][x] = from[x * pitch + y]

template <class T, int N>
struct vector_of {
  typedef T type __attribute__((vector_size(N * sizeof(T))));

  static type load(const T* from) {
    type v;
    std::memcpy(&v, from, sizeof v);
    return v;
  }
  static void store(T* to, type v) { std::memcpy(to, &v, sizeof v); }
};

/// 8 x 8 cells of 4 bytes.
inline void transpose_square(std::uint32_t* const* to, index_t x0, const std::uint32_t* from,
                             index_t pitch) {
  using v8 = vector_of<std::uint32_t, 8>;
  v8::type r[8], a[8];
#pragma GCC unroll 8
  for (int x = 0; x < 8; ++x) r[x] = v8::load(from + x * pitch);
#pragma GCC unroll 4
  for (int p = 0; p < 4; ++p) {  // pairs of rows: cells alternate
    a[2 * p] = __builtin_shufflevector(r[2 * p], r[2 * p + 1], 0, 8, 1, 9, 4, 12, 5, 13);
    a[2 * p + 1] = __builtin_shufflevector(r[2 * p], r[2 * p + 1], 2, 10, 3, 11, 6, 14, 7, 15);
  }
#pragma GCC unroll 2
  for (int p = 0; p < 2; ++p)  // four rows: r[4p + i] holds columns i and i + 4
#pragma GCC unroll 2
    for (int i = 0; i < 2; ++i) {
      const v8::type low = a[4 * p + i], high = a[4 * p + 2 + i];
      r[4 * p + 2 * i] = __builtin_shufflevector(low, high, 0, 1, 8, 9, 4, 5, 12, 13);
      r[4 * p + 2 * i + 1] = __builtin_shufflevector(low, high, 2, 3, 10, 11, 6, 7, 14, 15);
    }
#pragma GCC unroll 4
  for (int i = 0; i < 4; ++i) {
    v8::store(to[i] + x0, __builtin_shufflevector(r[i], r[4 + i], 0, 1, 2, 3, 8, 9, 10, 11));
    v8::store(to[4 + i] + x0, __builtin_shufflevector(r[i], r[4 + i], 4, 5, 6, 7, 12, 13, 14, 15));
  }
}

/// 8 x 8 cells of 8 bytes, as four squares of 4 x 4.
inline void transpose_square(std::uint64_t* const* to, index_t x0, const std::uint64_t* from,
                             index_t pitch) {
  using v4 = vector_of<std::uint64_t, 4>;
#pragma GCC unroll 4
  for (int q = 0; q < 4; ++q) {
    const int y = q % 2 * 4, x = q / 2 * 4;
    v4::type r[4], a[4];
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i) r[i] = v4::load(from + (x + i) * pitch + y);
#pragma GCC unroll 2
    for (int p = 0; p < 2; ++p) {
      a[2 * p] = __builtin_shufflevector(r[2 * p], r[2 * p + 1], 0, 4, 2, 6);
      a[2 * p + 1] = __builtin_shufflevector(r[2 * p], r[2 * p + 1], 1, 5, 3, 7);
    }
#pragma GCC unroll 2
    for (int i = 0; i < 2; ++i) {
      v4::store(to[y + i] + x0 + x, __builtin_shufflevector(a[i], a[2 + i], 0, 1, 4, 5));
      v4::store(to[y + 2 + i] + x0 + x, __builtin_shufflevector(a[i], a[2 + i], 2, 3, 6, 7));
    }
  }
}

/// 8 x 8 cells of 1 byte: cell (x, y) is byte 8 x + y; interleaving the two halves rotates the six
/// bits of that number by one, three times of it exchange x and y.
inline void transpose_square(std::uint8_t* const* to, index_t x0, const std::uint8_t* from,
                             index_t pitch) {
  using v16 = vector_of<std::uint8_t, 16>;
  v16::type r[4], a[4];
#pragma GCC unroll 4
  for (int x = 0; x < 4; ++x) {
    std::uint8_t two[16];
    std::memcpy(two, from + 2 * x * pitch, 8);
    std::memcpy(two + 8, from + (2 * x + 1) * pitch, 8);
    r[x] = v16::load(two);
  }
#pragma GCC unroll 3
  for (int round = 0; round < 3; ++round) {
#pragma GCC unroll 2
    for (int i = 0; i < 2; ++i) {
      a[2 * i] = __builtin_shufflevector(r[i], r[i + 2], 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21,
                                         6, 22, 7, 23);
      a[2 * i + 1] = __builtin_shufflevector(r[i], r[i + 2], 8, 24, 9, 25, 10, 26, 11, 27, 12, 28,
                                             13, 29, 14, 30, 15, 31);
    }
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i) r[i] = a[i];
  }
#pragma GCC unroll 4
  for (int i = 0; i < 4; ++i) {
    std::uint8_t two[16];
    v16::store(two, r[i]);
    std::memcpy(to[2 * i] + x0, two, 8);
    std::memcpy(to[2 * i + 1] + x0, two + 8, 8);
  }
}

// ---- blocks

/// `rows` by `width` cells of a buffered block: to[y][x] = from[x * pitch + y].
template <class T>
void transpose_block(T* const* to, const T* from, index_t pitch, index_t width, index_t rows) {
  index_t x = 0;
  if (rows == block_shape<T>::rows)
    for (; x + 8 <= width; x += 8) transpose_square(to, x, from + x * pitch, pitch);
  for (index_t y = 0; y < rows; ++y)
    for (index_t i = x; i < width; ++i) to[y][i] = from[i * pitch + y];
}

/// The part [x0, x1) of the target rows [y0, y0 + rows) of one plane.
template <class T>
struct panel {
  T* to;          ///< cell (0, y0)
  const T* from;  ///< the same cell of the source
  index_t x0, x1, rows;
  bool streams;
};

/// Copies a block as it lies in the source.
template <class T>
void buffer_block(T* buffer, const transpose_plan& plan, const panel<T>& p, index_t x0,
                  index_t width) {
  for (index_t x = 0; x < width; ++x) {
    const T* from = p.from + (x0 + x) * plan.x.source;
    T* to = buffer + x * block_shape<T>::pitch;
    if (plan.y.source == 1)
      std::memcpy(to, from, static_cast<std::size_t>(p.rows) * sizeof(T));
    else
      for (index_t y = 0; y < p.rows; ++y) to[y] = from[y * plan.y.source];
  }
}

/// A row of the target on its way to memory: cells that do not fill a line yet.
template <class T>
struct pending_line {
  alignas(cpu_line) T cell[block_shape<T>::line];
  index_t begin, end;  ///< cells of this line that are ours and known
};

/// Stores the cells [begin, end) of `row`, which continue `line` at the target's `to` (where a line
/// begins), except for what fills no line.
template <class T>
void stream_row(T* to, const T* row, index_t begin, index_t end, pending_line<T>& line,
                bool is_last) {
  constexpr index_t in_line = block_shape<T>::line;
  const auto bytes = [](index_t cells) { return static_cast<std::size_t>(cells) * sizeof(T); };
  index_t done = 0;
  if (begin > 0 && end >= in_line) {  // the line is shared with cells of others
    std::memcpy(to + begin, row + begin, bytes(in_line - begin));
    done = in_line;
    begin = 0;
  }
  const index_t whole = (end - done) / in_line * in_line;
  streaming_store_lines(to + done, row + done, whole * static_cast<index_t>(sizeof(T)));
  done += whole;
  if (is_last)
    std::memcpy(to + done + begin, row + done + begin, bytes(end - done - begin));
  else
    std::memcpy(line.cell, row + done,
                cpu_line);  // what lies behind is not known yet, and not used
  line.begin = begin;
  line.end = end - done;
}

/// A target whose cells are side by side along x.
template <class T>
void fill_panel(const transpose_plan& plan, const panel<T>& p) {
  using shape = block_shape<T>;
  constexpr index_t pitch = shape::x + 2 * shape::line;
  alignas(cpu_line) T buffer[shape::x * shape::pitch];
  alignas(cpu_line) T made[shape::rows * pitch];
  pending_line<T> pending[shape::y];
  for (index_t y = 0; y < p.rows; ++y) {
    const auto address = reinterpret_cast<std::uintptr_t>(p.to + y * plan.y.target + p.x0);
    const auto beyond = static_cast<index_t>(address % cpu_line / sizeof(T));
    pending[y].begin = pending[y].end = p.streams ? beyond : 0;
  }
  for (index_t x = p.x0; x < p.x1; x += shape::x) {
    const index_t width = std::min(shape::x, p.x1 - x);
    // Rows of a few cells would be copied one by one.
    const bool is_direct = plan.y.source == 1 && p.rows < shape::rows;
    if (!is_direct) buffer_block(buffer, plan, p, x, width);
    const T* from = is_direct ? p.from + x * plan.x.source : buffer;
    const index_t from_pitch = is_direct ? plan.x.source : shape::pitch;
    for (index_t y = 0; y < p.rows; y += shape::rows) {
      const index_t rows = std::min(shape::rows, p.rows - y);
      T* row[shape::rows];
      for (index_t r = 0; r < rows; ++r) {
        row[r] = p.to + (y + r) * plan.y.target + x;
        if (!p.streams) continue;
        T* line = made + r * pitch;
        std::memcpy(line, pending[y + r].cell, cpu_line);
        row[r] = line + pending[y + r].end;
      }
      transpose_block(row, from + y, from_pitch, width, rows);
      if (!p.streams) continue;
      for (index_t r = 0; r < rows; ++r) {
        pending_line<T>& line = pending[y + r];
        stream_row(p.to + (y + r) * plan.y.target + x - line.end, made + r * pitch, line.begin,
                   line.end + width, line, x + width == p.x1);
      }
    }
  }
}

/// A target of any strides.
template <class T>
void scatter_panel(const transpose_plan& plan, const panel<T>& p) {
  for (index_t x = p.x0; x < p.x1; ++x)
    for (index_t y = 0; y < p.rows; ++y)
      p.to[x * plan.x.target + y * plan.y.target] = p.from[x * plan.x.source + y * plan.y.source];
}

/// Short rows of the target, one behind the other: they are made in a buffer, and stored as one
/// piece.
template <class T>
void interleave_panel(const transpose_plan& plan, const panel<T>& p) {
  alignas(cpu_line) T buffer[block_shape<T>::y * transpose_plan::least_tiled];
  const index_t n = plan.x.n;
  for (index_t x = 0; x < n; ++x) {
    const T* from = p.from + x * plan.x.source;
    for (index_t y = 0; y < p.rows; ++y) buffer[y * n + x] = from[y * plan.y.source];
  }
  if (p.streams)
    streaming_store(p.to, buffer, p.rows * n);
  else
    std::memcpy(p.to, buffer, static_cast<std::size_t>(p.rows * n) * sizeof(T));
}

template <class T>
void transpose_cells(const transpose_plan& plan, T* target, const T* source, bool streams) {
  using shape = block_shape<T>;
  const transpose_plan::dim &x = plan.x, &y = plan.y, &z = plan.z;
  const index_t cells = x.n * y.n * z.n;
  target += plan.target_offset;
  source += plan.source_offset;
  const bool interleaves = x.target == 1 && y.target == x.n && x.n < transpose_plan::least_tiled;
  const index_t panels = ceil_div(y.n, shape::y);
  // Few panels are cut along x, into parts that are still long.
  const index_t wanted = 4 * static_cast<index_t>(omp_get_max_threads());
  index_t parts =
      interleaves ? 1 : std::min(ceil_div(wanted, panels * z.n), ceil_div(x.n, index_t{1024}));
  const index_t part = ceil_div(ceil_div(x.n, parts), shape::x) * shape::x;
  parts = ceil_div(x.n, part);
  teff::for_tasks(panels * z.n * parts, cells >= parallel_cells, [&](index_t task) {
    const index_t x0 = task % parts * part, plane = task / parts / panels;
    const index_t y0 = task / parts % panels * shape::y;
    const panel<T> p{target + y0 * y.target + plane * z.target,
                     source + y0 * y.source + plane * z.source,
                     x0,
                     std::min(x0 + part, x.n),
                     std::min(shape::y, y.n - y0),
                     streams};
    if (interleaves)
      interleave_panel(plan, p);
    else if (x.target == 1)
      fill_panel(plan, p);
    else
      scatter_panel(plan, p);
  });
}

}  // namespace

void transpose_cpu(const transpose_plan& plan, void* target, const void* source, int cell_bytes,
                   bool past_caches) {
  const auto run = [&](auto bits) {
    using T = decltype(bits);
    transpose_cells(plan, static_cast<T*>(target), static_cast<const T*>(source), past_caches);
  };
  if (cell_bytes == 1) return run(std::uint8_t{});
  if (cell_bytes == 4) return run(std::uint32_t{});
  if (cell_bytes == 8) return run(std::uint64_t{});
  throw error("transpose: cells of " + std::to_string(cell_bytes) + " bytes");
}

}  // namespace teff::runtime

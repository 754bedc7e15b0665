// SPDX-License-Identifier: MIT
#pragma once

#include <type_traits>

#include <teff/base/index.hpp>

/// Launch shapes and unrolling of statements on a GPU. A kernel reaches the memory's speed when 32
/// to 48 KB of loads are in flight on every multiprocessor: with up to 2048 resident threads that
/// is 16 to 24 bytes a thread.
namespace teff::inline TEFF_MODE::detail {

/// What one thread does: Cells side by side along x, in Rows rows of Planes planes; the threads of
/// a block; and how many threads a multiprocessor must hold, for which the compiler limits
/// registers (65536 of them on all recent GPUs). (A type, since kernels can not take values of
/// class types as template arguments.)
template <int Cells, int Rows, int Planes, int ThreadsX, int ThreadsY, int ThreadsZ = 1,
          int Resident = 0>
struct statement_work {
  static constexpr int cells = Cells, rows = Rows, planes = Planes;
  static constexpr int threads_x = ThreadsX, threads_y = ThreadsY, threads_z = ThreadsZ,
                       threads = ThreadsX * ThreadsY * ThreadsZ;
  static constexpr int least_blocks = Resident > threads ? Resident / threads : 1;
};

/// Bytes of a sector, what a GPU's caches move at a time, and of a line.
inline constexpr int sector_bytes = 32, line_bytes = 128;

/// By the bytes of the widest element, the rank, and how many elements one cell loads. Chosen on an
/// H200 in November 2026 (results/h200).
template <int Widest, int Rank, int Loads>
struct statement_tuning {
  /// Each cell of the target from the same cell of every array: one access of 16 bytes per array.
  using pointwise = statement_work<(Widest >= 16 ? 1 : 16 / Widest), 1, 1, 256, 1>;

  /// With neighbours: cells of several rows, in 3-D in blocks of several planes, so that what is
  /// loaded serves all that need it, and with 64 registers (48 for few loads by 32-bit indices).
  /// Left alone, the compiler takes 32 to 40 and loads and computes in turns, so that a thread
  /// waits for memory two or three times, or it takes one more than half of the multiprocessor's
  /// threads can have.
  template <class One, class Two, class Three>
  using by_rank = std::conditional_t<Rank == 1, One, std::conditional_t<Rank == 2, Two, Three>>;
  template <class Index>
  static constexpr int resident_in_3d = sizeof(Index) < 8 && Loads < 8 ? 1280 : 1024;
  /// In 2-D, with few loads, a thread has more cells, whose rows share what they read
  /// (results/h100/readings/statements_2d.txt).
  using in_2d =
      std::conditional_t<(Widest >= 8),
                         std::conditional_t<(Loads <= 8), statement_work<2, 4, 1, 64, 2, 1, 768>,
                                            statement_work<1, 4, 1, 64, 4, 1, 1024>>,
                         std::conditional_t<(Loads <= 7), statement_work<2, 8, 1, 64, 2, 1, 768>,
                                            statement_work<2, 4, 1, 64, 2, 1, 1024>>>;
  template <class Index>
  using several_cells = std::conditional_t<
      Widest >= 8,
      by_rank<statement_work<2, 1, 1, 256, 1, 1, 1024>, in_2d,
              statement_work<1, 4, 1, 64, 2, 2, resident_in_3d<Index>>>,
      by_rank<statement_work<4, 1, 1, 256, 1, 1, 1024>, in_2d,
              std::conditional_t<sizeof(Index) < 8,
                                 statement_work<2, 2, 2, 64, 4, 1, resident_in_3d<Index>>,
                                 statement_work<2, 4, 1, 64, 2, 2, resident_in_3d<Index>>>>>;
  template <class Work>
  static constexpr int registers_of_loads =
      Loads* Work::cells* Work::rows* Work::planes*(Widest >= 8 ? 2 : 1);
  /// Long formulas: in 2-D many cells of few threads, so that rows share what they read; in 3-D a
  /// few cells; the longest have registers for one.
  using few_cells = std::conditional_t<
      Rank == 2 && Loads <= 32,
      std::conditional_t<(Widest >= 8), statement_work<1, 8, 1, 64, 2, 1, 512>,
                         statement_work<2, 8, 1, 64, 2, 1, 768>>,
      std::conditional_t<Rank == 3 && Loads <= 32 && Widest <= 4,
                         statement_work<2, 2, 1, 64, 4, 1, 512>, statement_work<1, 1, 1, 64, 4>>>;
  template <class Index>
  using neighbours = std::conditional_t<registers_of_loads<several_cells<Index>> <= 128,
                                        several_cells<Index>, few_cells>;

  /// Of elements of 4 bytes in 2-D, eight rows where few of two fields are read: more lose what
  /// they share to the second-level cache, or spill (results/h200/readings/joint_statements.txt).
  template <int Fields>
  using joint_of_floats =
      std::conditional_t<(Fields <= 2 && Loads <= 10), statement_work<2, 8, 1, 64, 2, 1, 768>,
                         statement_work<4, 4, 1, 64, 2, 1, 512>>;
  /// Several formulas at once (stencil/stages/joint_statement.hpp), which read so many fields: in
  /// 2-D fewer threads of cells side by side, which share more of what they read
  /// (results/h100/readings/shapes_of_rows.txt).
  template <class Index, int Fields>
  using joint =
      std::conditional_t<Rank == 2 && std::is_same_v<neighbours<Index>, several_cells<Index>>,
                         std::conditional_t<(Widest >= 8), statement_work<2, 2, 1, 64, 4, 1, 768>,
                                            joint_of_floats<Fields>>,
                         neighbours<Index>>;

  /// With few loads blocks may begin where a sector of the target does, so that warps share none.
  /// (Not in 3-D of f64 with two arrays: that read slower in one run of three,
  /// results/h200/readings/single_steps_in_turns.txt.)
  template <class Index>
  static constexpr int begin = Rank > 1 && !(Rank == 3 && Widest >= 8 && Loads >= 8) &&
                                       std::is_same_v<neighbours<Index>, several_cells<Index>>
                                   ? sector_bytes
                                   : 1;

  /// In 3-D, with a column of cells in registers (plane_march.hpp).
  using march = statement_work<1, (Widest >= 8 ? 2 : 4), (Widest >= 8 ? 64 : 32), 64, 4, 1, 512>;

  /// Any strides.
  using strided = statement_work<1, 1, 1, 32, 8>;
};

/// How many rows of all planes a launch takes in 3-D, with neighbours: all, or those of a band.
/// Blocks go through a plane before the next, so a plane should still be in the GPU's last cache
/// when the next one needs it. Planes of more than a fifth of it are taken in three bands or more,
/// each of at most an eighth (results/h200/readings/planes_in_bands.txt). Few planes are not worth
/// the launches.
/// @param plane_bytes of all arrays
constexpr index_t least_planes_of_bands = 16;
constexpr index_t rows_of_band(index_t rows, index_t planes, index_t plane_bytes,
                               index_t cache_bytes) {
  if (planes < least_planes_of_bands || plane_bytes <= cache_bytes / 5 || cache_bytes < 8)
    return rows;
  const index_t bands = ceil_div(plane_bytes, cache_bytes / 8);
  return ceil_div(rows, bands < 3 ? 3 : bands);
}

}  // namespace teff::inline TEFF_MODE::detail

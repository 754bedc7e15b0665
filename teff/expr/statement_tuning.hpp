// SPDX-License-Identifier: MIT
#pragma once

#include <type_traits>

#include <teff/base/index.hpp>

/// Launch shapes and unrolling of statements on a GPU. A kernel reaches the memory's speed when 32 to 48 KB of
/// loads are in flight on every multiprocessor: with up to 2048 resident threads that is 16 to 24 bytes a thread.
namespace teff::inline TEFF_MODE::detail {

/// What one thread does: Cells side by side along x, in Rows rows of Planes planes; and the threads of a block.
/// (A type, since kernels can not take values of class types as template arguments.)
template <int Cells, int Rows, int Planes, int ThreadsX, int ThreadsY>
struct statement_work {
  static constexpr int cells = Cells, rows = Rows, planes = Planes;
  static constexpr int threads_x = ThreadsX, threads_y = ThreadsY;
};

/// A thread that loads more values than this (repeated ones counted again) leaves their order to the compiler: its
/// registers are few.
inline constexpr int most_values_loaded_first = 128;

/// By the bytes of the widest element. Chosen on an H200 in November 2026 (results/h200).
template <int Widest, int Rank>
struct statement_tuning {
  /// Each cell of the target from the same cell of every array: one access of 16 bytes per array.
  using pointwise = statement_work<(Widest >= 16 ? 1 : 16 / Widest), 1, 1, 256, 1>;

  /// With neighbours: cells of several rows or planes, so that what is loaded serves all that need it.
  using neighbours = std::conditional_t<
      Widest >= 8,
      std::conditional_t<Rank == 3, statement_work<1, 1, 2, 64, 4>, statement_work<1, 2, 1, 64, 4>>,
      std::conditional_t<Rank == 3, statement_work<2, 2, 2, 32, 4>, statement_work<2, 2, 1, 64, 2>>>;

  /// Any strides.
  using strided = statement_work<1, 1, 1, 32, 8>;
};

}  // namespace teff::inline TEFF_MODE::detail

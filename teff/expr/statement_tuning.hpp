// SPDX-License-Identifier: MIT
#pragma once

#include <teff/base/index.hpp>

/// Launch shapes and unrolling of statements on a GPU. A kernel reaches the memory's speed when 32 to 48 KB of
/// loads are in flight on every multiprocessor: with up to 2048 resident threads that is about 32 bytes a thread.
namespace teff::inline TEFF_MODE::detail {

struct statement_tuning {
  static constexpr int threads = 256;
  static constexpr int bytes_per_thread = 32;
  static constexpr int max_rows = 4;

  /// Cells of one 16-byte access, where arrays share their alignment.
  static constexpr int pack_of(int widest) { return widest >= 16 ? 1 : 16 / widest; }

  /// Packs or cells that one thread handles, so that its loads add up.
  static constexpr int rows_of(int lanes, int widest, int reads) {
    const int each = lanes * (widest > 0 ? widest : 8) * (reads > 0 ? reads : 1);
    int rows = 1;
    while (rows < max_rows && rows * each < bytes_per_thread) rows *= 2;
    return rows;
  }
};

}  // namespace teff::inline TEFF_MODE::detail

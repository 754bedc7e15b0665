// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <teff/expr/survey.hpp>

/// How the cells of a statement are cut into launches on a GPU; the same code for every statement.
namespace teff::runtime {

/// What a thread and a block of a kernel take.
struct statement_share {
  int cells, rows, planes;              ///< of a thread
  int threads_x, threads_y, threads_z;  ///< of a block where there is enough to do
  int threads() const { return threads_x * threads_y * threads_z; }
  /// "64x4x1 threads, each 1x4x1 cells".
  std::string text() const;
};

/// Where blocks begin at an address that is a multiple of `begin` bytes: so many cells before the
/// first one of a row, at most. @param first cell of the target
index_t most_shift(const void* first, const index_t (&stride)[3], index_t cell_bytes,
                   index_t begin);

/// The launches of a statement, one after the other: a grid has at most 65535 blocks along y and z.
class statement_launches {
 public:
  /// @param most_shift how many cells before the first one of a row a block may begin
  /// @param rows of a launch, rounded up to whole blocks
  statement_launches(const statement_share& share, const statement_shape& where, index_t most_shift,
                     index_t rows);

  bool is_done() const { return first_plane >= n_[2]; }
  void next();

  index_t first_row = 0, first_plane = 0;
  bool begins_with_sector = true;  ///< a block may begin before the first cell of a row
  unsigned blocks[3];
  unsigned threads[3];

 private:
  void cut();

  index_t n_[3];
  index_t rows_of_block_, planes_of_block_, rows_of_grid_;
};

/// The launches of a statement whose blocks may begin with a sector of the target: so they do where
/// that takes no more of them. @param must_shift its kernel begins there in any case
statement_launches launches_of(const statement_share& share, const statement_shape& where,
                               index_t most_shift, bool must_shift, index_t rows);

}  // namespace teff::runtime

// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <teff/base/index.hpp>

/// How the cells of a grid are shared out to ranks: every dim is cut into parts, and a rank has one
/// part of each. Plain arithmetic, the same on every rank.
namespace teff::runtime {

/// Cells from begin to before end along one dim.
struct cell_range {
  index_t begin = 0, end = 1;
  index_t count() const { return end - begin; }
};

/// Cells by dim; one where there is no such dim.
struct grid_box {
  cell_range of[3];
  index_t cells() const { return of[0].count() * of[1].count() * of[2].count(); }
  bool is_empty() const { return of[0].count() <= 0 || of[1].count() <= 0 || of[2].count() <= 0; }
};

/// How many cells more than the grid a field has along each dim: a staggered one 1 or -1.
struct stagger {
  int of[3] = {0, 0, 0};
};

class decomposition {
 public:
  /// @param n cells of the grid by dim, 1 beyond `dims` @param cuts parts by dim; 0: chosen, the
  /// last dim first
  /// @throws error (usage) for extents, cuts or a number of ranks that do not fit each other
  decomposition(int dims, const index_t (&n)[3], int ranks, const int (&cuts)[3]);
  /// As others have cut it: parts of any lengths, ranks in any order. @param own by rank
  /// @throws error (usage) unless the boxes are those of a process grid: they tile the whole, and
  /// borders go through all of it
  decomposition(int dims, const index_t (&n)[3], const std::vector<grid_box>& own);

  int dims() const { return dims_; }
  int ranks() const { return parts_[0] * parts_[1] * parts_[2]; }
  index_t extent(int dim) const { return n_[dim]; }
  int parts(int dim) const { return parts_[dim]; }
  bool is_cut(int dim) const { return parts_[dim] > 1; }
  /// The number of a rank's part along a dim; ranks count along x first, unless others say so.
  int part_of(int rank, int dim) const;
  int rank_of(const int (&parts)[3]) const {
    const int place = parts[0] + parts_[0] * (parts[1] + parts_[1] * parts[2]);
    return ranks_by_place_.empty() ? place : ranks_by_place_[static_cast<std::size_t>(place)];
  }
  /// Ranks count along x first.
  bool is_in_order() const { return ranks_by_place_.empty(); }
  cell_range part(int dim, int number) const {
    const auto at = static_cast<std::size_t>(number);
    return {borders_[dim][at], borders_[dim][at + 1]};
  }
  /// The part that has a cell; the last one has all beyond its own, too.
  int part_with(int dim, index_t cell) const;
  /// The least cells that a part has along a dim.
  index_t least_part(int dim) const;

  index_t extent(const stagger& more, int dim) const { return n_[dim] + more.of[dim]; }
  /// The cells of a field that a rank owns: those of its part, by number; the last part takes the
  /// rest.
  grid_box own(int rank, const stagger& more) const;
  /// @throws error (usage) where some rank would own no cell of such a field
  void check(const stagger& more, const std::string& field) const;

  /// "30x20", "2x1".
  std::string extents_text() const;
  std::string parts_text() const;

 private:
  int dims_;
  index_t n_[3];
  int parts_[3] = {1, 1, 1};
  std::vector<index_t> borders_[3];                  // a part begins at each but the last
  std::vector<int> ranks_by_place_, place_by_rank_;  // places count along x first; none: in order
};

/// "0..300 x 100..200": from the first cell to before the end.
std::string box_text(const grid_box& box, int dims);

}  // namespace teff::runtime

// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <teff/base/index.hpp>
#include <teff/formula/boundary.hpp>

/// What poisson() checks, and how it understands boundary conditions: as numbers at walls.
namespace teff::runtime {

/// The conditions at the walls of a grid of cells.
class poisson_walls {
 public:
  /// @param sides at(dim, upper) @throws error (usage) for a condition that walls can not have
  template <class Boundary>
  poisson_walls(const index_t* cells, int rank, const Boundary& sides) : rank_(rank) {
    check_cells(cells);
    for (int d = 0; d < rank; ++d)
      for (const bool upper : {false, true}) take(d, upper, sides.at(d, upper));
    check_periodic();
  }

  bool is_periodic(int dim) const { return walls_[dim][0].kind == kind::periodic; }
  bool has_value(int dim, bool upper) const { return walls_[dim][upper].kind == kind::value; }
  /// The value, or the slope per cell.
  double number(int dim, bool upper) const { return walls_[dim][upper].number; }
  /// No side has a value: solutions differ by a constant.
  bool is_singular() const;

 private:
  enum class kind { slope, value, periodic };
  struct wall {
    poisson_walls::kind kind = kind::slope;
    double number = 0;
  };

  void check_cells(const index_t* cells) const;
  void take(int dim, bool upper, const side_condition& condition);
  void check_periodic() const;

  int rank_;
  wall walls_[3][2];
};

/// @param name of the other array
/// @throws error (usage) if they differ
void check_same_extents(const std::string& described_u, const index_t* u, const char* name,
                        const index_t* other, int rank);
/// @param at the number of the cell with the smallest one, x first
[[noreturn]] void throw_bad_coefficient(double least, double most, index_t at,
                                        const index_t* extents, int rank);
/// @throws error (usage) if it is not 0, up to rounding, and is not to be made so
void check_sum_of_right_side(double sum, double sum_of_magnitudes, double epsilon, bool project);

}  // namespace teff::runtime

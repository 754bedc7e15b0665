// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include <teff/base/index.hpp>

/// The numbers of summation-by-parts operators with diagonal norms: rows near the low end of a
/// line, for a spacing of 1. Those near the high end are these, seen from there.
namespace teff::runtime {

/// Where the weights of an operator are in one list, and how many points an end has with rows of
/// their own.
struct sbp_layout {
  int rows, columns;                    ///< of the first and second derivative
  int slope_columns;                    ///< of the derivative at the end
  int flux_rows, flux_u, flux_b;        ///< of d(b du/dx)/dx: its points, and those it reads
  int norm = 0;                         ///< first weight of the norm; of what follows:
  int first = norm + rows;              ///< d/dx
  int second = first + rows * columns;  ///< d2/dx2
  int slope = second + rows * columns;  ///< the derivative at the end
  int flux = slope + slope_columns;     ///< d(b du/dx)/dx: row, point of u, point of b
  int count = flux + flux_rows * flux_u * flux_b;

  int least_points() const { return columns > 2 * rows ? columns : 2 * rows; }
};

/// @param order 2, 4 or 6
constexpr sbp_layout sbp_layout_of(int order) {
  return order == 2   ? sbp_layout{1, 3, 3, 1, 3, 2}
         : order == 4 ? sbp_layout{4, 6, 4, 6, 8, 8}
                      : sbp_layout{6, 9, 5, 0, 0, 0};
}

/// How much of (derivative at the end)^2 the second derivative's energy holds, for a spacing of 1:
/// penalties of a Dirichlet side must be stronger than its inverse. On 3 and 4 points the slopes of
/// both ends share points, and less is left for each.
/// @source K. Mattsson, F. Ham, G. Iaccarino, J. Comput. Phys. 227 (2008)
constexpr double sbp_borrowed(int order, index_t points) {
  if (order == 6) return 0.1878715026;
  if (order == 4) return 0.2508560249;
  return points == 3 ? 1.0 / 4 : points == 4 ? 4.0 / 11 : 0.4;
}

/// All weights, as sbp_layout_of(order) says.
/// @source B. Strand, J. Comput. Phys. 110 (1994); K. Mattsson, J. Nordstroem, J. Comput. Phys. 199
///         (2004); K. Mattsson, J. Sci. Comput. 51 (2012) for d(b du/dx)/dx
std::vector<double> sbp_weights(int order);

/// @throws error (usage) on fewer points than the operators of the order need, or on a spacing that
/// is not positive
void check_sbp_grid(int order, int dim, index_t points, double spacing);
/// Of d(b du/dx)/dx, which needs more. @throws error (usage) on fewer points
void check_sbp_flux(int order, int dim, index_t points, index_t least);
/// An operand's extent along a dim. @throws error (usage) if it is not that of the grid
void check_sbp_extent(const char* what, int dim, index_t extent, index_t points);

}  // namespace teff::runtime

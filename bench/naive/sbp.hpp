// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

/// The serial oracle of summation-by-parts derivatives in 2-D: rows near the ends from a list, the
/// textbook's central differences elsewhere.
namespace teff::naive {

/// What the rows near the low end of a line are: `rows` of `columns` weights, from its first point
/// on. Those near the high end are these, seen from there.
struct end_rows {
  std::vector<double> weights;
  std::size_t rows, columns;
};

/// Half of the central difference of order 2, 4 or 6: of the point itself and those above it.
inline std::vector<double> central_difference(int order, int degree) {
  if (degree == 1)
    return order == 2   ? std::vector<double>{0, 1. / 2}
           : order == 4 ? std::vector<double>{0, 2. / 3, -1. / 12}
                        : std::vector<double>{0, 3. / 4, -3. / 20, 1. / 60};
  return order == 2   ? std::vector<double>{-2, 1}
         : order == 4 ? std::vector<double>{-5. / 2, 4. / 3, -1. / 12}
                      : std::vector<double>{-49. / 18, 3. / 2, -3. / 20, 1. / 90};
}

/// The derivative of a degree along dim 0 or 1. @shape u: (nx, ny), x contiguous
template <class T>
std::vector<T> sbp_derivative(const std::vector<T>& u, std::size_t nx, std::size_t ny, int dim,
                              int order, int degree, const end_rows& ends, double spacing) {
  std::vector<T> y(u.size());
  const std::vector<double> inside = central_difference(order, degree);
  const double sign = degree == 1 ? -1 : 1, scale = 1 / std::pow(spacing, degree);
  const std::size_t next = dim == 0 ? 1 : nx, n = dim == 0 ? nx : ny;
#pragma omp parallel for schedule(static)
  for (std::size_t iy = 0; iy < ny; ++iy)
    for (std::size_t ix = 0; ix < nx; ++ix) {
      const std::size_t at = dim == 0 ? ix : iy, here = ix + nx * iy, from_end = n - 1 - at;
      const std::size_t line = here - at * next;
      double sum = 0;
      if (at < ends.rows) {
        for (std::size_t c = 0; c < ends.columns; ++c)
          sum += ends.weights[at * ends.columns + c] * static_cast<double>(u[line + c * next]);
      } else if (from_end < ends.rows) {
        for (std::size_t c = 0; c < ends.columns; ++c)
          sum += sign * ends.weights[from_end * ends.columns + c] *
                 static_cast<double>(u[line + (n - 1 - c) * next]);
      } else {
        sum = inside[0] * static_cast<double>(u[here]);
        for (std::size_t c = 1; c < inside.size(); ++c)
          sum += inside[c] * (static_cast<double>(u[here + c * next]) +
                              sign * static_cast<double>(u[here - c * next]));
      }
      y[here] = static_cast<T>(sum * scale);
    }
  return y;
}

}  // namespace teff::naive

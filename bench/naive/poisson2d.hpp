// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

/// The serial oracle of conjugate gradients for Poisson's equation in 2-D: a loop for each line of
/// the textbook.
namespace teff::naive {

template <class T>
class poisson2d {
 public:
  /// At u on the unit square, with r = f - A u and p = r. @shape u, f: (nx, ny), x contiguous
  poisson2d(const std::vector<T>& u, const std::vector<T>& f, std::size_t nx, std::size_t ny)
      : u(u),
        p(u.size()),
        r((nx - 2) * (ny - 2)),
        nx_(nx),
        ny_(ny),
        _dx2_(inverse_square(nx)),
        _dy2_(inverse_square(ny)) {
    for_each([&](std::size_t i, std::size_t k) { p[i] = r[k] = f[i] - A(u, i); });
    rr = sum([&](std::size_t, std::size_t k) { return product(r[k], r[k]); });
  }

  /// One iteration. @param q for A p: as many cells as r has
  void iterate(std::vector<T>& q) {
    if (rr == 0) return;
    for_each([&](std::size_t i, std::size_t k) { q[k] = A(p, i); });
    const T alpha = rr / sum([&](std::size_t i, std::size_t k) { return product(p[i], q[k]); });
    for_each([&](std::size_t i, std::size_t) { u[i] += alpha * p[i]; });
    for_each([&](std::size_t, std::size_t k) { r[k] -= alpha * q[k]; });
    const T before = rr;
    rr = sum([&](std::size_t, std::size_t k) { return product(r[k], r[k]); });
    const T beta = rr / before;
    for_each([&](std::size_t i, std::size_t k) { p[i] = r[k] + beta * p[i]; });
  }

  std::vector<T> u, p, r;  ///< u, p: (nx, ny); r: the inner points
  T rr;                    ///< |r|^2

 private:
  static T inverse_square(std::size_t n) {
    const double d = 1 / static_cast<double>(n - 1);
    return static_cast<T>(1 / (d * d));
  }
  T A(const std::vector<T>& v, std::size_t i) const {
    const T d2x = (v[i + 1] - v[i]) - (v[i] - v[i - 1]);
    const T d2y = (v[i + nx_] - v[i]) - (v[i] - v[i - nx_]);
    return -(d2x * _dx2_ + d2y * _dy2_);
  }
  static double product(T a, T b) { return static_cast<double>(a) * static_cast<double>(b); }
  /// Calls f(i, k) for each inner point: cell i of u and p, cell k of r and q.
  template <class F>
  void for_each(const F& f) const {
#pragma omp parallel for schedule(static)
    for (std::size_t iy = 1; iy < ny_ - 1; ++iy) for_row(iy, f);
  }
  template <class F>
  void for_row(std::size_t iy, const F& f) const {
    for (std::size_t ix = 1; ix < nx_ - 1; ++ix) f(ix + nx_ * iy, ix - 1 + (nx_ - 2) * (iy - 1));
  }
  /// The sum of f(i, k) over the inner points, row by row, in f64.
  template <class F>
  T sum(const F& f) const {
    double all = 0;
#pragma omp parallel for schedule(static) reduction(+ : all)
    for (std::size_t iy = 1; iy < ny_ - 1; ++iy) {
      double row = 0;
      for_row(iy, [&](std::size_t i, std::size_t k) { row += f(i, k); });
      all += row;
    }
    return static_cast<T>(all);
  }

  std::size_t nx_, ny_;
  T _dx2_, _dy2_;
};

/// |f + laplacian u| / |f| at the inner points of the unit square, in f64. @shape u, f: (nx, ny)
template <class T>
double relative_residual(const std::vector<T>& u, const std::vector<T>& f, std::size_t nx,
                         std::size_t ny) {
  const double _dx2 = static_cast<double>((nx - 1) * (nx - 1)),
               _dy2 = static_cast<double>((ny - 1) * (ny - 1));
  const auto at = [&](std::size_t i) { return static_cast<double>(u[i]); };
  double left = 0, whole = 0;
#pragma omp parallel for schedule(static) reduction(+ : left, whole)
  for (std::size_t iy = 1; iy < ny - 1; ++iy)
    for (std::size_t ix = 1; ix < nx - 1; ++ix) {
      const std::size_t i = ix + nx * iy;
      const double right = static_cast<double>(f[i]),
                   r = right + (at(i + 1) - 2 * at(i) + at(i - 1)) * _dx2 +
                       (at(i + nx) - 2 * at(i) + at(i - nx)) * _dy2;
      left += r * r;
      whole += right * right;
    }
  return std::sqrt(left / whole);
}

}  // namespace teff::naive

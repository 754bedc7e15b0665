// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include <teff/formula/boundary.hpp>

/// What the tests of solvers share: fitted orders, and modes that satisfy boundary conditions.
namespace teff::inline TEFF_MODE::test {

inline const double pi = std::acos(-1.0);

/// Errors at spacings h, and p of error = C h^p through them, by least squares of the logarithms.
struct convergence {
  std::vector<double> h, error;

  void add(double spacing, double e) {
    h.push_back(spacing);
    error.push_back(e);
  }
  double order() const {
    double x = 0, y = 0, xx = 0, xy = 0;
    const auto n = static_cast<double>(h.size());
    for (std::size_t i = 0; i < h.size(); ++i) {
      const double lh = std::log(h[i]), le = std::log(error[i]);
      x += lh, y += le, xx += lh * lh, xy += lh * le;
    }
    return (n * xy - x * y) / (n * xx - x * x);
  }
  /// Prints the table that docs/ show, where TEFF_SHOW=1.
  void show(const char* what) const {
    const char* asked = std::getenv("TEFF_SHOW");
    if (asked == nullptr || *asked != '1') return;
    std::printf("%s: order %.3f\n", what, order());
    for (std::size_t i = 0; i < h.size(); ++i) std::printf("  %10.6f %12.4e\n", h[i], error[i]);
  }
};

/// A mode along one dim of n points, sin(k i + phase), that satisfies the conditions at both sides
/// at the discrete positions: its second difference is -eigenvalue() times itself.
struct eigenmode {
  const char* name;
  sides conditions;
  double k, phase;

  double at(index_t i) const { return std::sin(k * static_cast<double>(i) + phase); }
  double eigenvalue() const { return 4 * std::pow(std::sin(k / 2), 2); }
};

/// The root of f between low and high, where it changes its sign.
inline double root(const std::function<double(double)>& f, double low, double high) {
  for (int i = 0; i < 200; ++i) {
    const double middle = (low + high) / 2;
    ((f(low) < 0) == (f(middle) < 0) ? low : high) = middle;
  }
  return (low + high) / 2;
}

/// One mode for each kind of condition.
inline std::vector<eigenmode> eigenmodes(index_t n) {
  const auto cells = static_cast<double>(n - 2), last = static_cast<double>(n - 1);
  const double k = root(
      [&](double q) {  // 0.5 T - 3 (slope) = 0 at the low side, of sin(q (last - i))
        return 0.5 * std::sin(q * last) - 3 * (std::sin(q * (last - 1)) - std::sin(q * last));
      },
      pi / 2 / last, pi / last);
  return {{"fixed", fixed, 2 * pi / last, 0},
          {"fixed(0)", {fixed(0.0), fixed(0.0)}, pi / last, 0},
          {"gradient(0)", gradient(0.0), pi / cells, pi / 2 - pi / cells / 2},
          {"robin", {robin(0.5, -3, 0.0), fixed(0.0)}, -k, k * last},
          {"robin at the high side", {fixed(0.0), robin(0.5, 3, 0.0)}, k, 0},
          {"periodic", periodic, 2 * pi / cells, 0.3}};
}

/// Values of a function of the indices, x first.
template <class R>
std::vector<R> cells_of(index_t nx, index_t ny, index_t nz,
                        const std::function<double(index_t, index_t, index_t)>& f) {
  std::vector<R> values;
  for (index_t k = 0; k < nz; ++k)
    for (index_t j = 0; j < ny; ++j)
      for (index_t i = 0; i < nx; ++i) values.push_back(static_cast<R>(f(i, j, k)));
  return values;
}

/// The largest difference; not a number where one is.
template <class R>
double max_error(const std::vector<R>& got, const std::vector<R>& expected) {
  double worst = got.size() == expected.size() ? 0 : 1e300;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const double e = std::abs(static_cast<double>(got[i]) - static_cast<double>(expected[i]));
    if (!(e <= worst)) worst = e;
  }
  return worst;
}

}  // namespace teff::inline TEFF_MODE::test

// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include <teff/algo/fill.hpp>
#include <teff/array/host_copy.hpp>
#include <teff/solver/sbp.hpp>

/// What the tests of summation-by-parts operators share.
namespace teff::inline TEFF_MODE::test {

/// A matrix by columns: what an operator makes of unit vectors.
class matrix {
 public:
  template <class F>
  matrix(index_t n, const F& apply) : n_(n) {
    for (index_t j = 0; j < n; ++j) {
      array<f64, 1> u = zeros<f64>(device::cpu(), {n}), y = u;
      u(range(j, j + 1)) = 1.;
      y = apply(u);
      columns_.push_back(to_host(y));
    }
  }
  double operator()(index_t i, index_t j) const {
    return columns_[static_cast<std::size_t>(j)][static_cast<std::size_t>(i)];
  }
  double& operator()(index_t i, index_t j) {
    return columns_[static_cast<std::size_t>(j)][static_cast<std::size_t>(i)];
  }
  index_t size() const { return n_; }
  double largest() const {
    double most = 0;
    for (const auto& c : columns_)
      for (const double x : c) most = std::max(most, std::abs(x));
    return most;
  }
  /// The solution of A u = f, by elimination without pivots.
  std::vector<double> solve(std::vector<double> f) const {
    matrix a = *this;
    const auto at = [&](index_t i) -> double& { return f[static_cast<std::size_t>(i)]; };
    for (index_t k = 0; k < n_; ++k)
      for (index_t i = k + 1; i < n_; ++i) {
        const double ratio = a(i, k) / a(k, k);
        for (index_t j = k; j < n_; ++j) a(i, j) -= ratio * a(k, j);
        at(i) -= ratio * at(k);
      }
    for (index_t k = n_ - 1; k >= 0; --k) {
      for (index_t j = k + 1; j < n_; ++j) at(k) -= a(k, j) * at(j);
      at(k) /= a(k, k);
    }
    return f;
  }
  /// The largest |A - A^T|.
  double asymmetry() const {
    double most = 0;
    for (index_t i = 0; i < n_; ++i)
      for (index_t j = 0; j < i; ++j)
        most = std::max(most, std::abs((*this)(i, j) - (*this)(j, i)));
    return most;
  }
  /// The least pivot of its Cholesky decomposition: below 0 unless all eigenvalues are positive.
  double least_pivot() const {
    matrix a = *this;
    double least = a(0, 0);
    for (index_t k = 0; k < n_; ++k) {
      least = std::min(least, a(k, k));
      for (index_t i = k + 1; i < n_; ++i)
        for (index_t j = k + 1; j < n_; ++j) a(i, j) -= a(i, k) * a(k, j) / a(k, k);
    }
    return least;
  }

 private:
  index_t n_;
  std::vector<std::vector<f64>> columns_;
};

template <int Order>
using line = sbp<Order, 1>;

}  // namespace teff::inline TEFF_MODE::test

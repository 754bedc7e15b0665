// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <vector>

#include <teff/algo/fill.hpp>
#include <teff/algo/random.hpp>
#include <teff/algo/reduce.hpp>
#include <teff/array/host_copy.hpp>
#include <teff/solver/sbp.hpp>

#include "../compare.hpp"
#include "../message.hpp"
#include "convergence.hpp"

using namespace teff;
using namespace teff::test;

namespace {

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

template <class F>
void for_orders(const F& f) {
  f.template operator()<2>();
  f.template operator()<4>();
  f.template operator()<6>();
}

/// H D1 + (H D1)^T = B, and H D2 = -M + (boundary), M symmetric with eigenvalues from 0 on.
template <int Order>
void check_sbp(index_t n) {
  const double h = 0.1;
  const line<Order> d(device::cpu(), {n}, {h});
  const matrix q(n, [&](const auto& u) { return d.norm() * d.d1x(u); });
  const double epsilon = 4e-16;
  for (index_t i = 0; i < n; ++i)
    for (index_t j = 0; j < n; ++j) {
      const double b = i != j ? 0 : i == 0 ? -1 : i == n - 1 ? 1 : 0;
      CHECK(std::abs(q(i, j) + q(j, i) - b) <= epsilon);
    }
  // With both slopes taken off, what is left is the energy, and gives constants no energy.
  matrix m(n, [&](const auto& u) {
    return d.norm() * (d.lifted(low_x, d.side_slope(low_x, u)) +
                       d.lifted(high_x, d.side_slope(high_x, u)) - d.d2x(u));
  });
  CHECK(m.asymmetry() <= 8 * epsilon * m.largest());
  for (index_t i = 0; i < n; ++i) m(i, i) += 1e-10;
  CHECK(m.least_pivot() > 0);
}

}  // namespace

TEST_CASE("sbp: H D1 + (H D1)^T = B, and H D2 = -M + B S with M symmetric, to rounding") {
  for (const index_t n : {12, 13, 20}) {
    check_sbp<2>(n);
    check_sbp<4>(n);
    check_sbp<6>(n);
  }
  check_sbp<2>(3);
  check_sbp<4>(8);
}

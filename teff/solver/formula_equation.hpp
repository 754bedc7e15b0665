// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <teff/algo/fill.hpp>
#include <teff/algo/overlap.hpp>
#include <teff/algo/reduce.hpp>
#include <teff/solver/right_side.hpp>

/// A x = b, where A is a formula of the caller's: what its solvers have in common.
namespace teff::runtime {

/// By how much b is smaller than x on each side of a dim.
/// @throws error (usage) unless it is the same on both sides
void find_borders(const std::string& solver, const index_t* x, const index_t* b, int rank,
                  index_t* border);
/// What a caller gave to a solver by iterations of a formula.
struct iteration_limits {
  double tolerance;
  index_t iterations, check_every;
};
/// @throws error (usage) on a negative tolerance or number
void check_iteration_limits(const std::string& solver, const iteration_limits& limits);
/// The residual is not finite after so many iterations.
/// @param x_and_b how the caller names them
[[noreturn]] void throw_not_finite(const std::string& solver, const std::string& x_and_b,
                                   index_t iterations);

}  // namespace teff::runtime

namespace teff::inline TEFF_MODE::detail {

/// @shape b: any extents and strides; x: as b, or with as many cells beyond on both sides, which
///        are given and stay
/// @tparam Formula A(v), of b's extents, for an array or an expression v of x's extents
template <rounded::real R, int N, class Formula>
class formula_equation {
 public:
  /// @throws error (usage) on extents that do not fit, and where x shares memory with b
  formula_equation(const std::string& solver, const array_ref<R, N>& x, const array_ref<R, N>& b,
                   const Formula& A)
      : x(x), b(b), A(A), solver_(solver) {
    runtime::find_borders(solver, x.shape().n, b.shape().n, N, border_.n);
    if (may_overlap(region_of(x), region_of(b)))
      throw error(failure::usage, solver + ": x, " + described(x) +
                                      ", shares memory with b; give x memory of its own");
  }

  /// What an array of x's extents has in common with b.
  array_ref<R, N> unknowns(const array_ref<R, N>& a) const {
    view<R, N> cells = a.view();
    for (int d = 0; d < N; ++d) {
      cells.data += border_[d] * cells.strides[d];
      cells.shape[d] -= 2 * border_[d];
    }
    return {a.handle(), cells};
  }
  auto residual(const array_ref<R, N>& v) const { return as_node(b) - A(v); }
  /// |b - A v| for v = 0, but beyond b what x is there.
  /// @throws error (usage) where numbers do not have its square @sync waits
  double norm_of_zero() const {
    array<R, N> v(x.on(), x.shape());
    v = x;
    fill(unknowns(v), 0);
    return runtime::norm_of_right_side(norm2(residual(v)), solver_, [&] {
      array<R, N> stored(b.on(), b.shape());
      stored = residual(v);
      return static_cast<double>(max_abs(stored));
    });
  }

  const array_ref<R, N> x, b;
  const Formula A;

 private:
  std::string solver_;
  extents<N> border_;
};

}  // namespace teff::inline TEFF_MODE::detail

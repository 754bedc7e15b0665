// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <functional>
#include <iosfwd>
#include <limits>
#include <string>
#include <vector>

#include <teff/algo/random.hpp>
#include <teff/algo/reduce.hpp>
#include <teff/solver/conjugate_gradients.hpp>
#include <teff/solver/formula_equation.hpp>

/// Chebyshev's iteration for A x = b, where A is a formula of the caller's: one statement an
/// iteration, whose numbers follow from bounds of A's eigenvalues alone. Nothing is summed up.
namespace teff {

struct chebyshev_options {
  double tolerance = 1e-10;  ///< of |b - A x| relative to its value for x = 0
  /// The most that are made; 0: four times what the bounds ask for and 16 looks, at most 100 000
  index_t iterations = 0;
  /// The residual is found, and waited for, after so many iterations; they end there or not at all.
  /// 0: 16
  index_t check_every = 0;
  /// No eigenvalue of A is below and none above; 0: estimated.
  double least = 0, most = 0;
};

/// How a solution was found; streams as one line.
struct chebyshev_report {
  std::string what;            ///< extents and type
  index_t iterations = 0;      ///< that were made
  double residual = 0;         ///< |b - A x| relative to its value for x = 0, 2-norms
  double tolerance = 0;        ///< that was asked for
  bool is_stuck = false;       ///< rounding let the residual get no smaller
  double least = 0, most = 0;  ///< the bounds that were used last; 0: none were needed
  bool is_estimated = false;   ///< one of them, or both
  double seen_below = 0;       ///< the residual falls as if A had this eigenvalue; 0: within bounds

  bool has_converged() const { return residual <= tolerance; }
  friend std::ostream& operator<<(std::ostream& out, const chebyshev_report& r);
};

namespace runtime {

struct spectrum {
  double least, most;
};

/// The symmetric tridiagonal matrix that iterations of conjugate gradients make of A (Lanczos).
class lanczos_matrix {
 public:
  /// After an iteration, in which r.r went from `before` to `after`.
  void add(double before, double pAp, double after);
  /// Its least eigenvalue, which is above A's; and an upper bound of A's: the largest one and what
  /// the next row would have beside its diagonal.
  /// @source Zhou, Li, Bounding the spectrum of large Hermitian matrices, LAA 435 (2011)
  spectrum bounds() const;

 private:
  int count_below(double value) const;
  double eigenvalue(int number) const;

  std::vector<double> diagonal_, beside_;
  double alpha_before_ = 0, beta_before_ = 0;
};

/// The numbers of the iterations, and when they end; the same for all types and dims.
class chebyshev_run {
 public:
  /// @param epsilon of the type
  /// @throws error (usage) on negative options, and bounds that are none
  chebyshev_run(const std::string& what, const chebyshev_options& options, double epsilon);

  bool needs_estimate() const { return options_.least == 0 || options_.most == 0; }
  void estimate(const spectrum& s);

  /// x_new = x + momentum (x - x_before) + weight (b - A x)
  struct step {
    double momentum, weight;
  };
  step next();
  /// How many iterations are made until the next look.
  index_t ahead() const;
  /// @param residual relative @param rounding what rounding leaves of it
  /// @returns whether iterations go on
  /// @throws error (non_finite) where it is no number, (usage) where it grows
  bool look(double residual, const std::function<double()>& rounding);

  chebyshev_report report;

 private:
  /// @throws error (usage) where A is seen to be singular
  void restart(const spectrum& s);
  bool is_estimated_below() const { return options_.least == 0; }
  void follow(double factor);
  void throw_grown(double factor) const;

  chebyshev_options options_;
  double epsilon_;
  index_t most_iterations_ = 0;
  index_t since_ = 0;      ///< iterations since the last restart, which was
  double start_ = 0;       ///< at this residual
  double ratio_ = 0;       ///< T_n(s) / T_n+1(s) at s = the bounds' (sum / difference)
  double smallest_ = 0;    ///< residual so far
  int looks_in_vain_ = 0;  ///< since it was found
};

}  // namespace runtime

inline namespace TEFF_MODE {

namespace detail {

/// Some iterations of conjugate gradients from random numbers, which hold all eigenvectors.
/// @throws error (usage) where A is seen not to be positive definite
template <rounded::real R, int N, class Formula>
runtime::spectrum estimated_spectrum(const formula_equation<R, N, Formula>& equation) {
  constexpr int iterations = 16;
  array<R, N> b(equation.b.on(), equation.b.shape(), "random numbers");
  fill_random(b, 1);
  array<R, N> x = zeros<R>(equation.x.on(), equation.x.shape(), "their solution");
  conjugate_gradients_solver<R, N, Formula> solver(x, b, equation.A, 0, "chebyshev");
  using numbers_of = runtime::gradient_numbers;
  runtime::lanczos_matrix matrix;
  for (int i = 0; i < iterations && !solver.is_exhausted(); ++i) {
    const double before = solver.numbers()[numbers_of::rr];
    solver.iterate();
    (void)solver.residual_of_r();  // throws
    matrix.add(before, solver.numbers()[numbers_of::pAp], solver.numbers()[numbers_of::rr]);
  }
  return matrix.bounds();
}

}  // namespace detail

/// Solves A x = b for x, from the values that it has, by Chebyshev's iteration:
///   chebyshev(x, b, [&](const auto& v) { return c * v - fd2::d2_xa(v); }, {.least = 1, .most = 9})
/// It needs more iterations than conjugate_gradients (twice as many, about, to one tolerance), of
/// half the bytes and without sums. Bounds that are not given are estimated by 16 iterations of
/// conjugate gradients from random numbers; the lower one is corrected as the residual falls.
/// @shape b: any extents and strides; x: as b, or with as many cells beyond on both sides, which
///        are given and stay
/// @tparam Formula A(v), of b's extents, for an array or an expression v of x's extents; symmetric
///         and positive definite where v is 0 beyond b
/// @traffic an iteration reads 3 arrays and writes 1, besides what A itself reads; a look reads 2.
///          One is kept, five (six on a GPU) while bounds are estimated
/// @throws error (usage) on extents that do not fit, where x shares memory with b, and where the
///         residual grows: A has eigenvalues beyond the bounds, or is not positive definite;
///         (non_finite) where x or b is not finite. Then x is of no use
/// @sync waits for the residual, every check_every iterations
/// @order the same bits on any number of threads, and on a GPU
/// @source Gutknecht, Roellin, The Chebyshev iteration revisited, Parallel Computing 28 (2002): by
///         three terms with the residual of x itself, which gets as small as rounding allows
template <rounded::real R, int N, class Formula>
chebyshev_report chebyshev(const array_ref<R, N>& x, const array_ref<R, N>& b, const Formula& A,
                           const chebyshev_options& options = {}) {
  constexpr double epsilon = std::numeric_limits<R>::epsilon();
  runtime::chebyshev_run run(extents_text(b.shape()) + " " + type_name<R>(), options, epsilon);
  const detail::formula_equation<R, N, Formula> equation("chebyshev", x, b, A);
  const double norm_of_zero = equation.norm_of_zero();
  if (norm_of_zero == 0) {
    fill(equation.unknowns(x), 0);  // the solution
    return run.report;
  }
  array<R, N> other(x.on(), x.shape(), "x of the iteration before");
  other = x;
  const array_ref<R, N> both[] = {x, other};
  int now = 0;  // which is x
  const auto rounding = [&] {
    return epsilon * (1 + run.report.most * norm2(equation.unknowns(both[now])) / norm_of_zero);
  };
  const auto goes_on = [&] {
    return run.look(norm2(equation.residual(both[now])) / norm_of_zero, rounding);
  };
  for (bool is_first = true; goes_on(); is_first = false) {
    if (is_first && run.needs_estimate()) run.estimate(detail::estimated_spectrum(equation));
    for (index_t i = run.ahead(); i > 0; --i) {
      const auto [momentum, weight] = run.next();
      const array_ref<R, N> from = equation.unknowns(both[now]),
                            to = equation.unknowns(both[1 - now]);
      to = from + (static_cast<R>(momentum) * (from - to) +
                   static_cast<R>(weight) * equation.residual(both[now]));
      now = 1 - now;
    }
  }
  if (now == 1) equation.unknowns(x) = equation.unknowns(other);
  return run.report;
}

}  // namespace TEFF_MODE
}  // namespace teff

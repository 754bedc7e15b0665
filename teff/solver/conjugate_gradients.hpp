// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <iosfwd>
#include <limits>
#include <string>
#include <vector>

#include <teff/algo/fill.hpp>
#include <teff/algo/reduce.hpp>
#include <teff/algo/reduce/storing.hpp>
#include <teff/array/host_copy.hpp>
#include <teff/solver/formula_equation.hpp>
#include <teff/solver/gradient_state.hpp>
#include <teff/solver/marching_iterations.hpp>
#include <teff/solver/resident_gradients.hpp>

/// Conjugate gradients for A x = b, where A is a formula of the caller's: no matrix is stored, nor
/// is its product with a vector.
namespace teff {

struct conjugate_gradients_options {
  double tolerance = 1e-10;  ///< of |b - A x| relative to its value for x = 0
  index_t iterations = 0;    ///< the most that are made; 0: 10 times the sum of b's extents
  /// The host reads the residual after so many iterations; 0: 1 on a CPU, where it is at hand, 32
  /// on a GPU. The iteration ends by itself where it is within the tolerance, so results do not
  /// depend on it: more is less to wait for, and more that is idle at the end.
  index_t check_every = 0;
};

/// How a solution was found; streams as one line.
struct conjugate_gradients_report {
  std::string what;        ///< extents and type
  index_t iterations = 0;  ///< that changed x
  double residual = 0;     ///< |b - A x| relative to its value for x = 0, 2-norms
  double tolerance = 0;    ///< that was asked for
  bool is_stuck = false;   ///< rounding let the residual get no smaller

  bool has_converged() const { return residual <= tolerance; }
  friend std::ostream& operator<<(std::ostream& out, const conjugate_gradients_report& r);
};

namespace runtime {

/// @throws error (usage) where p.Ap was not positive, (non_finite) where it was no number, or |r|
/// is none
/// @param x_and_b how the caller names them
void check_gradients(const std::string& solver, const char* x_and_b,
                     const std::vector<double>& numbers, index_t made_before, double residual);
/// @throws error (usage) if the square of the residual's norm, where it is neither 0 nor infinite,
/// is outside of the type's range
void check_norm(const std::string& solver, const char* x_and_b, double norm, double least,
                double most, const std::string& type);

/// How many iterations are made before the host looks.
inline index_t checked_every(index_t asked, device dev) {
  return asked > 0 ? asked : dev.is_cpu() ? 1 : 32;
}

}  // namespace runtime

inline namespace TEFF_MODE {

/// Conjugate gradients between two iterations. Their state is x, p and r: with these, and b, as
/// they were, iterations go on to the same bits, on any device.
///
/// On a GPU an iteration is two kernels, each a statement and the sum that it ends with; where x,
/// p, r and A p fit on the chip, all that are asked for together are one launch
/// (resident_gradients.hpp). Numbers stay there, and kernels find whether iterations go on: they do
/// until the residual is within the tolerance, is exhausted or is no number, or p.Ap is not
/// positive. Those that are asked for after that change nothing. (On a CPU, statements and sums
/// apart are faster.)
/// @shape b: any extents and strides; x: as b, or with as many cells beyond on both sides, which
///        are given and stay
/// @tparam Formula A(v), of b's extents, for an array or an expression v of x's extents; symmetric
///         and positive definite where v is 0 beyond b
/// @tparam Backend for tests
template <rounded::real R, int N, class Formula, class Backend = detail::gradients_on_device>
class conjugate_gradients_solver {
  using state = detail::gradient_state<R>;
  using numbers_of = runtime::gradient_numbers;

 public:
  /// Begins at x. @param solver, x_and_b names for messages
  /// @throws error (usage) on extents that do not fit, and where x shares memory with b
  conjugate_gradients_solver(const array_ref<R, N>& x, const array_ref<R, N>& b, const Formula& A,
                             double tolerance = 0,
                             const std::string& solver = "conjugate_gradients",
                             const char* x_and_b = "x and b")
      : equation_(solver, x, b, A),
        solver_(solver),
        x_and_b_(x_and_b),
        tolerance_(tolerance),
        p_{zeros<R>(x.on(), x.shape(), "p"), zeros<R>(x.on(), other_p(), "p")},
        r_(zeros<R>(x.on(), x.shape(), "r")),
        numbers_(zeros<double>(x.on(), extents<1>(numbers_of::count), "numbers of an iteration")),
        factors_(zeros<R>(x.on(), extents<1>(state::count), "factors of an iteration")),
        room_(x.on(), b.size()),
        marching_(x, b) {
    norm_of_zero_ = equation_.norm_of_zero();
    if (norm_of_zero_ == 0) fill(unknowns(equation_.x), 0);  // the solution
    restart();
  }

  /// Computes r anew from x, and goes on from there. @throws error (usage) if |r|^2 is outside of
  /// the range of R @sync waits
  void restart() {
    r() = equation_.residual(equation_.x);
    unknowns(p_[now_ = 0]) = r();
    runtime::check_norm(solver_, x_and_b_, norm2(r()), std::numeric_limits<R>::min(),
                        std::numeric_limits<R>::max(), type_name<R>());
    begin();
  }
  /// After x, b, p and r were given the values of another run. @sync waits
  void resume() {
    norm_of_zero_ = equation_.norm_of_zero();
    begin();
  }

  /// @traffic per_iteration()
  /// @sync asynchronous on the stream of x
  void iterate(index_t count = 1) {
    is_read_ = is_settled_ = false;
    if (count > 1 && iterate_on_chip(count)) return;
    for (; count > 0; --count) {
      find_direction();
      find_solution();
    }
  }
  /// Fused, it reads p and r and writes p, then reads p, r and x and writes r and x; else it reads
  /// p, p and r, r, p and x, p and r, and writes three. A p is never stored.
  traffic per_iteration() const {
    traffic all;
    if (is_fused()) {
      all = detail::traffic_of_storing(direction()) + detail::traffic_of_storing(solution());
    } else {
      const array_ref<R, N> p = unknowns(p_[now_]), x = unknowns(equation_.x);
      traffic sums = traffic_of(r(), p * equation_.A(p_[now_])) + traffic_of(r(), r() * r());
      sums.write_bytes = 0;
      all = sums + traffic_of(r(), r() - R(1) * equation_.A(p_[now_])) +
            traffic_of(x, x + R(1) * p) + traffic_of(p, r() + R(1) * p);
    }
    all.cells = static_cast<double>(equation_.b.size());
    return all;
  }

  /// From now on iterations end by themselves where the relative residual of r is within this;
  /// ended ones go on.
  void stop_at(double tolerance) {
    if (tolerance == tolerance_) return;
    settle();
    tolerance_ = tolerance;
    if (read()[numbers_of::rr] != 0) fill(factors_(range(state::goes_on, state::goes_on + 1)), 1);
  }

  /// How many iterations were made so far. @sync waits
  index_t made() { return static_cast<index_t>(read()[numbers_of::made]) + made_before_; }
  /// As if so many had been made so far. @sync waits
  void count_from(index_t made) {
    made_before_ = made - static_cast<index_t>(read()[numbers_of::made]);
  }
  /// Of the last iteration, and what they have come to: runtime::gradient_numbers. @sync waits
  const std::vector<double>& numbers() { return read(); }
  /// The relative residual: of r, which rounding leads away from x's iteration by iteration; and of
  /// x itself. @throws error where the iteration broke down @sync waits
  double residual_of_r() {
    const double left = relative(std::sqrt(read()[numbers_of::rr]));
    runtime::check_gradients(solver_, x_and_b_, read(), made_before_, left);
    return left;
  }
  double residual_of_x() const { return relative(norm2(equation_.residual(equation_.x))); }
  /// Of r; false where it is no number. @sync waits
  bool is_within(double tolerance) {
    return relative(std::sqrt(read()[numbers_of::rr])) <= tolerance;
  }
  /// r is far below what rounding leaves of x's, and soon its square is no number: only restart()
  /// leads further.
  bool is_exhausted() {
    constexpr double epsilon = std::numeric_limits<R>::epsilon();
    return relative(std::sqrt(read()[numbers_of::rr])) < epsilon * epsilon;
  }

  /// The direction of the next iteration; 0 beyond b.
  array<R, N>& p() {
    settle();
    return p_[0];
  }
  /// @shape that of b
  array_ref<R, N> r() const { return unknowns(r_); }
  /// p() becomes what it has to be for the next iteration, which otherwise begins with that.
  void settle() {
    if (is_settled_) return;
    const auto direction = where(factor(state::has_to_fold) != R(0),
                                 folded(r(), unknowns(p_[now_])), unknowns(p_[now_]));
    unknowns(p_[0]) = direction;
    now_ = 0;
    fill(factors_(range(state::folds, state::has_to_fold + 1)), 0);
    is_settled_ = true;
  }

 private:
  extents<N> other_p() const {
    extents<N> cells = equation_.x.shape();
    if (!is_fused()) cells[0] = 0;
    return cells;
  }
  array_ref<R, N> unknowns(const array_ref<R, N>& a) const { return equation_.unknowns(a); }
  double relative(double norm) const { return norm == 0 ? 0 : norm / norm_of_zero_; }
  detail::fetched_scalar<R> factor(int which) const {
    return detail::fetched_scalar<R>(factors_(range(which, which + 1)));
  }
  auto folded(const auto& r, const auto& p) const { return r + factor(state::beta) * p; }

  /// With p and r as they are.
  void begin() {
    const double rr = dot(r(), r());
    std::vector<double> numbers(numbers_of::count);
    numbers[numbers_of::rr] = rr;
    numbers[numbers_of::made] = is_begun_ ? read()[numbers_of::made] : 0;
    std::vector<R> factors(state::count);
    factors[state::goes_on] = rr == 0 ? 0 : 1;
    numbers_ = from_host(numbers);
    factors_ = from_host(factors);
    known_ = numbers;
    is_read_ = is_begun_ = is_settled_ = true;
  }
  const std::vector<double>& read() {
    if (!is_read_) known_ = to_host(numbers_);
    is_read_ = true;
    return known_;
  }

  // p = r + beta p where that is not done yet; p.Ap. (In another array: neighbours still read p.)
  auto next(const array_ref<R, N>& of_r, const array_ref<R, N>& of_p) const {
    return where(factor(state::folds) != R(0), folded(of_r, of_p), of_p);
  }
  auto direction() const {
    const auto& p = p_[now_];
    return detail::stored_first<detail::product_of_both>(
        unknowns(p_[1 - now_]), next(r(), unknowns(p)), equation_.A(next(r_, p)));
  }
  void find_direction() {
    const detail::after_product<R> then{{numbers_.data(), factors_.data()}};
    if constexpr (Backend::can_fuse) {
      if (is_fused()) {
        const auto stored = direction();
        if (!march<false>(
                stored, [&] { return next(r_, p_[now_]); }, then))
          detail::reduce_storing<double>("statement and dot", stored, then, room_, Backend{});
        now_ = 1 - now_;
        return;
      }
    }
    if (factors_.data()[state::goes_on] != 0) {
      const array_ref<R, N> p = unknowns(p_[0]);
      if (factors_.data()[state::folds] != 0) p = folded(r(), p);
      then.store(0, here(dot(p, equation_.A(p_[0]))));
    }
  }
  // r = r - alpha A p; x = x + alpha p; r.r.
  auto solution() const {
    const auto& p = p_[now_];
    const auto alpha = factor(state::alpha);
    const auto goes_on = factor(state::goes_on) != R(0);
    const array_ref<R, N> own_r = r(), own_x = unknowns(equation_.x);
    return detail::stored_both<detail::square_of_first>(
        own_r, where(goes_on, own_r - alpha * equation_.A(p), own_r), own_x,
        where(goes_on, own_x + alpha * unknowns(p), own_x));
  }
  void find_solution() {
    const detail::after_residual<R> then{
        {numbers_.data(), factors_.data()}, norm_of_zero_, tolerance_};
    if constexpr (Backend::can_fuse) {
      if (is_fused()) {
        const auto stored = solution();
        if (!march<true>(
                stored, [&] { return as_node(p_[now_]); }, then))
          detail::reduce_storing<double>("statement and dot", stored, then, room_, Backend{});
        return;
      }
    }
    if (factors_.data()[state::goes_on] != 0) {
      const array_ref<R, N> own_r = r(), own_x = unknowns(equation_.x);
      const auto alpha = factor(state::alpha);
      own_r = own_r - alpha * equation_.A(p_[0]);
      own_x = own_x + alpha * unknowns(p_[0]);
      then.store(0, here(dot(own_r, own_r)));
    }
  }
  /// One of the two kernels, by blocks that march. @param stored what it does otherwise
  /// @param p () -> what A is of
  /// @returns false, and does nothing, where they would not gain
  template <bool IsSolution>
  bool march([[maybe_unused]] const auto& stored, [[maybe_unused]] const auto& p,
             [[maybe_unused]] const auto& then) const {
    if constexpr (Backend::can_march)
      if (marching_.marches())
        return marching_.template run<IsSolution>(stored, equation_.A(detail::kept_values(p())),
                                                  p_[now_], r_, p_[1 - now_], equation_.x, then,
                                                  room_.data());
    return false;
  }
  /// All of them by blocks that stay. @returns false where their chunks do not fit on the chip
  bool iterate_on_chip([[maybe_unused]] index_t count) {
    if constexpr (Backend::can_stay)
      if (is_fused()) {
        const detail::after_residual<R> then{
            {numbers_.data(), factors_.data()}, norm_of_zero_, tolerance_};
        return on_chip_.iterate(count, solution(), equation_.A(p_[now_]), unknowns(p_[now_]), r(),
                                unknowns(equation_.x), then, [this] { return per_iteration(); });
      }
    return false;
  }
  /// On a CPU nothing is to be waited for.
  static double here(const scalar<R>& s) { return static_cast<double>(*s.cell().data()); }
  bool is_fused() const { return Backend::fuses(equation_.x.dev()); }

  detail::formula_equation<R, N, Formula> equation_;
  std::string solver_;
  const char* x_and_b_;
  double tolerance_;
  double norm_of_zero_ = 0;
  array<R, N> p_[2];
  array<R, N> r_;
  int now_ = 0;  ///< which p
  index_t made_before_ = 0;
  array<double, 1> numbers_;
  array<R, 1> factors_;
  detail::storing_room<double> room_;
  detail::marching_iterations<R, N, Backend> marching_;
  detail::resident_iterations<R, Backend> on_chip_;
  std::vector<double> known_;
  bool is_begun_ = false, is_read_ = false, is_settled_ = true;
};

namespace detail {

/// Iterates until the tolerance is met or nothing leads further. A residual within it is computed
/// anew from x before it counts; if it is not, the iteration starts again from there, until that
/// brings no more.
template <class Solver, class Report>
void run_gradients(Solver& solver, Report& report, index_t most, index_t check_every) {
  const auto measure = [&] {
    report.residual = solver.residual_of_r();
    report.iterations = solver.made();
  };
  for (double restarted_from = std::numeric_limits<double>::infinity();;) {
    measure();
    const bool is_last = report.iterations == most;
    if (report.has_converged() || solver.is_exhausted() || is_last) {
      solver.restart();
      measure();
      report.is_stuck = !report.has_converged() && report.residual > restarted_from / 2;
      restarted_from = report.residual;
    }
    if (report.has_converged() || report.is_stuck || is_last) return;
    solver.iterate(std::min(check_every, most - report.iterations));
  }
}

}  // namespace detail

/// Solves A x = b for x, from the values that it has:
///   conjugate_gradients(x, b, [&](const auto& v) { return c * v - fd2::d2_xa(v); })
/// @shape as of conjugate_gradients_solver
/// @traffic an iteration, with A p computed twice, reads 5 arrays and writes 3, besides what A
///          itself reads; three are kept
/// @throws error (usage) on extents that do not fit, where x shares memory with b, and where A is
///         seen not to be positive definite; (non_finite) where x or b is not finite
/// @sync waits for the residual, every check_every iterations
/// @order the same bits on any number of threads, and on a GPU, whatever check_every is
/// @example examples/24_sbp.cpp
template <rounded::real R, int N, class Formula>
conjugate_gradients_report conjugate_gradients(const array_ref<R, N>& x, const array_ref<R, N>& b,
                                               const Formula& A,
                                               const conjugate_gradients_options& options = {}) {
  runtime::check_iteration_limits("conjugate_gradients",
                                  {options.tolerance, options.iterations, options.check_every});
  conjugate_gradients_solver<R, N, Formula> solver(x, b, A, options.tolerance);
  index_t most = options.iterations;
  if (most == 0)
    for (int d = 0; d < N; ++d) most += 10 * b.extent(d);
  conjugate_gradients_report report{extents_text(b.shape()) + " " + type_name<R>(), 0, 0,
                                    options.tolerance, false};
  detail::run_gradients(solver, report, most, runtime::checked_every(options.check_every, x.dev()));
  return report;
}

}  // namespace TEFF_MODE
}  // namespace teff

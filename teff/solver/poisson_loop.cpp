// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <ostream>

#include <teff/base/decimal.hpp>
#include <teff/base/error.hpp>
#include <teff/solver/end_of_iterations.hpp>
#include <teff/solver/poisson_loop.hpp>
#include <teff/solver/right_side.hpp>

namespace teff {

std::ostream& operator<<(std::ostream& out, const poisson_report& r) {
  if (r.steps.empty())
    out << std::to_string(r.iterations) << " iterations of conjugate gradients";
  else
    out << r.steps;
  return out << runtime::end_of_iterations(
             {r.what, r.residual, r.tolerance, r.is_stuck, r.gained_little});
}

namespace runtime {

namespace {

/// A cycle that leaves more than this of the residual is slow, as are so many in a row.
constexpr double slow_factor = 0.4;
constexpr int slow_cycles = 2;
/// The first cycle may make a residual larger that jumps with the coefficient; not by so much.
constexpr double divergence = 100;
/// Within so many iterations preconditioned gradients should halve the residual.
constexpr index_t patience = 10;

class poisson_run {
 public:
  poisson_run(poisson_system& system, const std::string& solver, const std::string& what,
              const poisson_limits& limits)
      : system_(system), solver_(solver), limits_(limits) {
    report_.what = what;
    report_.tolerance = limits.tolerance;
  }

  poisson_report run() {
    const poisson_system::norms start = system_.begin();
    norm_of_zero_ = finite_residual(
        norm_of_right_side(start.of_zero, solver_, [&] { return system_.largest_f(); }), 0,
        solver_);
    if (norm_of_zero_ == 0) {  // the solution
      system_.clear();
      report_.steps = "no iterations";
      return report_;
    }
    report_.residual = finite_residual(start.residual / norm_of_zero_, 0, solver_);
    const poisson_method how = limits_.method;
    const bool tries_all = how == poisson_method::automatic;
    if (tries_all || how == poisson_method::multigrid) make_cycles(!tries_all);
    if (!is_done() && (tries_all || how == poisson_method::preconditioned))
      make_gradients(true, limit_or(200), !tries_all);
    if (!is_done() && (tries_all || how == poisson_method::conjugate_gradients))
      make_gradients(false, limit_or(20 * limits_.sum_of_extents), true);
    if (report_.steps.empty()) report_.steps = "no iterations";
    return report_;
  }

 private:
  index_t limit_or(index_t chosen) const {
    return limits_.iterations > 0 ? limits_.iterations : chosen;
  }
  bool is_done() const { return report_.has_converged() || report_.is_stuck; }
  void note(double norm) {
    report_.residual = finite_residual(norm / norm_of_zero_, report_.iterations, solver_);
  }
  void measure() { note(system_.residual()); }
  bool is_at_rounding() const { return report_.residual * norm_of_zero_ <= 8 * system_.rounding(); }
  void add_steps(const std::string& made) {
    report_.steps += (report_.steps.empty() ? "" : ", then ") + made;
  }

  /// @param to_the_end also where they gain little
  void make_cycles(bool to_the_end) {
    const double start = report_.residual;
    index_t made = 0;
    int slow = 0;
    double factor = 0;
    const index_t most = limit_or(100);
    while (!is_done() && made < most && slow < (to_the_end ? 10 * slow_cycles : slow_cycles)) {
      const index_t ahead = cycles_ahead(report_.residual, limits_.tolerance, factor);
      for (const double norm :
           system_.cycles(std::min(ahead, most - made),
                          {norm_of_zero_, limits_.tolerance, slow_factor, report_.residual})) {
        const double before = report_.residual;
        ++made, ++report_.iterations;
        note(norm);
        factor = report_.residual / before;
        slow = report_.residual > slow_factor * before ? slow + 1 : 0;
      }
      if (slow > 0 && !report_.has_converged()) report_.is_stuck = is_at_rounding();
      if (report_.residual > divergence * start) break;
    }
    if (made == 0) return;
    report_.factor = std::pow(report_.residual / start, 1 / static_cast<double>(made));
    const bool gained_little = !is_done() && slow > 0;
    report_.gained_little = !is_done() && made < most;
    add_steps(std::to_string(made) + (made == 1 ? " V-cycle" : " V-cycles") + " of multigrid" +
              (gained_little ? " (which gain little here)" : ""));
    if (gained_little && report_.residual > 10 * start) {  // start anew
      system_.clear();
      measure();
    }
  }

  void make_gradients(bool by_cycles, index_t most, bool to_the_end) {
    const double exhausted = std::numeric_limits<double>::epsilon() * 1e-10;
    index_t made = 0;
    double restarted_from = std::numeric_limits<double>::infinity();
    bool gains = true;
    while (!is_done() && made < most && gains && report_.residual <= restarted_from / 2) {
      restarted_from = report_.residual;
      system_.start_gradients(by_cycles);
      double now = restarted_from, mark = restarted_from;
      for (index_t since = 1; made < most; ++since) {
        now = system_.iterate_gradients() / norm_of_zero_;
        ++made, ++report_.iterations;
        gains = std::isfinite(now) && now < 1e6 * restarted_from;
        if (!gains || now <= limits_.tolerance || now <= exhausted) break;
        if (since % patience != 0 || to_the_end) continue;
        gains = now <= mark / 2;
        mark = now;
        if (!gains) break;
      }
      system_.end_gradients();
      measure();
      if (!gains && !report_.has_converged()) report_.is_stuck = is_at_rounding();
    }
    if (!is_done() && gains && made < most) report_.is_stuck = true;
    report_.gained_little = !is_done() && made < most;
    if (made == 0) return;
    add_steps(std::to_string(made) +
              (made == 1 ? " iteration of conjugate gradients preconditioned by "
                         : " iterations of conjugate gradients preconditioned by ") +
              (by_cycles ? "V-cycles of multigrid" : "the diagonal") +
              (is_done() || gains ? "" : " (which gain little here)"));
  }

  poisson_system& system_;
  const std::string& solver_;
  poisson_limits limits_;
  double norm_of_zero_ = 0;
  poisson_report report_;
};

}  // namespace

poisson_report solve_poisson(poisson_system& system, const std::string& solver,
                             const std::string& what, const poisson_limits& limits) {
  return poisson_run(system, solver, what, limits).run();
}

void check_poisson_limits(const std::string& solver, double tolerance, index_t iterations) {
  if (!(tolerance >= 0)) throw error(failure::usage, solver + ": the tolerance must be 0 or more");
  if (iterations < 0)
    throw error(failure::usage, solver + ": the number of iterations must be 0 or more");
}

double finite_residual(double residual, index_t iteration, const std::string& solver) {
  if (std::isfinite(residual)) return residual;
  throw error(failure::non_finite, solver + ": the residual is not finite after iteration " +
                                       std::to_string(iteration) +
                                       (iteration == 0 ? "; u or f holds values that are not finite"
                                                       : "; the numbers overflow their type"));
}

}  // namespace runtime
}  // namespace teff

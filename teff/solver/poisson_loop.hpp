// SPDX-License-Identifier: MIT
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include <teff/base/index.hpp>
#include <teff/solver/multigrid_plan.hpp>

/// How solvers of Poisson's equation get to their tolerance: which method, and when another one.
/// Compiled once, for all types and dims.
namespace teff {

/// How a solution is looked for.
enum class poisson_method {
  automatic,            ///< the next three, in this order: each until it gains too little
  multigrid,            ///< V-cycles alone
  preconditioned,       ///< conjugate gradients, preconditioned by a V-cycle
  conjugate_gradients,  ///< conjugate gradients, preconditioned by the diagonal
};

/// How a solution was found; streams as one line.
struct poisson_report {
  std::string what;        ///< extents and type
  index_t iterations = 0;  ///< that were made, V-cycles too
  double residual = 0;     ///< |f + laplacian u| relative to its value for u = 0 inside, 2-norms
  double tolerance = 0;    ///< that was asked for
  bool is_stuck = false;   ///< rounding let the residual get no smaller
  bool gained_little = false;  ///< the last method ended before its iterations were used up
  std::string steps;           ///< what iterations they were; empty: all of conjugate gradients
  double factor = 0;  ///< mean one by which a V-cycle multiplied the residual; 0: none was made

  bool has_converged() const { return residual <= tolerance; }
  friend std::ostream& operator<<(std::ostream& out, const poisson_report& r);
};

namespace runtime {

/// A system of equations, with a vector u that comes nearer to its solution.
class poisson_system {
 public:
  virtual ~poisson_system() = default;
  /// |f|, the residual's norm for u = 0, and that for u. @sync waits
  struct norms {
    double of_zero, residual;
  };
  virtual norms begin() = 0;
  /// The largest magnitude in f. @sync waits
  virtual double largest_f() = 0;
  virtual void clear() = 0;
  /// |f - A u|. @sync waits
  virtual double residual() = 0;
  /// What rounding leaves of the residual. @sync waits
  virtual double rounding() = 0;
  /// V-cycles, at least one and at most `most`, until the rule ends them.
  /// @returns the residuals' norms after each @sync waits
  virtual std::vector<double> cycles(index_t most, const cycle_rule& rule) = 0;
  /// Conjugate gradients, from u on. @param by_cycles preconditioned by V-cycles, or the diagonal
  virtual void start_gradients(bool by_cycles) = 0;
  /// An iteration. @returns |r| by recurrence; not a number where the method breaks down
  virtual double iterate_gradients() = 0;
  /// u becomes what they found.
  virtual void end_gradients() = 0;
};

struct poisson_limits {
  double tolerance;
  index_t iterations;  ///< of each method; 0: chosen
  poisson_method method;
  index_t sum_of_extents;
};

/// Comes within the tolerance, or says in the report why not.
/// @param solver its name, for messages @param what extents and type
/// @throws error (non_finite) if u or f is not finite
poisson_report solve_poisson(poisson_system& system, const std::string& solver,
                             const std::string& what, const poisson_limits& limits);

/// @throws error (usage) on a negative tolerance or number of iterations
void check_poisson_limits(const std::string& solver, double tolerance, index_t iterations);
/// The residual. @throws error (non_finite) if it is not finite
double finite_residual(double residual, index_t iteration, const std::string& solver = "poisson2d");

}  // namespace runtime
}  // namespace teff

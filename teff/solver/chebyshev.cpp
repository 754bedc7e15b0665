// SPDX-License-Identifier: MIT
#include <cmath>
#include <ostream>

#include <teff/base/decimal.hpp>
#include <teff/base/error.hpp>
#include <teff/solver/chebyshev.hpp>
#include <teff/solver/end_of_iterations.hpp>

namespace teff {

std::ostream& operator<<(std::ostream& out, const chebyshev_report& r) {
  out << std::to_string(r.iterations) << " iterations of Chebyshev's"
      << runtime::end_of_iterations({r.what, r.residual, r.tolerance, r.is_stuck});
  if (r.most > 0)
    out << "; eigenvalues from " << decimal(r.least, 3) << " to " << decimal(r.most, 3)
        << (r.is_estimated ? ", estimated" : ", as given");
  if (r.seen_below > 0)
    out << "; the residual falls as if one were " << decimal(r.seen_below, 3)
        << ", below these bounds";
  return out;
}

namespace runtime {

void lanczos_matrix::add(double before, double pAp, double after) {
  const double alpha = before / pAp, beta = after / before;
  diagonal_.push_back(1 / alpha + (diagonal_.empty() ? 0 : beta_before_ / alpha_before_));
  beside_.push_back(std::sqrt(beta) / alpha);
  alpha_before_ = alpha, beta_before_ = beta;
}

/// By Sylvester's law, from the pivots of T - value.
int lanczos_matrix::count_below(double value) const {
  int below = 0;
  double pivot = 1;
  for (std::size_t i = 0; i < diagonal_.size(); ++i) {
    const double square = i == 0 ? 0 : beside_[i - 1] * beside_[i - 1];
    pivot = diagonal_[i] - value - square / pivot;
    if (pivot == 0) pivot = std::numeric_limits<double>::min();
    below += pivot < 0 ? 1 : 0;
  }
  return below;
}

double lanczos_matrix::eigenvalue(int number) const {
  double low = 0, high = 0;
  for (std::size_t i = 0; i < diagonal_.size(); ++i)
    high = std::max(high, diagonal_[i] + beside_[i] + (i == 0 ? 0 : beside_[i - 1]));
  for (int halved = 0; halved < 60; ++halved) {
    const double middle = low + (high - low) / 2;
    (count_below(middle) > number ? high : low) = middle;
  }
  return high;
}

spectrum lanczos_matrix::bounds() const {
  const int last = static_cast<int>(diagonal_.size()) - 1;
  return {eigenvalue(0), eigenvalue(last) + beside_.back()};
}

namespace {

/// Looks in vain until the residual counts as what rounding leaves.
constexpr int most_looks_in_vain = 8;
constexpr index_t most_chosen = 100'000;

/// acosh((most + least) / (most - least)): iterations multiply the residual by exp(-this).
double rate(const spectrum& s) {
  return 2 * std::atanh(std::sqrt(s.least / s.most));
}

/// By how much so many iterations at least multiply the residual: 1 / T_n.
double bound(const spectrum& s, double iterations) {
  return 1 / std::cosh(iterations * rate(s));
}

}  // namespace

chebyshev_run::chebyshev_run(const std::string& what, const chebyshev_options& options,
                             double epsilon)
    : options_(options), epsilon_(epsilon) {
  check_iteration_limits("chebyshev", {options.tolerance, options.iterations, options.check_every});
  const auto is_bound = [](double v) { return v >= 0 && std::isfinite(v); };
  if (!is_bound(options.least) || !is_bound(options.most) ||
      (options.most > 0 && options.least > options.most))
    throw error(failure::usage, "chebyshev: eigenvalues from " + decimal(options.least, 6) +
                                    " to " + decimal(options.most, 6) +
                                    "; bounds must be positive and in this order, or 0: then they "
                                    "are estimated");
  if (options_.check_every == 0) options_.check_every = 16;
  report.what = what;
  report.tolerance = options.tolerance;
  report.is_estimated = needs_estimate();
  smallest_ = std::numeric_limits<double>::infinity();
  if (!needs_estimate()) restart({options.least, options.most});
}

void chebyshev_run::estimate(const spectrum& s) {
  const spectrum all{options_.least > 0 ? options_.least : s.least,
                     options_.most > 0 ? options_.most : s.most};
  if (!(all.least <= all.most))
    throw error(failure::usage, "chebyshev: eigenvalues were estimated from " +
                                    decimal(s.least, 6) + " to " + decimal(s.most, 6) +
                                    ", outside of the bound that was given");
  restart(all);
}

void chebyshev_run::restart(const spectrum& s) {
  report.least = s.least;
  report.most = s.most;
  since_ = 0;
  start_ = report.residual;
  if (is_estimated_below() && s.least <= epsilon_ * s.most)
    throw error(failure::usage, "chebyshev: the least eigenvalue of A is estimated as " +
                                    decimal(s.least, 3) + ", the largest as " + decimal(s.most, 3) +
                                    ": A is singular; where b has no part that it does not reach, "
                                    "give the least one that counts as .least");
  const double goal = std::min(0.5, std::max(report.tolerance, epsilon_));
  const double needed = std::min(std::acosh(1 / goal) / rate(s), 1e12);
  const index_t chosen =
      4 * static_cast<index_t>(needed + 1) + 2 * most_looks_in_vain * options_.check_every;
  most_iterations_ = options_.iterations > 0 ? options_.iterations
                                             : std::min(report.iterations + chosen, most_chosen);
}

// T_n+1(s) = 2 s T_n(s) - T_n-1(s), with the ratios of two neighbours: no number grows.
chebyshev_run::step chebyshev_run::next() {
  const double middle = report.most + report.least, radius = (report.most - report.least) / 2;
  const double before = ratio_;
  ++report.iterations;
  if (since_++ == 0) {
    ratio_ = 2 * radius / middle;
    return {0, 2 / middle};
  }
  const double weight = 2 / (middle - radius * before);
  ratio_ = radius / (middle - radius * before);
  return {before * ratio_, weight};
}

index_t chebyshev_run::ahead() const {
  return std::min(options_.check_every, most_iterations_ - report.iterations);
}

void chebyshev_run::throw_grown(double factor) const {
  throw error(failure::usage,
              "chebyshev: the residual was multiplied by " + decimal(factor, 3) + " in " +
                  std::to_string(since_) + " iterations: A has an eigenvalue outside of " +
                  decimal(report.least, 6) + " to " + decimal(report.most, 6) +
                  (report.is_estimated ? ", which were estimated (give .least and .most)" : "") +
                  ", or is not symmetric and positive definite");
}

bool chebyshev_run::look(double residual, const std::function<double()>& rounding) {
  constexpr double grown = 100, about_rounding = 100;
  report.residual = residual;
  if (report.iterations == 0) {
    if (!std::isfinite(residual)) throw_not_finite("chebyshev", "x and b", 0);
    start_ = residual;
  }
  if (report.has_converged()) return false;
  const double factor = residual / start_;
  if (!std::isfinite(residual)) throw_grown(factor);
  looks_in_vain_ = residual < smallest_ ? 0 : looks_in_vain_ + 1;
  smallest_ = std::min(smallest_, residual);
  if (since_ == 0) return true;
  // The residual never is larger than the bounds say, but for rounding, and unless they are wrong.
  if (factor > 2 * bound({report.least, report.most}, static_cast<double>(since_)) &&
      residual > about_rounding * rounding()) {
    if (factor > grown) throw_grown(factor);
    follow(factor);
  } else if (looks_in_vain_ >= most_looks_in_vain && residual <= about_rounding * rounding()) {
    report.is_stuck = true;
    return false;
  }
  return report.iterations < most_iterations_;
}

/// The largest of the residual's parts was multiplied by T_n(s') / T_n(s), or more, where s'
/// belongs to an eigenvalue below the bounds: the least one is not above this.
void chebyshev_run::follow(double factor) {
  if (!(report.least < report.most)) return;  // of one eigenvalue no other one can be told
  const double n = static_cast<double>(since_), s = n * rate({report.least, report.most});
  const double log_of_t = std::log(factor) + s + std::log1p(std::exp(-2 * s)) - std::log(2.0);
  if (!(log_of_t > 0)) return;
  const double own =
      (log_of_t + std::log1p(std::sqrt(-std::expm1(-2 * log_of_t)))) / n;  // acosh(exp) / n
  const double half = std::sinh(own / 2);
  const double seen = report.least - (report.most - report.least) * half * half;
  if (!is_estimated_below()) {
    report.seen_below = std::max(seen, 0.0);
    return;
  }
  if (factor >= 1 || seen > 0.7 * report.least) return;  // (one above the bounds does the former)
  restart({seen, report.most});
}

}  // namespace runtime
}  // namespace teff

// SPDX-License-Identifier: MIT
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <teff/algo/fill.hpp>
#include <teff/array/host_copy.hpp>
#include <teff/base/decimal.hpp>
#include <teff/base/error.hpp>
#include <teff/solver/poisson.hpp>

#include <bench/for_type.hpp>
#include <bench/host_values.hpp>
#include <bench/naive/poisson2d.hpp>
#include <bench/solver/multigrid2d.hpp>

namespace teff::bench {

namespace {

/// f random about 0, u = 0 at the start and at the border.
template <class T>
class poisson_problem : public lab::prepared_case {
 public:
  explicit poisson_problem(const lab::setting& where)
      : on_(where.dev),
        u_(zeros<T>(on_, {where.shape[0], where.shape[1]}, "u")),
        f_(on_, {where.shape[0], where.shape[1]}, "f"),
        values_(random_values<T>(static_cast<std::size_t>(f_.size()), 22)) {
    for (T& f : values_) f -= T(0.5);
    f_ = from_host(values_);
  }

  stream on() const override { return on_; }
  std::unique_ptr<lab::experiment> make(const std::string& variant,
                                        const lab::tuning& how) override;

  array<T, 2>& u() { return u_; }
  array<T, 2>& f() { return f_; }
  static double tolerance() { return sizeof(T) == 8 ? 1e-10 : 1e-3; }

  /// The relative residual of u, by loops, may be this. (Of a solution: what rounding adds to it.)
  lab::check_result check(double most) {
    const auto nx = static_cast<std::size_t>(u_.extent(0)),
               ny = static_cast<std::size_t>(u_.extent(1));
    const double left = naive::relative_residual(to_host(u_), values_, nx, ny);
    lab::check_result result;
    result.reference = "serial loops";
    result.ok = left <= most;
    if (!result.ok)
      result.reason = "the relative residual is " + decimal(left, 3) + ", expected " +
                      decimal(most, 3) + " at most";
    return result;
  }

 private:
  stream on_;
  array<T, 2> u_, f_;
  std::vector<T> values_;
};

/// `cycle` and `solve`.
template <class T>
class by_cycles : public lab::experiment {
 public:
  by_cycles(poisson_problem<T>& problem, bool solves)
      : problem_(problem), solves_(solves), cycles_(problem.u(), problem.f()) {}
  bool is_repeatable() const override { return solves_; }
  void reset() override {
    fill(problem_.u(), 0);
    cycles_.restart();
    is_reset_ = true;
  }
  void run() override {
    if (!solves_) return cycles_.cycle();
    if (!is_reset_) reset();
    is_reset_ = false;
    made_ = 0;
    do {
      cycles_.cycle();
      ++made_;
    } while (cycles_.residual() > problem_.tolerance() && made_ < 100);
  }
  lab::check_result check() override {
    cycles_.finish();
    return problem_.check(solves_ ? 1.05 * problem_.tolerance() : 0.2);
  }
  /// A step is a V-cycle.
  lab::workload work() const override {
    const traffic ideal = cycles_.per_cycle();
    return {ideal, ideal.a_eff_bytes(), solves_ ? made_ : 1, 1};
  }

 private:
  poisson_problem<T>& problem_;
  bool solves_, is_reset_ = false;
  int made_ = 1;
  poisson_cycles<T, 2> cycles_;
};

/// `gradients`.
template <class T>
class by_gradients : public lab::experiment {
 public:
  explicit by_gradients(poisson_problem<T>& problem)
      : problem_(problem), per_iteration_(of_iteration(problem)) {}
  void reset() override { fill(problem_.u(), 0); }
  void run() override {
    reset();
    made_ = static_cast<int>(poisson2d(problem_.u(), problem_.f(),
                                       {.tolerance = problem_.tolerance(),
                                        .method = poisson_method::conjugate_gradients})
                                 .iterations);
  }
  lab::check_result check() override { return problem_.check(1.05 * problem_.tolerance()); }
  /// A step is an iteration.
  lab::workload work() const override {
    return {per_iteration_, per_iteration_.a_eff_bytes(), std::max(made_, 1), 1};
  }

 private:
  static traffic of_iteration(poisson_problem<T>& problem) {
    return poisson2d_solver<T>(problem.u(), problem.f()).per_iteration();
  }

  poisson_problem<T>& problem_;
  traffic per_iteration_;
  int made_ = 1;
};

template <class T>
std::unique_ptr<lab::experiment> poisson_problem<T>::make(const std::string& variant,
                                                          const lab::tuning&) {
  if (variant == "gradients") return std::make_unique<by_gradients<T>>(*this);
  if (variant == "cycle" || variant == "solve")
    return std::make_unique<by_cycles<T>>(*this, variant == "solve");
  throw error("no variant '" + variant + "' of multigrid2d");
}

std::unique_ptr<lab::prepared_case> prepare_multigrid2d(const lab::setting& where) {
  if (*std::ranges::min_element(where.shape) < 3)
    throw error(failure::usage, "multigrid2d needs at least 3 points along each dim, got " +
                                    lab::shape_text(where.shape));
  return for_type<f64, f32>(where.type, [&](auto example) {
    return make_prepared<poisson_problem<decltype(example)>>(where);
  });
}

}  // namespace

lab::bench_case multigrid2d_case() {
  return {.name = "multigrid2d",
          .about = "Poisson's equation in 2-D to a relative residual of 1e-10 (f32: 1e-3)",
          .axes = "a shape of two extents",
          .types = {"f64", "f32"},
          .least_rank = 2,
          .most_rank = 2,
          .cpu_shape = {1023, 1023},
          .cuda_shape = {8191, 8191},
          .arrays = 20,
          .best = "solve",
          .is_in_lab = false,
          .variants = {{.name = "cycle", .about = "a V-cycle of poisson_cycles"},
                       {.name = "solve",
                        .about = "V-cycles and their residuals, from u = 0: steps are cycles"},
                       {.name = "gradients",
                        .about = "poisson2d by conjugate gradients: steps are iterations",
                        .is_for_ladder_only = true}},
          .prepare = prepare_multigrid2d};
}

}  // namespace teff::bench

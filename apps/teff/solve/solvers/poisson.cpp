// SPDX-License-Identifier: MIT
#include <algorithm>
#include <numbers>

#include <teff/solver/poisson.hpp>
#include <teff/stencil/report.hpp>

#include <apps/teff/solve/solvers/run_of_fields.hpp>
#include <apps/teff/solve/solvers/starts.hpp>

namespace teff::app {

namespace {

/// Two opposite charges with a Gaussian density, half of lx apart and lx / 20 wide.
template <class R>
array<R, 2> opposite_charges(const solve::setup& s, double dx, double dy) {
  const double lx = s.number("lx"), ly = s.number("ly"), width = lx / 20;
  const double density = s.number("charge") / (std::numbers::pi * width * width);
  const auto bump = [&](double x0) {
    return exp(-sq((ix * dx - x0) / width) - sq((iy * dy - ly / 2) / width));
  };
  array<R, 2> f(s.dev, extents_of<2>(s.shape), "f");
  f = density * (bump(lx / 4) - bump(3 * lx / 4));
  return f;
}

/// A step is a V-cycle. Checks only look, so that neither their number nor the tolerance changes
/// what the next cycle finds.
template <class A>
class poisson_run final : public run_of_fields<A> {
  using R = typename A::value_type;

 public:
  explicit poisson_run(const solve::setup& s)
      : poisson_run(s, s.number("lx") / static_cast<double>(s.shape[0] - 1),
                    s.number("ly") / static_cast<double>(s.shape[1] - 1)) {}

  solve::made_steps advance(const iterate_options& options) override {
    auto time = std::make_shared<timer>(u_.on());
    run_facts facts;
    facts.tolerance = options.tolerance;
    time->start();
    const auto measure = [&] {
      facts.residual =
          runtime::finite_residual(cycles_.residual(), options.first_step + facts.steps);
    };
    while (facts.steps < options.steps) {
      cycles_.cycle();
      ++facts.steps;
      if (options.tolerance > 0 && facts.steps % options.check_every == 0) {
        measure();
        if (facts.residual <= options.tolerance) break;
      }
    }
    measure();
    facts.passes = static_cast<double>(facts.steps);
    time->stop();
    cycles_.finish();
    return iterate_report(
        facts, {schedule::stepwise, 1, "a V-cycle of multigrid goes through grids of all sizes"},
        extents_text(u_.shape()), type_name<R>(), cycles_.per_cycle(), std::move(time), u_.dev());
  }
  void write(std::size_t field, const void* from) override {
    run_of_fields<A>::write(field, from);
    cycles_.restart();
  }

 private:
  poisson_run(const solve::setup& s, double dx, double dy)
      : u_(zeros<R>(s.dev, extents_of<2>(s.shape), "u")),
        f_(opposite_charges<R>(s, dx, dy)),
        cycles_(u_, f_, {.lx = s.number("lx"), .ly = s.number("ly")}) {
    const std::array<double, 3> d{dx, dy, 0};
    this->add("u", u_, d);
    this->add("f", f_, d);
  }

  array<R, 2> u_, f_;
  poisson_cycles<R, 2> cycles_;
};

/// Iterations between two looks at the residual, at most.
constexpr index_t most_unread = 32;

/// A step is an iteration. Checks only look, so that neither their number nor the tolerance changes
/// what the next iteration finds.
template <class A>
class poisson_cg_run final : public run_of_fields<A> {
  using R = typename A::value_type;

 public:
  explicit poisson_cg_run(const solve::setup& s)
      : poisson_cg_run(s, s.number("lx") / static_cast<double>(s.shape[0] - 1),
                       s.number("ly") / static_cast<double>(s.shape[1] - 1)) {}

  solve::made_steps advance(const iterate_options& options) override {
    auto time = std::make_shared<timer>(u_.on());
    run_facts facts;
    facts.tolerance = options.tolerance;
    time->start();
    const auto has_converged = [&] {
      return solver_.residual_of_r() <= options.tolerance &&
             solver_.residual_of_u() <= options.tolerance;
    };
    const bool checks = options.tolerance > 0, checks_all = checks && options.check_every == 1;
    solver_.count_from(options.first_step);
    while (facts.steps < options.steps) {
      if (solver_.is_exhausted()) solver_.restart();
      // On the way to the tolerance each iteration looks by itself; near it u has to be looked at.
      const bool is_near = checks_all && solver_.is_within(options.tolerance);
      solver_.stop_at(checks_all && !is_near ? options.tolerance : 0);
      index_t more = std::min<index_t>(options.steps - facts.steps, most_unread);
      if (is_near || (checks && !checks_all))
        more = std::min(more, options.check_every - facts.steps % options.check_every);
      solver_.iterate(more);
      (void)solver_.residual_of_r();  // which must be a number
      const index_t before = facts.steps;
      facts.steps = solver_.made() - options.first_step;
      if (facts.steps == before) {  // u is the solution
        facts.steps += more;
        solver_.count_from(options.first_step + facts.steps);
      }
      if (checks && facts.steps % options.check_every == 0 && has_converged()) break;
    }
    solver_.settle();
    // The larger one: r may claim more than u has.
    facts.residual = std::max(solver_.residual_of_r(), solver_.residual_of_u());
    facts.passes = static_cast<double>(facts.steps);
    time->stop();
    return iterate_report(
        facts,
        {schedule::stepwise, 1, "conjugate gradients need sums of all cells in each iteration"},
        extents_text(u_.shape()), type_name<R>(), solver_.per_iteration(), std::move(time),
        u_.dev());
  }
  void write(std::size_t field, const void* from) override {
    run_of_fields<A>::write(field, from);
    solver_.resume();
  }

 private:
  poisson_cg_run(const solve::setup& s, double dx, double dy)
      : u_(zeros<R>(s.dev, extents_of<2>(s.shape), "u")),
        f_(opposite_charges<R>(s, dx, dy)),
        solver_(u_, f_, {.lx = s.number("lx"), .ly = s.number("ly")}) {
    const std::array<double, 3> d{dx, dy, 0};
    this->add("u", u_, d);
    this->add("f", f_, d);
    this->add("p", solver_.p(), d);
    this->add("r", solver_.r(), d, d);
  }

  array<R, 2> u_, f_;
  poisson2d_solver<R> solver_;
};

}  // namespace

std::unique_ptr<solve::solver_run> start_poisson2d(const solve::setup& setup) {
  return start_run<poisson_run, 2>(setup);
}

std::unique_ptr<solve::solver_run> start_poisson2d_cg(const solve::setup& setup) {
  return start_run<poisson_cg_run, 2>(setup);
}

}  // namespace teff::app

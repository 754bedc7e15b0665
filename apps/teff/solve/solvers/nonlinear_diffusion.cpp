// SPDX-License-Identifier: MIT
#include <teff/solver/nonlinear_diffusion.hpp>

#include <apps/teff/solve/solvers/run_of_fields.hpp>
#include <apps/teff/solve/solvers/starts.hpp>

namespace teff::app {

namespace {

/// Half as wide as that of the linear solver: nothing conducts where it is cold, so that a front
/// forms.
template <class R>
array<R, 2> gaussian(const solve::setup& s, double dx, double dy) {
  array<R, 2> T(s.dev, extents_of<2>(s.shape), "T");
  T = s.number("height") *
      exp(-sq(ix * dx - s.number("lx") / 2) - sq(iy * dy - s.number("ly") / 2));
  return T;
}

template <class A>
class nonlinear_run final : public run_of_fields<A> {
  using R = typename A::value_type;

 public:
  explicit nonlinear_run(const solve::setup& s)
      : nonlinear_run(s, s.number("lx") / static_cast<double>(s.shape[0] - 1),
                      s.number("ly") / static_cast<double>(s.shape[1] - 1)) {}
  solve::made_steps advance(const iterate_options& options) override {
    return solver_.run(options);
  }
  double dt() const override { return solver_.dt(); }

 private:
  nonlinear_run(const solve::setup& s, double dx, double dy)
      : solver_(gaussian<R>(s, dx, dy), diffusion::power_law<2>{},
                {.lx = s.number("lx"),
                 .ly = s.number("ly"),
                 .dt = s.dt,
                 .force_dt = s.takes_unstable,
                 .sides = {}}) {
    this->add("T", solver_.temperature(), {dx, dy, 0});
  }

  nonlinear_diffusion2d<R, diffusion::power_law<2>> solver_;
};

}  // namespace

std::unique_ptr<solve::solver_run> start_nonlinear_diffusion2d(const solve::setup& setup) {
  return start_run<nonlinear_run, 2>(setup);
}

}  // namespace teff::app

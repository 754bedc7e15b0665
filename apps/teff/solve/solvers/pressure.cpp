// SPDX-License-Identifier: MIT
#include <teff/grid/iterate.hpp>
#include <teff/solver/pressure.hpp>

#include <apps/teff/solve/solvers/run_of_fields.hpp>
#include <apps/teff/solve/solvers/starts.hpp>

namespace teff::app {

namespace {

template <class A>
class pressure_run final : public run_of_fields<A> {
 public:
  explicit pressure_run(const solve::setup& s) : pressure_run(s, field_place<A>(s)) {}
  solve::made_steps advance(const iterate_options& options) override {
    return solver_.run(options);
  }

 private:
  pressure_run(const solve::setup& s, const field_place<A>& made)
      : solver_(made("Pf"), made("qDx", {1, 0}), made("qDy", {0, 1}),
                {.lx = s.number("lx"),
                 .ly = s.number("ly"),
                 .k = s.number("k"),
                 .re = s.number("re"),
                 .cfl = s.number("cfl"),
                 .force_cfl = s.takes_unstable}) {
    const std::array<double, 3> d{s.number("lx") / static_cast<double>(s.shape[0]),
                                  s.number("ly") / static_cast<double>(s.shape[1]), 0};
    this->add_at_centres("Pf", solver_.pressure(), d);
    this->add_at_faces("qDx", solver_.flux_x(), d, 0);
    this->add_at_faces("qDy", solver_.flux_y(), d, 1);
  }

  pressure2d<typename A::value_type, A> solver_;
};

}  // namespace

std::unique_ptr<solve::solver_run> start_pressure2d(const solve::setup& setup) {
  return start_shared_run<pressure_run, 2>(setup);
}

}  // namespace teff::app

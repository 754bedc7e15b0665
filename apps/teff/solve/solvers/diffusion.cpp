// SPDX-License-Identifier: MIT
#include <teff/grid/grid_reduce.hpp>
#include <teff/grid/iterate.hpp>
#include <teff/solver/diffusion.hpp>

#include <apps/teff/solve/solvers/run_of_fields.hpp>
#include <apps/teff/solve/solvers/starts.hpp>

namespace teff::app {

namespace {

diffusion_options options_of(const solve::setup& s, int dims) {
  diffusion_options o;
  o.lx = s.number("lx");
  if (dims > 1) o.ly = s.number("ly");
  if (dims > 2) o.lz = s.number("lz");
  o.lam = s.number("lam");
  o.c0 = s.number("c0");
  o.height = s.number("height");
  o.dt = s.dt;
  o.force_dt = s.takes_unstable;
  return o;
}

template <class A>
class diffusion_run final : public run_of_fields<A> {
  static constexpr int N = A::rank;

 public:
  explicit diffusion_run(const solve::setup& s) : diffusion_run(s, field_place<A>(s)) {}
  solve::made_steps advance(const iterate_options& options) override {
    return solver_.run(options);
  }
  double dt() const override { return solver_.dt(); }

 private:
  diffusion_run(const solve::setup& s, const field_place<A>& made)
      : solver_(made("T"), made("Ci"), options_of(s, N)) {
    std::array<double, 3> d{};
    for (int dim = 0; dim < N; ++dim) d[static_cast<std::size_t>(dim)] = solver_.spacing(dim);
    this->add("T", solver_.temperature(), d);
    this->add("Ci", solver_.inverse_capacity(), d);
  }

  diffusion_solver<typename A::value_type, N, A> solver_;
};

}  // namespace

std::unique_ptr<solve::solver_run> start_diffusion1d(const solve::setup& setup) {
  return start_shared_run<diffusion_run, 1>(setup);
}
std::unique_ptr<solve::solver_run> start_diffusion2d(const solve::setup& setup) {
  return start_shared_run<diffusion_run, 2>(setup);
}
std::unique_ptr<solve::solver_run> start_diffusion3d(const solve::setup& setup) {
  return start_shared_run<diffusion_run, 3>(setup);
}

}  // namespace teff::app

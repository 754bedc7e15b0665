// SPDX-License-Identifier: MIT
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

template <class R, int N>
class diffusion_run final : public run_of_fields<R, N> {
 public:
  explicit diffusion_run(const solve::setup& s)
      : solver_(s.dev, extents_of<N>(s.shape), options_of(s, N)) {
    std::array<double, 3> d{};
    for (int dim = 0; dim < N; ++dim) d[static_cast<std::size_t>(dim)] = solver_.spacing(dim);
    this->add("T", solver_.temperature(), d);
    this->add("Ci", solver_.inverse_capacity(), d);
  }
  iterate_report advance(const iterate_options& options) override { return solver_.run(options); }
  double dt() const override { return solver_.dt(); }

 private:
  diffusion_solver<R, N> solver_;
};

}  // namespace

std::unique_ptr<solve::solver_run> start_diffusion1d(const solve::setup& setup) {
  return start_run<diffusion_run, 1>(setup);
}
std::unique_ptr<solve::solver_run> start_diffusion2d(const solve::setup& setup) {
  return start_run<diffusion_run, 2>(setup);
}
std::unique_ptr<solve::solver_run> start_diffusion3d(const solve::setup& setup) {
  return start_run<diffusion_run, 3>(setup);
}

}  // namespace teff::app

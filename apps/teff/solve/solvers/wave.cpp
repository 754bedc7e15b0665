// SPDX-License-Identifier: MIT
#include <teff/solver/wave.hpp>

#include <apps/teff/solve/solvers/run_of_fields.hpp>
#include <apps/teff/solve/solvers/starts.hpp>

namespace teff::app {

namespace {

wave_options options_of(const solve::setup& s, int dims) {
  wave_options o;
  o.lx = s.number("lx");
  o.ly = s.number("ly");
  if (dims > 2) o.lz = s.number("lz");
  o.rho = s.number("rho");
  o.K = s.number("K");
  o.dt = s.dt;
  o.force_dt = s.takes_unstable;
  return o;
}

template <class A>
class wave_run final : public run_of_fields<A> {
  using R = typename A::value_type;
  static constexpr int N = A::rank;

 public:
  explicit wave_run(const solve::setup& s)
      : solver_(s.dev, extents_of<N>(s.shape), options_of(s, N)) {
    std::array<double, 3> d{solver_.dx(), solver_.dy(), 0};
    if constexpr (N == 3) d[2] = solver_.dz();
    this->add_at_centres("P", solver_.pressure(), d);
    this->add_at_faces("Vx", solver_.velocity_x(), d, 0);
    this->add_at_faces("Vy", solver_.velocity_y(), d, 1);
    if constexpr (N == 3) this->add_at_faces("Vz", solver_.velocity_z(), d, 2);
  }
  solve::made_steps advance(const iterate_options& options) override {
    return solver_.run(options);
  }
  double dt() const override { return solver_.dt(); }

 private:
  wave_solver<R, N> solver_;
};

}  // namespace

std::unique_ptr<solve::solver_run> start_wave2d(const solve::setup& setup) {
  return start_run<wave_run, 2>(setup);
}
std::unique_ptr<solve::solver_run> start_wave3d(const solve::setup& setup) {
  return start_run<wave_run, 3>(setup);
}

}  // namespace teff::app

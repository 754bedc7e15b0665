// SPDX-License-Identifier: MIT
#include <teff/array/host_copy.hpp>
#include <teff/solver/diffusion.hpp>

#include <bench/grid/grid_case.hpp>
#include <bench/stencil/diffused_gaussian.hpp>
#include <bench/stencil/diffusion2d.hpp>
#include <bench/stencil/diffusion2d_problem.hpp>
#include <bench/stencil/heat_variants.hpp>
#ifdef __CUDACC__
#include <bench/stencil/replayed_graph.cuh>
#endif

namespace teff::bench {

namespace {

template <class T>
using heat_fields = step_fields<diffusion2d_problem<T>>;

/// `stored`: the lessons' first version, four array statements that store fluxes and rate of
/// change.
template <class T>
class stored_fluxes : public one_plain_step<diffusion2d_problem<T>> {
 public:
  explicit stored_fluxes(heat_fields<T>& fields)
      : one_plain_step<diffusion2d_problem<T>>(fields),
        qx_(fields.on(), {fields.now().extent(0) - 1, fields.now().extent(1) - 2}, "qx"),
        qy_(fields.on(), {fields.now().extent(0) - 2, fields.now().extent(1) - 1}, "qy"),
        dTdt_(fields.on(), {fields.now().extent(0) - 2, fields.now().extent(1) - 2}, "dTdt") {}

  void reset() override { this->fields_.reset(); }
  void run() override {
    for_each_statement([](const auto& target, const auto& e) { target = e; });
  }
  lab::workload work() const override {
    traffic asked;
    for_each_statement([&](const auto& target, const auto& e) { asked += traffic_of(target, e); });
    return {this->fields_.ideal(), asked.a_eff_bytes(), 1, 1};
  }

 private:
  template <class F>
  void for_each_statement(const F& f) const {
    using namespace fd2;
    const auto& [lam, dt, _dx, _dy] = this->fields_.problem().numbers();
    const array<T, 2>&t = this->fields_.now(), &Ci = this->fields_.field(1);
    f(qx_, -lam * d_xi(t) * _dx);
    f(qy_, -lam * d_yi(t) * _dy);
    f(dTdt_, inn(Ci) * (-d_xa(qx_) * _dx - d_ya(qy_) * _dy));
    f(inn(t), inn(t) + dt * dTdt_);
  }

  array<T, 2> qx_, qy_, dTdt_;
};

#ifdef __CUDACC__
/// `replay`: the same launches, one a step, enqueued once and replayed by a CUDA graph.
template <class T>
class replayed_kernel : public step_kernel<diffusion2d_problem<T>> {
 public:
  explicit replayed_kernel(heat_fields<T>& fields)
      : step_kernel<diffusion2d_problem<T>>(fields, {}),
        steps_(steps_of_run(schedule::resident, fields.on().dev(), fields.ideal().cells, 2)),
        graph_(fields.on(), [&] {
          for (int pair = 0; pair < steps_ / 2; ++pair) {
            this->launch_step(fields.next(), fields.now());
            this->launch_step(fields.now(), fields.next());
          }
        }) {}
  void run() override { graph_.launch(); }
  lab::check_result check() override { return this->fields_.check(steps_); }
  bool is_repeatable() const override { return false; }
  lab::workload work() const override {
    const traffic& ideal = this->fields_.ideal();
    return {ideal, ideal.a_eff_bytes(), steps_, 1};
  }

 private:
  int steps_;
  replayed_graph graph_;
};
#endif

}  // namespace

template <class T>
std::unique_ptr<lab::experiment> diffusion2d_problem<T>::make(heat_fields<T>& fields,
                                                              const std::string& variant,
                                                              const lab::tuning& how) const {
  if (variant == "stored") return std::make_unique<stored_fluxes<T>>(fields);
  if (variant == "fused") return std::make_unique<fused_statement<diffusion2d_problem>>(fields);
  if (variant == "kernel")
    return std::make_unique<step_kernel<diffusion2d_problem>>(fields, how.threads);
#ifdef __CUDACC__
  if (variant == "replay") return std::make_unique<replayed_kernel<T>>(fields);
#endif
  if (variant == "factored") return make_factored_heat(fields, how.depth);
  return nullptr;
}

namespace {

std::vector<lab::variant> heat_variants() {
  return {{.name = "stored",
           .about = "four array statements that store fluxes and rate of change",
           .gain = "each operator is a pass over memory: 11 arrays move where 3 have to",
           .lesson = "about 107 GB/s, P100"},
          {.name = "fused",
           .about = "the same four lines, lazy: one statement, nothing stored",
           .gain = "fluxes are computed where they are used and never stored: one pass, 3 arrays",
           .lesson = "214 GB/s, P100"},
          {.name = "kernel",
           .about = "a launch with one cell a thread",
           .takes = lab::knob::threads,
           .gain = "the step written by hand, a cell a thread: what the statement is to reach "
                   "without it",
           .cpu_gain = "the step written by hand as one loop: what the statement is to reach "
                       "without it",
           .lesson = "524 GB/s, P100"},
          stepwise_rung(),
          temporal_rung(),
          {.name = "factored",
           .about = "the same with the constants multiplied together by hand",
           .takes = lab::knob::depth,
           .gain = "fewer operations a cell, where arithmetic has become the limit; other "
                   "rounding, so not the same bits",
           .is_for_ladder_only = true},
          {.name = "replay",
           .about = "small grids: the kernel, a launch a step, replayed by a CUDA graph",
           .runs = lab::place::cuda,
           .takes_small = true,
           .is_for_ladder_only = true},
          resident_variant()};
}

}  // namespace

lab::bench_case diffusion2d_case() {
  return {.name = "diffusion2d",
          .about = "2-D heat diffusion: from stored fluxes to several time steps per pass",
          .axes = "a shape of two extents",
          .types = {"f64", "f32"},
          .least_rank = 2,
          .most_rank = 2,
          .cpu_shape = {8192, 8192},
          .cuda_shape = {16384, 16384},
          .small_shape = {1023, 1023},
          .arrays = 10,
          .moved_arrays = 3,
          .best = "temporal",
          .variants = heat_variants(),
          .prepare = prepare_steps<diffusion2d_problem>};
}

// Here, because their formula is the case's: it is compiled once.
lab::bench_case grid2d_case() {
  lab::bench_case c = grid_case(
      "grid2d", "2-D heat diffusion on a grid that ranks share: how seldom halos are exchanged",
      {8192, 8192}, 16);
  c.prepare = prepare_on_grid<diffusion2d_problem>;
  return c;
}
std::vector<double> diffused_gaussian(device dev, index_t nx, index_t ny, int steps) {
  diffusion2d<double> heat(dev, {nx, ny});
  heat.run({.steps = steps});
  return to_host(heat.temperature());
}

}  // namespace teff::bench

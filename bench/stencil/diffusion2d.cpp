// SPDX-License-Identifier: MIT
#include <teff/base/error.hpp>
#include <teff/kernel/launch.hpp>

#include <bench/for_type.hpp>
#include <bench/stencil/diffusion2d.hpp>
#include <bench/stencil/heat_fields.hpp>
#ifdef __CUDACC__
#include <bench/stencil/replayed_graph.cuh>
#endif

namespace teff::bench {

namespace {

/// What the variants of one step share.
template <class T>
class one_step : public lab::experiment {
 public:
  explicit one_step(heat_fields<T>& fields) : fields_(fields) {}
  void reset() override { fields_.reset(); }
  lab::check_result check() override { return fields_.check(fields_.next(), 1); }

 protected:
  heat_fields<T>& fields_;
};

/// `stored`: the lessons' first version, four array statements that store fluxes and rate of
/// change.
template <class T>
class stored_fluxes : public one_step<T> {
 public:
  explicit stored_fluxes(heat_fields<T>& fields)
      : one_step<T>(fields),
        qx_(fields.on(), {fields.now().extent(0) - 1, fields.now().extent(1) - 2}, "qx"),
        qy_(fields.on(), {fields.now().extent(0) - 2, fields.now().extent(1) - 1}, "qy"),
        dTdt_(fields.on(), {fields.now().extent(0) - 2, fields.now().extent(1) - 2}, "dTdt") {}

  void run() override {
    for_each_statement([](const auto& target, const auto& e) { target = e; });
  }
  lab::check_result check() override { return this->fields_.check(this->fields_.now(), 1); }
  bool is_repeatable() const override { return false; }  // the temperature is updated in place
  lab::workload work() const override {
    traffic asked;
    for_each_statement([&](const auto& target, const auto& e) { asked += traffic_of(target, e); });
    return {this->fields_.ideal(), asked.a_eff_bytes(), 1, 1};
  }

 private:
  template <class F>
  void for_each_statement(const F& f) const {
    using namespace fd2;
    const auto& [lam, dt, _dx, _dy] = this->fields_.numbers();
    const array<T, 2>&t = this->fields_.now(), &Ci = this->fields_.Ci();
    f(qx_, -lam * d_xi(t) * _dx);
    f(qy_, -lam * d_yi(t) * _dy);
    f(dTdt_, inn(Ci) * (-d_xa(qx_) * _dx - d_ya(qy_) * _dy));
    f(inn(t), inn(t) + dt * dTdt_);
  }

  array<T, 2> qx_, qy_, dTdt_;
};

/// `fused`: the same four lines, lazy, so that they become one statement.
template <class T>
class fused_statement : public one_step<T> {
 public:
  using one_step<T>::one_step;
  void run() override { target() = step(); }
  lab::workload work() const override {
    return {this->fields_.ideal(), traffic_of(target(), step()).a_eff_bytes(), 1, 1};
  }

 private:
  array_ref<T, 2> target() const { return fd2::inn(this->fields_.next()); }
  auto step() const {
    using namespace fd2;
    const auto& [lam, dt, _dx, _dy] = this->fields_.numbers();
    const array<T, 2>&t = this->fields_.now(), &Ci = this->fields_.Ci();
    auto qx = -lam * d_xi(t) * _dx;
    auto qy = -lam * d_yi(t) * _dy;
    auto dTdt = inn(Ci) * (-d_xa(qx) * _dx - d_ya(qy) * _dy);
    return inn(t) + dt * dTdt;
  }
};

/// The step of one cell. (A function object: nvcc lets the CPU call a lambda through a pointer
/// only.)
template <class T>
struct step_of_cell {
  view<T, 2> next, now, Ci;
  T lam, dt, _dx, _dy;

  TEFF_INLINE void operator()(index_t ix, index_t iy) const {
    if (ix == 0 || ix == now.extent(0) - 1 || iy == 0 || iy == now.extent(1) - 1) return;
    const T here = now(ix, iy);
    next(ix, iy) =
        here +
        dt *
            (Ci(ix, iy) *
             (-((-lam * (now(ix + 1, iy) - here) * _dx) - (-lam * (here - now(ix - 1, iy)) * _dx)) *
                  _dx -
              ((-lam * (now(ix, iy + 1) - here) * _dy) - (-lam * (here - now(ix, iy - 1)) * _dy)) *
                  _dy));
  }
};

/// `kernel`: the lessons' last version, one cell a thread.
template <class T>
class step_kernel : public one_step<T> {
 public:
  step_kernel(heat_fields<T>& fields, const std::vector<int>& threads) : one_step<T>(fields) {
    launch_shape asked;
    for (std::size_t d = 0; d < 3 && !threads.empty(); ++d)
      asked.n[d] = d < threads.size() ? threads[d] : 1;
    const device dev = fields.on().dev();
    if (dev.is_cuda()) options_.threads = legal_shape(dev, asked, fields.now().shape().n, 2);
  }
  void run() override { launch_step(this->fields_.next(), this->fields_.now()); }
  lab::workload work() const override {
    const traffic ideal = this->fields_.ideal();
    return {ideal, ideal.a_eff_bytes(), 1, 1};
  }
  std::vector<int> threads() const override {
    if (!options_.threads.is_chosen()) return {};
    return {options_.threads.n, options_.threads.n + 2};
  }

 protected:
  void launch_step(const array<T, 2>& next, const array<T, 2>& now) {
    const auto& [lam, dt, _dx, _dy] = this->fields_.numbers();
    launch(this->fields_.on(), now.shape(), options_,
           step_of_cell<T>{next.view(), now.view(), this->fields_.Ci().view(), lam, dt, _dx, _dy});
  }

 private:
  launch_options options_;
};

#ifdef __CUDACC__
/// `replay`: the same launches, one a step, enqueued once and replayed by a CUDA graph.
template <class T>
class replayed_kernel : public step_kernel<T> {
 public:
  explicit replayed_kernel(heat_fields<T>& fields)
      : step_kernel<T>(fields, {}),
        steps_(steps_of_run(schedule::resident, fields.on().dev(), fields.ideal().cells, 2)),
        graph_(fields.on(), [&] {
          for (int pair = 0; pair < steps_ / 2; ++pair) {
            this->launch_step(fields.next(), fields.now());
            this->launch_step(fields.now(), fields.next());
          }
        }) {}
  void run() override { graph_.launch(); }
  lab::check_result check() override { return this->fields_.check(this->fields_.now(), steps_); }
  bool is_repeatable() const override { return false; }
  lab::workload work() const override {
    const traffic ideal = this->fields_.ideal();
    return {ideal, ideal.a_eff_bytes(), steps_, 1};
  }

 private:
  int steps_;
  replayed_graph graph_;
};
#endif

/// Makes the variants.
template <class T>
class prepared_heat : public lab::prepared_case {
 public:
  explicit prepared_heat(const lab::setting& where) : fields_(where) {}
  stream on() const override { return fields_.on(); }
  std::unique_ptr<lab::experiment> make(const std::string& variant,
                                        const lab::tuning& how) override {
    if (variant == "stored") return std::make_unique<stored_fluxes<T>>(fields_);
    if (variant == "fused") return std::make_unique<fused_statement<T>>(fields_);
    if (variant == "kernel") return std::make_unique<step_kernel<T>>(fields_, how.threads);
    if (variant == "stepwise")
      return make_heat_loop(fields_, fields_.solver().step(), schedule::stepwise, 0);
    if (variant == "temporal")
      return make_heat_loop(fields_, fields_.solver().step(), schedule::temporal, how.depth);
    if (variant == "resident")
      return make_heat_loop(fields_, fields_.solver().step(), schedule::resident, 0);
#ifdef __CUDACC__
    if (variant == "replay") return std::make_unique<replayed_kernel<T>>(fields_);
#endif
    if (variant == "factored") return make_factored_heat(fields_, how.depth);
    throw error("no variant '" + variant + "' of diffusion2d");
  }

 private:
  heat_fields<T> fields_;
};

std::unique_ptr<lab::prepared_case> prepare_diffusion2d(const lab::setting& where) {
  return for_type<f64, f32>(where.type, [&](auto example) {
    return make_prepared<prepared_heat<decltype(example)>>(where);
  });
}

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
          {.name = "stepwise",
           .about = "the four lines as a time step, one step per pass",
           .gain = "the library runs the loop: two buffers take turns, and it knows what a step "
                   "reads and writes"},
          {.name = "temporal",
           .about = "the same time step, several steps per pass, the same bits",
           .takes = lab::knob::depth,
           .gain = "cells stay in registers for several steps, so memory moves once for all of "
                   "them, and the ceiling of one pass is no limit",
           .cpu_gain = "strips stay in the cache for several steps, so memory moves once for all "
                       "of them, and the ceiling of one pass is no limit"},
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
          {.name = "resident",
           .about = "small grids: all steps in one launch, fields stay on the chip, the same bits",
           .runs = lab::place::cuda,
           .takes_small = true,
           .is_for_ladder_only = true}};
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
          .best = "temporal",
          .variants = heat_variants(),
          .prepare = prepare_diffusion2d};
}

}  // namespace teff::bench

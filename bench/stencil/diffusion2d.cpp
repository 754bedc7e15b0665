// SPDX-License-Identifier: MIT
#include <teff/array/host_copy.hpp>
#include <teff/base/error.hpp>
#include <teff/kernel/launch.hpp>
#include <teff/solver/diffusion.hpp>

#include <bench/compare_cells.hpp>
#include <bench/for_type.hpp>
#include <bench/stencil/diffusion2d.hpp>
#include <bench/stencil/diffusion2d_fields.hpp>
#include <bench/stencil/step_loop.hpp>

namespace teff::bench {

namespace {

/// Fields on the device: those of the solver, and a second temperature for variants that step from
/// `now` to `next`.
template <class T>
class heat_fields : public lab::prepared_case {
 public:
  explicit heat_fields(const lab::setting& where)
      : on_(where.dev),
        shape_(where.shape),
        solver_(on_, {shape_[0], shape_[1]}),
        next_(on_, {shape_[0], shape_[1]}, "T2"),
        reference_(shape_[0], shape_[1]),
        comparer_(on_) {
    Ci() = from_host(reference_.Ci());
  }

  stream on() const override { return on_; }
  std::unique_ptr<lab::experiment> make(const std::string& variant,
                                        const lab::tuning& how) override;

  array<T, 2>& now() { return solver_.temperature(); }
  array<T, 2>& next() { return next_; }
  array<T, 2>& Ci() { return solver_.inverse_capacity(); }
  diffusion2d<T>& solver() { return solver_; }
  const naive::diffusion2d_numbers<T>& numbers() const { return reference_.numbers(); }
  iterate_report run(const iterate_options& options) { return solver_.run(options); }
  step_plan plan(const iterate_options& options) {
    return plan_of(solver_.step(), options, now(), Ci());
  }
  /// A_eff of a step: 2 D_u + D_k.
  traffic ideal() { return run({.steps = 0}).per_step(); }

  void reset() {
    now() = from_host(reference_.start());
    next_ = now();
    fd2::inn(next_) = poison<T>();
  }
  lab::check_result check(const array<T, 2>& result, int steps) {
    return comparer_.compare(result.data(), reference_.after(steps), reference_.tolerance(steps),
                             shape_);
  }
  lab::check_result check(int steps) { return check(now(), steps); }
  /// True if every bit of the temperature is that of so many steps with one step per pass.
  bool has_bits_of_stepwise(int steps) {
    std::vector<T>& bits = stepwise_[steps];
    if (bits.empty()) {
      const array<T, 2> result = now();
      now() = from_host(reference_.start());
      run({.steps = steps, .schedule = schedule::stepwise});
      bits = to_host(now());
      now() = result;
    }
    return comparer_.differing_bits(now().data(), bits) == 0;
  }

 private:
  stream on_;
  std::vector<index_t> shape_;
  diffusion2d<T> solver_;
  array<T, 2> next_;
  diffusion2d_reference<T> reference_;
  std::map<int, std::vector<T>> stepwise_;
  cell_comparer comparer_;
};

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
  void run() override {
    auto& f = this->fields_;
    const auto& [lam, dt, _dx, _dy] = f.numbers();
    launch(f.on(), f.now().shape(), options_,
           step_of_cell<T>{f.next().view(), f.now().view(), f.Ci().view(), lam, dt, _dx, _dy});
  }
  lab::workload work() const override {
    const traffic ideal = this->fields_.ideal();
    return {ideal, ideal.a_eff_bytes(), 1, 1};
  }
  std::vector<int> threads() const override {
    if (!options_.threads.is_chosen()) return {};
    return {options_.threads.n, options_.threads.n + 2};
  }

 private:
  launch_options options_;
};

template <class T>
std::unique_ptr<lab::experiment> heat_fields<T>::make(const std::string& variant,
                                                      const lab::tuning& how) {
  if (variant == "stored") return std::make_unique<stored_fluxes<T>>(*this);
  if (variant == "fused") return std::make_unique<fused_statement<T>>(*this);
  if (variant == "kernel") return std::make_unique<step_kernel<T>>(*this, how.threads);
  if (variant == "stepwise")
    return std::make_unique<step_loop<heat_fields>>(*this, schedule::stepwise, 0);
  if (variant == "temporal")
    return std::make_unique<step_loop<heat_fields>>(*this, schedule::temporal, how.depth);
  throw error("no variant '" + variant + "' of diffusion2d");
}

std::unique_ptr<lab::prepared_case> prepare_diffusion2d(const lab::setting& where) {
  return for_type<f64, f32>(where.type, [&](auto example) {
    return make_prepared<heat_fields<decltype(example)>>(where);
  });
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
          .arrays = 10,
          .best = "temporal",
          .variants = {{"stored", "four array statements that store fluxes and rate of change"},
                       {"fused", "the same four lines, lazy: one statement, nothing stored"},
                       {"kernel", "a launch with one cell a thread", lab::knob::threads},
                       {"stepwise", "the four lines as a time step, one step per pass"},
                       {"temporal", "the same time step, several steps per pass, the same bits",
                        lab::knob::depth}},
          .prepare = prepare_diffusion2d};
}

}  // namespace teff::bench

// SPDX-License-Identifier: MIT
#include <algorithm>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <teff/array/host_copy.hpp>
#include <teff/expr/fd3.hpp>
#include <teff/kernel/launch.hpp>
#include <teff/stencil/iterate.hpp>

#include <bench/compare_cells.hpp>
#include <bench/for_type.hpp>
#include <bench/host_values.hpp>
#include <bench/naive/diffusion3d.hpp>
#include <bench/stencil/diffusion3d.hpp>
#include <bench/stencil/step_loop.hpp>

namespace teff::bench {

namespace {

using namespace fd3;

/// A cube of 10 by 10 by 10; dt is the largest stable step over 6.1 / 6.
template <class T>
naive::diffusion3d_numbers<T> diffusion3d_numbers(const std::vector<index_t>& n) {
  const auto spacing = [&](std::size_t d) { return 10.0 / static_cast<double>(n[d] - 1); };
  const double dx = spacing(0), dy = spacing(1), dz = spacing(2), lam = 1, c0 = 2;
  const double dt = std::min({dx * dx, dy * dy, dz * dz}) / lam / (1 / c0) / 6.1;
  return {static_cast<T>(lam), static_cast<T>(dt), static_cast<T>(1 / (dx * dx)),
          static_cast<T>(1 / (dy * dy)), static_cast<T>(1 / (dz * dz))};
}

/// The new temperature of the inner cells, of arrays or of a time step's fields.
template <class F, class K, class T>
auto heated(const F& t, const K& Ci, const naive::diffusion3d_numbers<T>& p) {
  return inn(t) +
         p.dt * (p.lam * inn(Ci) * (d2_xi(t) * p._dx2 + d2_yi(t) * p._dy2 + d2_zi(t) * p._dz2));
}

/// Random fields, as in diffusion2d: temperatures in [0, 1), 1/c between 1/4 and 1/2.
template <class T>
class heat_fields3 : public lab::prepared_case {
 public:
  explicit heat_fields3(const lab::setting& where)
      : on_(where.dev),
        shape_(checked(where.shape)),
        numbers_(diffusion3d_numbers<T>(shape_)),
        now_(on_, {shape_[0], shape_[1], shape_[2]}, "T"),
        next_(on_, now_.shape(), "T2"),
        Ci_(on_, now_.shape(), "Ci"),
        comparer_(on_) {
    const auto cells = static_cast<std::size_t>(now_.size());
    start_ = random_values<T>(cells, 7);
    Ci_host_ = random_values<T>(cells, 8);
    for (T& value : Ci_host_) value = static_cast<T>(0.25) * (1 + value);
    Ci_ = from_host(Ci_host_);
    after_ = start_;
  }

  stream on() const override { return on_; }
  std::unique_ptr<lab::experiment> make(const std::string& variant,
                                        const lab::tuning& how) override;

  array<T, 3>& now() { return now_; }
  array<T, 3>& next() { return next_; }
  array<T, 3>& Ci() { return Ci_; }
  const naive::diffusion3d_numbers<T>& numbers() const { return numbers_; }

  /// The step of the temperature, as a user writes it.
  auto heat() const {
    return timestep([p = numbers_](auto t, auto Ci) { return update(inn(t), heated(t, Ci, p)); });
  }
  iterate_report run(const iterate_options& options) { return iterate(heat(), options, now_, Ci_); }
  step_plan plan(const iterate_options& options) { return plan_of(heat(), options, now_, Ci_); }
  /// A_eff of a step: 2 D_u + D_k.
  traffic ideal() { return run({.steps = 0}).per_step(); }

  void reset() {
    now_ = from_host(start_);
    next_ = now_;
    inn(next_) = poison<T>();
  }
  /// A step is a weighted mean of values below 1, with under 32 roundings, in whatever order.
  lab::check_result check(const array<T, 3>& result, int steps) {
    const double tolerance = 32.0 * steps * static_cast<double>(std::numeric_limits<T>::epsilon());
    return comparer_.compare(result.data(), after(steps), tolerance, shape_);
  }
  lab::check_result check(int steps) { return check(now_, steps); }
  /// True if every bit of the temperature is that of so many steps with one step per pass.
  bool has_bits_of_stepwise(int steps) {
    const std::vector<T> result = to_host(now_);
    reset();
    run({.steps = steps, .schedule = schedule::stepwise});
    return comparer_.differing_bits(now_.data(), result) == 0;
  }

 private:
  static const std::vector<index_t>& checked(const std::vector<index_t>& shape) {
    if (*std::ranges::min_element(shape) < 3)
      throw error(failure::usage, "diffusion3d needs at least 3 points along each dim, got " +
                                      lab::shape_text(shape));
    return shape;
  }
  /// By the serial loops; those of the last call are kept.
  const std::vector<T>& after(int steps) {
    if (steps < after_steps_) {
      after_ = start_;
      after_steps_ = 0;
    }
    for (std::vector<T> next = after_; after_steps_ < steps; ++after_steps_) {
      naive::diffusion3d_step(next, after_, Ci_host_, static_cast<std::size_t>(shape_[0]),
                              static_cast<std::size_t>(shape_[1]),
                              static_cast<std::size_t>(shape_[2]), numbers_);
      after_.swap(next);
    }
    return after_;
  }

  stream on_;
  std::vector<index_t> shape_;
  naive::diffusion3d_numbers<T> numbers_;
  array<T, 3> now_, next_, Ci_;
  std::vector<T> start_, Ci_host_, after_;
  int after_steps_ = 0;
  cell_comparer comparer_;
};

template <class T>
class heat_experiment3 : public lab::experiment {
 public:
  explicit heat_experiment3(heat_fields3<T>& fields) : fields_(fields) {}
  void reset() override { fields_.reset(); }
  lab::check_result check() override { return fields_.check(fields_.next(), 1); }
  lab::workload work() const override {
    const traffic ideal = fields_.ideal();
    return {ideal, ideal.a_eff_bytes(), 1, 1};
  }

 protected:
  heat_fields3<T>& fields_;
};

/// `fused`: one statement from T to T2.
template <class T>
class heat_statement3 : public heat_experiment3<T> {
 public:
  using heat_experiment3<T>::heat_experiment3;
  void run() override { target() = step(); }
  lab::workload work() const override {
    return {this->fields_.ideal(), traffic_of(target(), step()).a_eff_bytes(), 1, 1};
  }

 private:
  array_ref<T, 3> target() const { return inn(this->fields_.next()); }
  auto step() const {
    auto& f = this->fields_;
    return heated(f.now(), f.Ci(), f.numbers());
  }
};

/// The step of one cell.
template <class T>
struct step_of_cell3 {
  view<T, 3> next, now, Ci;
  naive::diffusion3d_numbers<T> p;

  TEFF_INLINE void operator()(index_t i, index_t j, index_t k) const {
    if (i == 0 || i == now.extent(0) - 1 || j == 0 || j == now.extent(1) - 1 || k == 0 ||
        k == now.extent(2) - 1)
      return;
    const T here = now(i, j, k);
    const T d2x = (now(i + 1, j, k) - here) - (here - now(i - 1, j, k));
    const T d2y = (now(i, j + 1, k) - here) - (here - now(i, j - 1, k));
    const T d2z = (now(i, j, k + 1) - here) - (here - now(i, j, k - 1));
    next(i, j, k) =
        here + p.dt * (p.lam * Ci(i, j, k) * (d2x * p._dx2 + d2y * p._dy2 + d2z * p._dz2));
  }
};

/// `kernel`: a launch with one cell a thread.
template <class T>
class heat_kernel3 : public heat_experiment3<T> {
 public:
  using heat_experiment3<T>::heat_experiment3;
  void run() override {
    auto& f = this->fields_;
    launch(f.on(), f.now().shape(),
           step_of_cell3<T>{f.next().view(), f.now().view(), f.Ci().view(), f.numbers()});
  }
};

template <class T>
std::unique_ptr<lab::experiment> heat_fields3<T>::make(const std::string& variant,
                                                       const lab::tuning& how) {
  if (variant == "fused") return std::make_unique<heat_statement3<T>>(*this);
  if (variant == "kernel") return std::make_unique<heat_kernel3<T>>(*this);
  if (variant == "stepwise")
    return std::make_unique<step_loop<heat_fields3>>(*this, schedule::stepwise, 0);
  if (variant == "temporal")
    return std::make_unique<step_loop<heat_fields3>>(*this, schedule::temporal, how.depth);
  throw error("no variant '" + variant + "' of diffusion3d");
}

std::unique_ptr<lab::prepared_case> prepare_diffusion3d(const lab::setting& where) {
  return for_type<f64, f32>(where.type, [&](auto example) {
    return make_prepared<heat_fields3<decltype(example)>>(where);
  });
}

}  // namespace

lab::bench_case diffusion3d_case() {
  return {.name = "diffusion3d",
          .about = "3-D heat diffusion with a coefficient by cell, one and several steps per pass",
          .axes = "a shape of three extents",
          .types = {"f64", "f32"},
          .least_rank = 3,
          .most_rank = 3,
          .cpu_shape = {384, 384, 384},
          .cuda_shape = {512, 512, 512},
          .arrays = 6,
          .best = "temporal",
          .variants = {{"kernel", "a launch with one cell a thread"},
                       {"fused", "one array statement from T to T2"},
                       {"stepwise", "the same formula as a time step, one step per pass"},
                       {"temporal", "the same time step, several steps per pass, the same bits",
                        lab::knob::depth}},
          .prepare = prepare_diffusion3d};
}

}  // namespace teff::bench

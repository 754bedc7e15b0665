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
  return inn(t) + p.dt * (p.lam * inn(Ci) *
                          (d2_xi(t) * p._dx2 + d2_yi(t) * p._dy2 + d2_zi(t) * p._dz2));
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
    std::vector<T> Ci = random_values<T>(cells, 8);
    for (T& value : Ci) value = static_cast<T>(0.25) * (1 + value);
    Ci_ = from_host(Ci);
    after_one_ = after_two_ = start_;
    step(after_one_, start_, Ci);
    step(after_two_, after_one_, Ci);
  }

  stream on() const override { return on_; }
  std::unique_ptr<lab::experiment> make(const std::string& variant,
                                        const lab::tuning& how) override;

  array<T, 3>& now() { return now_; }
  array<T, 3>& next() { return next_; }
  array<T, 3>& Ci() { return Ci_; }
  const naive::diffusion3d_numbers<T>& numbers() const { return numbers_; }

  /// `steps` steps of the temperature, as a user writes them.
  iterate_report run(index_t steps) {
    const naive::diffusion3d_numbers<T> p = numbers_;
    const auto heat = timestep([=](auto t, auto Ci) { return update(inn(t), heated(t, Ci, p)); });
    return iterate(heat, {.steps = steps, .schedule = schedule::stepwise}, now_, Ci_);
  }
  /// A_eff of a step: 2 D_u + D_k.
  traffic ideal() { return run(0).per_step(); }

  void reset() {
    now_ = from_host(start_);
    next_ = now_;
    inn(next_) = poison<T>();
  }
  /// A step is a weighted mean of values below 1, with under 32 roundings, in whatever order.
  lab::check_result check(const array<T, 3>& result, int steps) {
    const double tolerance = 32.0 * steps * static_cast<double>(std::numeric_limits<T>::epsilon());
    return comparer_.compare(result.data(), steps == 1 ? after_one_ : after_two_, tolerance,
                             shape_);
  }

 private:
  static const std::vector<index_t>& checked(const std::vector<index_t>& shape) {
    if (*std::ranges::min_element(shape) < 3)
      throw error(failure::usage, "diffusion3d needs at least 3 points along each dim, got " +
                                      lab::shape_text(shape));
    return shape;
  }
  void step(std::vector<T>& now, const std::vector<T>& old, const std::vector<T>& Ci) const {
    naive::diffusion3d_step(now, old, Ci, static_cast<std::size_t>(shape_[0]),
                            static_cast<std::size_t>(shape_[1]),
                            static_cast<std::size_t>(shape_[2]), numbers_);
  }

  stream on_;
  std::vector<index_t> shape_;
  naive::diffusion3d_numbers<T> numbers_;
  array<T, 3> now_, next_, Ci_;
  std::vector<T> start_, after_one_, after_two_;
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

/// `stepwise`: the same formula as a time step. Two steps end in the field itself, without a copy.
template <class T>
class heat_loop3 : public heat_experiment3<T> {
 public:
  using heat_experiment3<T>::heat_experiment3;
  void run() override { this->fields_.run(2); }
  lab::check_result check() override { return this->fields_.check(this->fields_.now(), 2); }
  bool is_repeatable() const override { return false; }  // every run goes on from the last
  lab::workload work() const override {
    lab::workload w = heat_experiment3<T>::work();
    w.steps_per_run = 2;
    return w;
  }
};

template <class T>
std::unique_ptr<lab::experiment> heat_fields3<T>::make(const std::string& variant,
                                                       const lab::tuning&) {
  if (variant == "fused") return std::make_unique<heat_statement3<T>>(*this);
  if (variant == "kernel") return std::make_unique<heat_kernel3<T>>(*this);
  if (variant == "stepwise") return std::make_unique<heat_loop3<T>>(*this);
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
          .about = "3-D heat diffusion: the 7-point statement, one step per pass",
          .axes = "a shape of three extents",
          .types = {"f64", "f32"},
          .least_rank = 3,
          .most_rank = 3,
          .cpu_shape = {384, 384, 384},
          .cuda_shape = {512, 512, 512},
          .arrays = 6,
          .best = "stepwise",
          .variants = {{"kernel", "a launch with one cell a thread"},
                       {"fused", "one array statement from T to T2"},
                       {"stepwise", "the same formula as a time step, one step per pass"}},
          .prepare = prepare_diffusion3d};
}

}  // namespace teff::bench

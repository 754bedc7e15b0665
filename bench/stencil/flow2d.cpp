// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <teff/kernel/launch.hpp>
#include <teff/solver/pressure.hpp>
#include <teff/solver/wave.hpp>

#include <bench/naive/pressure2d.hpp>
#include <bench/naive/wave2d.hpp>
#include <bench/stencil/flow2d.hpp>
#include <bench/stencil/step_case.hpp>

namespace teff::bench {

namespace {

/// Pressures at cell centres, and a field at faces along x and one along y. All random, because
/// smooth data would let a wrong neighbour pass.
template <class T>
class staggered_problem {
 public:
  using value_type = T;
  static constexpr int rank = 2, fields = 3, evolving = 3;

  explicit staggered_problem(const std::vector<index_t>& shape) : shape_(shape) {
    if (std::min(shape[0], shape[1]) < 2)
      throw error(failure::usage,
                  "this step needs at least 2 cells along each dim, got " + lab::shape_text(shape));
  }
  std::vector<index_t> extents(int field) const {
    return {shape_[0] + (field == 1 ? 1 : 0), shape_[1] + (field == 2 ? 1 : 0)};
  }
  /// Pressures in [0, 1); at inner faces a tenth of that, at the border 0.
  std::vector<T> start(int field) const {
    const std::vector<index_t> n = extents(field);
    std::vector<T> values = random_values<T>(static_cast<std::size_t>(n[0] * n[1]),
                                             static_cast<std::uint64_t>(11 + field));
    if (field == 0) return values;
    const int dim = field - 1;
    for (index_t j = 0; j < n[1]; ++j)
      for (index_t i = 0; i < n[0]; ++i) {
        const index_t at = dim == 0 ? i : j;
        T& value = values[static_cast<std::size_t>(i + n[0] * j)];
        value = at == 0 || at == n[static_cast<std::size_t>(dim)] - 1 ? T(0) : value / 10;
      }
    return values;
  }
  /// The values stay of the order of 1, with under 32 roundings a step.
  double tolerance(int steps) const {
    return 64.0 * steps * static_cast<double>(std::numeric_limits<T>::epsilon());
  }

 protected:
  std::size_t nx() const { return static_cast<std::size_t>(shape_[0]); }
  std::size_t ny() const { return static_cast<std::size_t>(shape_[1]); }

  std::vector<index_t> shape_;
};

/// The lessons' two kernels of an iteration, by cell: both fluxes, then the pressure.
template <class T>
struct flux_of_cell {
  view<T, 2> Pf, qx, qy;
  T k_dx, k_dy, _1_theta;

  TEFF_INLINE void operator()(index_t ix, index_t iy) const {
    if (ix > 0 && ix < Pf.extent(0) && iy < Pf.extent(1))
      qx(ix, iy) -= (qx(ix, iy) + k_dx * (Pf(ix, iy) - Pf(ix - 1, iy))) * _1_theta;
    if (iy > 0 && iy < Pf.extent(1) && ix < Pf.extent(0))
      qy(ix, iy) -= (qy(ix, iy) + k_dy * (Pf(ix, iy) - Pf(ix, iy - 1))) * _1_theta;
  }
};
template <class T>
struct pressure_of_cell {
  view<T, 2> Pf, qx, qy;
  T _dx, _dy, _beta;

  TEFF_INLINE void operator()(index_t ix, index_t iy) const {
    Pf(ix, iy) -=
        ((qx(ix + 1, iy) - qx(ix, iy)) * _dx + (qy(ix, iy + 1) - qy(ix, iy)) * _dy) * _beta;
  }
};

/// The lessons' numbers for a square of 20 by 20, written out once more: the solver's must agree.
template <class T>
class pressure_problem : public staggered_problem<T> {
 public:
  explicit pressure_problem(const std::vector<index_t>& shape) : staggered_problem<T>(shape) {
    const double l = 20, dx = l / static_cast<double>(shape[0]),
                 dy = l / static_cast<double>(shape[1]);
    const double cfl = 1 / std::sqrt(2.1), re = 2 * std::numbers::pi, d = std::min(dx, dy);
    numbers_ = {T(1), static_cast<T>(l / re / cfl / d), static_cast<T>(re / (cfl * d * l)),
                static_cast<T>(dx), static_cast<T>(dy)};
  }
  auto step() const {
    const auto& [k, theta, beta, dx, dy] = numbers_;
    return pressure::step2d(k, theta, beta, dx, dy);
  }
  /// The first kernel reads the pressure and reads and writes the fluxes, the second the other way
  /// round: 9 arrays for the 6 of A_eff.
  static constexpr double launched_per_a_eff = 1.5;
  void launch_step(const stream& on, const array<T, 2>& Pf, const array<T, 2>& qx,
                   const array<T, 2>& qy) const {
    const auto& [k, theta, beta, dx, dy] = numbers_;
    launch(on, teff::extents<2>(Pf.extent(0) + 1, Pf.extent(1) + 1),
           flux_of_cell<T>{Pf.view(), qx.view(), qy.view(), k / dx, k / dy, 1 / (1 + theta)});
    launch(on, Pf.shape(),
           pressure_of_cell<T>{Pf.view(), qx.view(), qy.view(), 1 / dx, 1 / dy, 1 / beta});
  }
  void advance(std::vector<std::vector<T>>& f, int steps) const {
    naive::pressure2d(f[0], f[1], f[2], this->nx(), this->ny(), numbers_, steps);
  }

 private:
  naive::pressure2d_numbers<T> numbers_;
};

/// Sound at 0.9 of the stability limit in a square of 10 by 10.
template <class T>
class wave_problem : public staggered_problem<T> {
 public:
  explicit wave_problem(const std::vector<index_t>& shape) : staggered_problem<T>(shape) {
    const double dx = 10 / static_cast<double>(shape[0]), dy = 10 / static_cast<double>(shape[1]);
    numbers_ = {T(1), T(1), static_cast<T>(0.9 * std::min(dx, dy) / std::numbers::sqrt2),
                static_cast<T>(dx), static_cast<T>(dy)};
  }
  auto step() const {
    const auto& [rho, K, dt, dx, dy] = numbers_;
    return wave::in2d::step(rho, K, dt, dx, dy);
  }
  void advance(std::vector<std::vector<T>>& f, int steps) const {
    naive::wave2d(f[0], f[1], f[2], this->nx(), this->ny(), numbers_, steps);
  }

 private:
  naive::wave2d_numbers<T> numbers_;
};

template <template <class> class Problem>
std::unique_ptr<lab::prepared_case> prepare_flow(const lab::setting& where) {
  return for_type<f64, f32>(where.type, [&](auto example) {
    return make_prepared<step_fields<Problem<decltype(example)>>>(where);
  });
}

/// Rungs from loops to several steps per pass. @param with_kernel the problem has launch_step
std::vector<lab::variant> flow_variants(bool with_kernel) {
  std::vector<lab::variant> rungs = {
      {.name = "loop",
       .about = "plain loops over vectors, one for each unknown, on all cores",
       .runs = lab::place::cpu,
       .gain = "where one begins: a loop for each unknown, three passes over memory a step",
       .is_for_ladder_only = true}};
  if (with_kernel)
    rungs.push_back({.name = "kernel",
                     .about = "two launches with one cell a thread: both fluxes, then the pressure",
                     .gain = "the lessons' two kernels: fluxes and pressure each go through memory "
                             "once as unknowns and once as what the other kernel reads",
                     .is_for_ladder_only = true});
  rungs.push_back(
      {.name = "stepwise",
       .about = "the stages as a time step, one step per pass",
       .gain = "as formulas: a statement for each stage, made by the library, in place"});
  rungs.push_back(
      {.name = "fused",
       .about = "the same time step, one step per pass with all stages at once, the same bits",
       .gain = "all stages in one pass: every unknown is read and written once a step, and what a "
               "stage makes of a cell is computed again where the next one reads it",
       .cpu_gain = "all stages in one pass: unknowns stay in the cache from stage to stage"});
  rungs.push_back(
      {.name = "temporal",
       .about = "the same time step, several steps per pass, the same bits",
       .takes = lab::knob::depth,
       .gain = "all stages of several steps in one pass: unknowns stay in registers from stage to "
               "stage and step to step",
       .cpu_gain = "all stages of several steps in one pass: unknowns stay in the cache from stage "
                   "to stage and step to step"});
  rungs.push_back(resident_variant());
  return rungs;
}

lab::bench_case flow_case(std::string name, std::string about, bool with_kernel) {
  return {.name = std::move(name),
          .about = std::move(about),
          .axes = "a shape of two extents, in cells",
          .types = {"f64", "f32"},
          .least_rank = 2,
          .most_rank = 2,
          .cpu_shape = {8191, 8191},
          .cuda_shape = {16383, 16383},
          .small_shape = {511, 511},
          .sweep_less = 1,
          .arrays = 14,
          .best = "temporal",
          .variants = flow_variants(with_kernel)};
}

}  // namespace

lab::bench_case pressure2d_case() {
  lab::bench_case c =
      flow_case("pressure2d", "2-D fluid pressure: three unknowns, three stages a step", true);
  c.prepare = prepare_flow<pressure_problem>;
  return c;
}
lab::bench_case wave2d_case() {
  lab::bench_case c =
      flow_case("wave2d", "2-D sound: pressure and velocities, three stages a step", false);
  c.prepare = prepare_flow<wave_problem>;
  return c;
}

}  // namespace teff::bench

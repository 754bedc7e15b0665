// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <numbers>

#include <teff/kernel/launch.hpp>
#include <teff/solver/pressure.hpp>

#include <bench/grid/grid_case.hpp>
#include <bench/naive/pressure2d.hpp>
#include <bench/stencil/flow2d.hpp>
#include <bench/stencil/flow_case.hpp>
#include <bench/stencil/staggered_problem.hpp>

namespace teff::bench {

namespace {

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
class pressure_problem : public staggered_problem<T, 2> {
 public:
  explicit pressure_problem(const std::vector<index_t>& shape) : staggered_problem<T, 2>(shape) {
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
    naive::pressure2d(f[0], f[1], f[2], this->n(0), this->n(1), numbers_, steps);
  }

 private:
  naive::pressure2d_numbers<T> numbers_;
};

}  // namespace

lab::bench_case pressure2d_case() {
  lab::bench_case c =
      flow_case("pressure2d", "2-D fluid pressure: three unknowns, three stages a step", true);
  c.prepare = prepare_steps<pressure_problem>;
  return c;
}

// Here, because compiling the step's kernels once more takes longer than all the rest of the case.
lab::bench_case grid_pressure2d_case() {
  lab::bench_case c =
      grid_case("grid_pressure2d", "pressure2d on a grid that ranks share: halos of three unknowns",
                {8191, 8191}, 22);
  c.prepare = prepare_on_grid<pressure_problem>;
  return c;
}

}  // namespace teff::bench

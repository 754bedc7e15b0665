// SPDX-License-Identifier: MIT
#include <algorithm>
#include <numbers>

#include <teff/solver/wave.hpp>

#include <bench/naive/wave2d.hpp>
#include <bench/stencil/flow2d.hpp>
#include <bench/stencil/flow_case.hpp>
#include <bench/stencil/staggered_problem.hpp>

namespace teff::bench {

namespace {

/// Sound at 0.9 of the stability limit in a square of 10 by 10.
template <class T>
class wave_problem : public staggered_problem<T, 2> {
 public:
  explicit wave_problem(const std::vector<index_t>& shape) : staggered_problem<T, 2>(shape) {
    const double dx = 10 / static_cast<double>(shape[0]), dy = 10 / static_cast<double>(shape[1]);
    numbers_ = {T(1), T(1), static_cast<T>(0.9 * std::min(dx, dy) / std::numbers::sqrt2),
                static_cast<T>(dx), static_cast<T>(dy)};
  }
  auto step() const {
    const auto& [rho, K, dt, dx, dy] = numbers_;
    return wave::in2d::step(rho, K, dt, dx, dy);
  }
  void advance(std::vector<std::vector<T>>& f, int steps) const {
    naive::wave2d(f[0], f[1], f[2], this->n(0), this->n(1), numbers_, steps);
  }

 private:
  naive::wave2d_numbers<T> numbers_;
};

}  // namespace

lab::bench_case wave2d_case() {
  lab::bench_case c =
      flow_case("wave2d", "2-D sound: pressure and velocities, three stages a step", false);
  c.prepare = prepare_steps<wave_problem>;
  return c;
}

}  // namespace teff::bench

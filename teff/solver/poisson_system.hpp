// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include <teff/algo/reduce.hpp>
#include <teff/algo/reduce/storing.hpp>
#include <teff/solver/multigrid.hpp>
#include <teff/solver/poisson_loop.hpp>

/// Cells and conductances as a system of equations: its V-cycles and conjugate gradients.
namespace teff::inline TEFF_MODE::detail {

/// What is asked of it, however it was compiled.
template <rounded::real R, int N>
class system_of_cells : public runtime::poisson_system {
 public:
  /// With u = 0 beyond the sides. @shape the cells
  virtual array_ref<R, N> u() = 0;
  virtual array_ref<R, N> f() = 0;
  virtual void cycle() = 0;
  virtual traffic per_cycle() const = 0;
};

/// @tparam Way as of multigrid
template <rounded::real R, int N, class Way = cycles_on_device>
class conduction_system final : public system_of_cells<R, N> {
 public:
  using norms = runtime::poisson_system::norms;

  conduction_system(conductances<R, N> faces, bool is_singular)
      : grid_(std::move(faces), is_singular) {}

  array_ref<R, N> u() override { return inner(grid_.u()); }
  array_ref<R, N> f() override { return grid_.f(); }

  norms begin() override {
    const scalar<R> of_zero = norm2(f()), left = grid_.residual_norm();
    return {of_zero, left};
  }
  double largest_f() override { return static_cast<double>(max_abs(f())); }
  void clear() override { fill(grid_.u(), 0); }
  double residual() override { return grid_.residual_norm(); }
  double rounding() override {
    return std::numeric_limits<R>::epsilon() *
           static_cast<double>(norm2(grid_.faces().diagonal() * u()));
  }
  std::vector<double> cycles(index_t most, const runtime::cycle_rule& rule) override {
    return grid_.cycles(most, rule);
  }
  void cycle() override { grid_.cycle(); }
  traffic per_cycle() const override { return grid_.per_cycle(); }

  void start_gradients(bool by_cycles) override {
    const stream& on = f().on();
    if (!cg_) cg_ = std::make_unique<gradients>(on, f().shape(), grid_.u().shape());
    cg_->by_cycles = by_cycles;
    cg_->x = u();
    cg_->f = f();
    f() = grid_.residual();
    precondition();
    inner(cg_->p) = u();
    repeat(cg_->p, grid_.faces().is_periodic);
    cg_->zr = dot(u(), f()).cell();
  }
  /// Numbers stay on the device; where p.Ap is not positive, x and f stay as they are.
  /// @sync waits once
  /// @traffic a V-cycle, and of other arrays 13 reads, 4 writes: p | x, p | r | r, p | z, r | z,
  /// old | z, p; with the conductances where A p is computed. The factor beta is that of Polak and
  /// Ribiere, as a V-cycle is not a symmetric preconditioner.
  double iterate_gradients() override {
    gradients& c = *cg_;
    const array_ref<R, N> p = inner(c.p);
    const auto Ap = grid_.faces().outflow(c.p);
    const array_ref<R, 1> pAp = dot(p, Ap).cell();
    c.alpha = where(pAp > R(0), c.zr / pAp, R(0));
    const fetched_scalar<R> alpha(c.alpha), beta(c.beta);
    c.x = c.x + alpha * p;
    c.old = f();
    f() = f() - alpha * Ap;
    precondition();
    const array_ref<R, 1> zr = dot(u(), f()).cell(), change = dot(u(), c.old).cell();
    c.beta = (zr - change) / c.zr;
    c.zr = zr;
    p = u() + beta * p;
    repeat(c.p, grid_.faces().is_periodic);
    return norm2(where(alpha != R(0), f(), std::numeric_limits<R>::quiet_NaN()));
  }
  void end_gradients() override {
    fill(grid_.u(), 0);
    u() = cg_->x;
    f() = cg_->f;
  }

 private:
  struct gradients {
    gradients(const stream& on, const extents<N>& cells, const extents<N>& padded)
        : x(on, cells, "x"),
          f(on, cells, "f"),
          old(on, cells, "r"),
          p(zeros<R>(on, padded, "p")),
          zr(on, {1}, "z.r"),
          alpha(on, {1}, "alpha"),
          beta(on, {1}, "beta") {}
    array<R, N> x, f, old, p;
    array<R, 1> zr, alpha, beta;
    bool by_cycles = true;
  };

  /// u = what is left to do, about, of the residual f.
  void precondition() {
    if (!cg_->by_cycles) {
      u() = f() / grid_.faces().diagonal();
      return;
    }
    fill(grid_.u(), 0);
    grid_.cycle();
  }

  multigrid<R, N, Way> grid_;
  std::unique_ptr<gradients> cg_;
};

}  // namespace teff::inline TEFF_MODE::detail

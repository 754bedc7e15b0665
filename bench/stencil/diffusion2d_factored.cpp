// SPDX-License-Identifier: MIT
#include <teff/expr/fd2.hpp>

#include <bench/stencil/diffusion2d_problem.hpp>

namespace teff::bench {

/// The heat step with its constants multiplied together by hand: 2 products for 8.
template <class T>
std::unique_ptr<lab::experiment> make_factored_heat(step_fields<diffusion2d_problem<T>>& fields,
                                                    int depth) {
  const auto& [lam, dt, _dx, _dy] = fields.problem().numbers();
  const T cx = dt * lam * _dx * _dx, cy = dt * lam * _dy * _dy;
  const auto step = timestep([=](auto T_, auto Ci) {
    using namespace fd2;
    return update(inn(T_), inn(T_) + inn(Ci) * (cx * d2_xi(T_) + cy * d2_yi(T_)));
  });
  return make_step_loop(fields, step, schedule::temporal, depth, "single steps of this formula");
}

template std::unique_ptr<lab::experiment> make_factored_heat(step_fields<diffusion2d_problem<f64>>&,
                                                             int);
template std::unique_ptr<lab::experiment> make_factored_heat(step_fields<diffusion2d_problem<f32>>&,
                                                             int);

}  // namespace teff::bench

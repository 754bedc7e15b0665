// SPDX-License-Identifier: MIT
#include <memory>
#include <utility>

#include <teff/solver/poisson.hpp>

/// What poisson.hpp makes of points in two dims, for programs in C++: most of them have no other
/// use of it, and it takes longer to compile than they do.
namespace teff::inline TEFF_MODE {

template class conjugate_gradients_solver<f64, 2, detail::laplacian_at_points<f64>>;
template class conjugate_gradients_solver<f32, 2, detail::laplacian_at_points<f32>>;

namespace detail {

namespace {

template <rounded::real R>
auto made_of(conductances<R, 2> faces) {
  return std::make_unique<conduction_system<R, 2, separable_cycles_on_device>>(std::move(faces),
                                                                               false);
}

}  // namespace

std::unique_ptr<system_of_cells<f64, 2>> compiled_system(conductances<f64, 2> faces) {
  return made_of(std::move(faces));
}
std::unique_ptr<system_of_cells<f32, 2>> compiled_system(conductances<f32, 2> faces) {
  return made_of(std::move(faces));
}

}  // namespace detail
}  // namespace teff::inline TEFF_MODE

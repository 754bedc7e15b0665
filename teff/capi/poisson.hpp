// SPDX-License-Identifier: MIT
#pragma once

#include <teff/capi/handles.hpp>
#include <teff/solver/poisson_loop.hpp>

/// Poisson's equation for one type and rank; each is compiled as a unit of its own.
namespace teff::capi {

/// @param coefficient may be null
using poisson_solver = poisson_report (*)(const teff_array* u, const teff_array* f,
                                          const teff_array* coefficient,
                                          const teff_poisson_options& options);

poisson_report poisson2d_f64(const teff_array*, const teff_array*, const teff_array*,
                             const teff_poisson_options&);
poisson_report poisson2d_f32(const teff_array*, const teff_array*, const teff_array*,
                             const teff_poisson_options&);
poisson_report poisson3d_f64(const teff_array*, const teff_array*, const teff_array*,
                             const teff_poisson_options&);
poisson_report poisson3d_f32(const teff_array*, const teff_array*, const teff_array*,
                             const teff_poisson_options&);

}  // namespace teff::capi

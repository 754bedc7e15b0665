// SPDX-License-Identifier: MIT
#include <teff/capi/poisson_of.hpp>

teff::poisson_report teff::capi::poisson3d_f32(const teff_array* u, const teff_array* f,
                                               const teff_array* coefficient,
                                               const teff_poisson_options& options) {
  return detail::poisson_of<f32, 3>(u, f, coefficient, options);
}

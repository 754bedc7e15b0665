// SPDX-License-Identifier: MIT
#include <teff/capi/poisson_of.hpp>

teff::poisson_report teff::capi::poisson2d_f32(const teff_array* u, const teff_array* f,
                                               const teff_array* coefficient,
                                               const teff_poisson_options& options) {
  return detail::poisson_of<f32, 2>(u, f, coefficient, options);
}

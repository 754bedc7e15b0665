// SPDX-License-Identifier: MIT
#include <teff/stencil/stepped_field.hpp>

namespace teff::inline TEFF_MODE::detail {

template class stepped_field<f64, 1>;
template class stepped_field<f64, 2>;
template class stepped_field<f64, 3>;
template class stepped_field<f32, 1>;
template class stepped_field<f32, 2>;
template class stepped_field<f32, 3>;

}  // namespace teff::inline TEFF_MODE::detail

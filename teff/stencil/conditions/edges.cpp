// SPDX-License-Identifier: MIT
#include <teff/stencil/conditions/edges.hpp>

namespace teff::inline TEFF_MODE::detail {

TEFF_EDGES_OF(, f64)
TEFF_EDGES_OF(, f32)

}  // namespace teff::inline TEFF_MODE::detail

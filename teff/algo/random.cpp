// SPDX-License-Identifier: MIT
#include <teff/algo/random.hpp>

namespace teff::inline TEFF_MODE::detail {

TEFF_FILLS_BY_CHANCE()

}  // namespace teff::inline TEFF_MODE::detail

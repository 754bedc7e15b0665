// SPDX-License-Identifier: MIT
#include <teff/algo/reduce/compiled.hpp>

namespace teff::inline TEFF_MODE::detail {

TEFF_REDUCTIONS()

}  // namespace teff::inline TEFF_MODE::detail

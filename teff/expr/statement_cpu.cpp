// SPDX-License-Identifier: MIT
#include <teff/expr/statement.hpp>

namespace teff::inline TEFF_MODE {

TEFF_COMPILED_ARRAYS()

}  // namespace teff::inline TEFF_MODE

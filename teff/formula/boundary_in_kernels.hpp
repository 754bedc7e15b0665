// SPDX-License-Identifier: MIT
#pragma once

#include <teff/base/config.hpp>

/// Conditions of an update where NVRTC compiles kernels: there their type says that there are some,
/// and a pass is handed rules (stencil/conditions/edge_rule.hpp).
namespace teff::inline TEFF_MODE {

struct boundary {};
struct no_boundary {};

}  // namespace teff::inline TEFF_MODE

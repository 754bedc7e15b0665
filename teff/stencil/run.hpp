// SPDX-License-Identifier: MIT
#pragma once

#include <teff/stencil/report.hpp>
#include <teff/stencil/stepper.hpp>

namespace teff::runtime {

/// @throws error for what makes no sense
void check_options(const iterate_options& options, bool has_residual);

/// The whole run of iterate(), with its report.
iterate_report run(stepper& on, const iterate_options& options);

}  // namespace teff::runtime

// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include <teff/base/stream.hpp>
#include <teff/stencil/rows/row_step.hpp>

namespace teff::runtime {

/// Of the state after so many steps. @param fields their current values @sync waits
double value_of(const row_residual& asked, const stream& on, index_t step,
                const std::vector<region>& fields);

}  // namespace teff::runtime

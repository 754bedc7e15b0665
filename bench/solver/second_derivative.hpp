// SPDX-License-Identifier: MIT
#pragma once

#include <teff/lab/case.hpp>

namespace teff::bench {

/// y = d2u/dx2, along the contiguous dim, and y = d2u/dy2, of all points of a rectangle: one array
/// read, one written.
lab::bench_case d2x_case();
lab::bench_case d2y_case();

}  // namespace teff::bench

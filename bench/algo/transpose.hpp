// SPDX-License-Identifier: MIT
#pragma once

#include <teff/lab/case.hpp>

namespace teff::bench {

/// B(j, i) = A(i, j): as many bytes as a copy, contiguous in one array only at a time.
lab::bench_case transpose_case();

}  // namespace teff::bench

// SPDX-License-Identifier: MIT
#pragma once

#include <teff/lab/case.hpp>

namespace teff::bench {

/// y = A x: each cell of A is used once, so it is the read of A that counts.
lab::bench_case gemv_case();

}  // namespace teff::bench

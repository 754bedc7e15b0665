// SPDX-License-Identifier: MIT
#pragma once

#include <teff/lab/case.hpp>

namespace teff::bench {

/// Sums of the columns of bags, most of them short, a few of them long, as in the lessons: of 1110
/// bags 1000 have 1 to 10 columns, 100 have 11 to 100, and 10 have 101 to 1000.
lab::bench_case segmented_sum_case();

}  // namespace teff::bench

// SPDX-License-Identifier: MIT
#pragma once

#include <teff/lab/case.hpp>

namespace teff::bench {

lab::bench_case cumsum_case();
lab::bench_case reduce_case();
lab::bench_case reduce_expression_case();

}  // namespace teff::bench

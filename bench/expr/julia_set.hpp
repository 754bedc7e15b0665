// SPDX-License-Identifier: MIT
#pragma once

#include <teff/lab/case.hpp>

namespace teff::bench {

lab::bench_case julia_set_case();

}  // namespace teff::bench

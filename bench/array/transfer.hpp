// SPDX-License-Identifier: MIT
#pragma once

#include <teff/lab/case.hpp>

namespace teff::bench {

lab::bench_case transfer_case();

}  // namespace teff::bench

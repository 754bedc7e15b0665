// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace teff::lab {

/// How two ranks that are threads of a process exchange halos, measured in some 10 ms: "latency 8.1
/// us, 6.2 GB/s".
std::string rank_link_text();

}  // namespace teff::lab

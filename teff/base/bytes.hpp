// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>

namespace teff {

/// "2.15 GB", "512 B": units of 1000, as everywhere in Teff (1 GB = 10^9 bytes).
std::string bytes_text(std::size_t bytes);

}  // namespace teff

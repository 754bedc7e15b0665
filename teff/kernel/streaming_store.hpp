// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include <teff/base/index.hpp>

namespace teff {

/// True if an array of so many bytes does not stay in the CPU's caches between two passes over it: then
/// stores that bypass them spare the reading of each line before it is written.
bool exceeds_cache(index_t bytes);

/// Copies `bytes` to memory past the caches (non-temporal stores).
void streaming_store_bytes(char* target, const char* source, std::size_t bytes);

template <class T>
void streaming_store(T* target, const T* source, index_t cells) {
  streaming_store_bytes(reinterpret_cast<char*>(target), reinterpret_cast<const char*>(source),
                        static_cast<std::size_t>(cells) * sizeof(T));
}

}  // namespace teff

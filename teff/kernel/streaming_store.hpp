// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include <teff/base/index.hpp>

namespace teff {

/// True if an array of so many bytes does not stay in the CPU's caches between two passes over it:
/// then stores that bypass them spare the reading of each line before it is written.
bool exceeds_cache(index_t bytes);

/// Copies `bytes` to memory past the caches (non-temporal stores).
void streaming_store_bytes(char* target, const char* source, std::size_t bytes);

/// Bytes of a line of a CPU's caches: what goes to memory in one piece.
inline constexpr index_t cpu_line = 64;

/// From `at` to the next line's begin.
template <class T>
index_t cells_to_line(const T* at) {
  const auto beyond = static_cast<index_t>(reinterpret_cast<std::uintptr_t>(at) % cpu_line);
  return (cpu_line - beyond) % cpu_line / index_t{sizeof(T)};
}

/// The same for whole lines: `target` and `bytes` are multiples of a line. Inline, for loops that
/// store a line as soon as it is computed. (By asm, since the header of the intrinsics costs users
/// half a second.)
inline void streaming_store_lines(void* target, const void* source, index_t bytes) {
#if defined(__x86_64__) && defined(__AVX__)
  auto* to = static_cast<char*>(target);
  const auto* from = static_cast<const char*>(source);
  for (index_t at = 0; at < bytes; at += cpu_line)
    asm volatile(
        "vmovdqu (%1), %%ymm0\n\tvmovdqu 32(%1), %%ymm1\n\t"
        "vmovntdq %%ymm0, (%0)\n\tvmovntdq %%ymm1, 32(%0)"
        :
        : "r"(to + at), "r"(from + at)
        : "xmm0", "xmm1", "memory");
#else
  streaming_store_bytes(static_cast<char*>(target), static_cast<const char*>(source),
                        static_cast<std::size_t>(bytes));
#endif
}

template <class T>
void streaming_store(T* target, const T* source, index_t cells) {
  streaming_store_bytes(reinterpret_cast<char*>(target), reinterpret_cast<const char*>(source),
                        static_cast<std::size_t>(cells) * sizeof(T));
}

}  // namespace teff

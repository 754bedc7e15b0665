// SPDX-License-Identifier: MIT
#include <cstdint>
#include <cstring>
#ifdef __SSE2__
#include <immintrin.h>
#endif

#include <teff/base/device.hpp>
#include <teff/kernel/streaming_store.hpp>

namespace teff {

bool exceeds_cache(index_t bytes) {
  static const auto cache = static_cast<index_t>(describe(device::cpu()).cache_bytes);
  return bytes > cache / 2;
}

void streaming_store_bytes(char* target, const char* source, std::size_t bytes) {
#ifdef __SSE2__
  constexpr std::size_t wide = 32, line = 64;
  const std::size_t to_line = -reinterpret_cast<std::uintptr_t>(target) % line;
  const std::size_t head = to_line < bytes ? to_line : bytes;
  std::memcpy(target, source, head);
  std::size_t at = head;
  for (; at + wide <= bytes; at += wide) {
#ifdef __AVX__
    const __m256i v = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(source + at));
    _mm256_stream_si256(reinterpret_cast<__m256i*>(target + at), v);
#else
    const auto* from = reinterpret_cast<const __m128i*>(source + at);
    auto* to = reinterpret_cast<__m128i*>(target + at);
    _mm_stream_si128(to, _mm_loadu_si128(from));
    _mm_stream_si128(to + 1, _mm_loadu_si128(from + 1));
#endif
  }
  std::memcpy(target + at, source + at, bytes - at);
#else
  std::memcpy(target, source, bytes);  // other processors: ordinary stores
#endif
}

}  // namespace teff

// SPDX-License-Identifier: MIT
#pragma once

#include <cstring>
#ifdef __AVX__
#include <immintrin.h>
#endif

/// Four numbers in a register, for .cpp files of the CPU.
namespace teff::runtime {

using four_doubles = double __attribute__((vector_size(4 * sizeof(double))));

inline four_doubles load_four(const double* from) {
  four_doubles cells;
  std::memcpy(&cells, from, sizeof cells);
  return cells;
}
inline four_doubles load_four(const float* from) {
#ifdef __AVX__  // (g++ 12 makes two conversions of a generic one.)
  return _mm256_cvtps_pd(_mm_loadu_ps(from));
#else
  return four_doubles{from[0], from[1], from[2], from[3]};
#endif
}
inline void store_four(double* to, four_doubles cells) {
  std::memcpy(to, &cells, sizeof cells);
}
inline void store_four(float* to, four_doubles cells) {
#ifdef __AVX__
  _mm_storeu_ps(to, _mm256_cvtpd_ps(cells));
#else
  for (int l = 0; l < 4; ++l) to[l] = static_cast<float>(cells[l]);
#endif
}

/// Eight of them past the caches; `to` is a multiple of 32 bytes.
inline void stream_eight(double* to, const four_doubles (&cells)[2]) {
#ifdef __AVX__
  _mm256_stream_pd(to, cells[0]);
  _mm256_stream_pd(to + 4, cells[1]);
#else
  for (int h = 0; h < 2; ++h) store_four(to + 4 * h, cells[h]);
#endif
}
inline void stream_eight(float* to, const four_doubles (&cells)[2]) {
#ifdef __AVX__
  _mm256_stream_ps(to, _mm256_set_m128(_mm256_cvtpd_ps(cells[1]), _mm256_cvtpd_ps(cells[0])));
#else
  for (int h = 0; h < 2; ++h) store_four(to + 4 * h, cells[h]);
#endif
}

/// Rows become columns.
inline void transpose_four(four_doubles (&rows)[4]) {
  const auto& [a, b, c, d] = rows;
  const four_doubles ab0 = __builtin_shufflevector(a, b, 0, 4, 2, 6),
                     ab1 = __builtin_shufflevector(a, b, 1, 5, 3, 7),
                     cd0 = __builtin_shufflevector(c, d, 0, 4, 2, 6),
                     cd1 = __builtin_shufflevector(c, d, 1, 5, 3, 7);
  rows[0] = __builtin_shufflevector(ab0, cd0, 0, 1, 4, 5);
  rows[1] = __builtin_shufflevector(ab1, cd1, 0, 1, 4, 5);
  rows[2] = __builtin_shufflevector(ab0, cd0, 2, 3, 6, 7);
  rows[3] = __builtin_shufflevector(ab1, cd1, 2, 3, 6, 7);
}

}  // namespace teff::runtime

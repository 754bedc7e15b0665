// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>

#include <omp.h>

#include <teff/base/index.hpp>
#include <teff/kernel/streaming_store.hpp>

/// What the memory of a CPU can do: all threads, each on its own part. (Its arithmetic:
/// teff/kernel/multiply_add_chains.hpp.)
/// The GPU's twin is probe_vectors.hpp.
namespace teff::bench {

/// Calls f(first, count) for pieces that fit in the first-level cache; every thread walks through
/// one contiguous part, so that it stays on the memory that it touched first.
template <class F>
void for_each_piece(index_t cells, const F& f) {
  constexpr index_t piece = 1024;
#pragma omp parallel for schedule(static)
  for (index_t start = 0; start < cells; start += piece) f(start, std::min(piece, cells - start));
}

/// The C library's memcpy, one call for each thread.
inline void copy_by_library(f64* a, const f64* b, index_t cells) {
#pragma omp parallel
  {
    const index_t threads = omp_get_num_threads(), me = omp_get_thread_num();
    const index_t first = cells * me / threads, last = cells * (me + 1) / threads;
    std::memcpy(a + first, b + first, static_cast<std::size_t>(last - first) * sizeof(f64));
  }
}

/// Straight from the source, with stores that bypass the caches.
inline void copy_streaming(f64* a, const f64* b, index_t cells) {
  for_each_piece(
      cells, [=](index_t first, index_t count) { streaming_store(a + first, b + first, count); });
}

/// a = op(b, c) through a small buffer, with stores that bypass the caches.
template <class Op>
void combine_streaming(f64* a, const f64* b, const f64* c, index_t cells) {
  for_each_piece(cells, [=](index_t first, index_t count) {
    alignas(64) f64 buffer[1024];
    const Op op;
#pragma omp simd
    for (index_t i = 0; i < count; ++i)
      buffer[i] = op(b[first + i], Op::reads_c ? c[first + i] : b[first + i]);
    streaming_store(a + first, buffer, count);
  });
}

/// A line of the cache at a time, so that loads and stores go on side by side.
template <class Op>
void combine_lines(f64* a, const f64* b, const f64* c, index_t cells) {
  constexpr index_t line = cpu_line / sizeof(f64);
#pragma omp parallel for schedule(static)
  for (index_t first = 0; first < cells; first += line) {
    alignas(cpu_line) f64 values[line];
    const Op op;
#pragma omp simd
    for (index_t i = 0; i < line; ++i)
      values[i] = op(b[first + i], Op::reads_c ? c[first + i] : b[first + i]);
    streaming_store_lines(a + first, values, cpu_line);
  }
}

/// The same with ordinary stores.
template <class Op>
void combine_plainly(f64* a, const f64* b, const f64* c, index_t cells) {
#pragma omp parallel for simd schedule(static)
  for (index_t i = 0; i < cells; ++i) a[i] = Op{}(b[i], Op::reads_c ? c[i] : b[i]);
}

inline void write_streaming(f64* a, f64 value, index_t cells) {
  alignas(64) f64 buffer[1024];
  std::fill(std::begin(buffer), std::end(buffer), value);
  const f64* values = buffer;
  for_each_piece(cells,
                 [=](index_t first, index_t count) { streaming_store(a + first, values, count); });
}

inline void write_plainly(f64* a, f64 value, index_t cells) {
#pragma omp parallel for simd schedule(static)
  for (index_t i = 0; i < cells; ++i) a[i] = value;
}

/// Adds up all cells into partial sums, many at a time. The caller sets the sums to 0 in any
/// number.
inline void read_all(f64* sums, index_t sum_count, const f64* b, index_t cells) {
#pragma omp parallel for schedule(static)
  for (index_t part = 0; part < sum_count; ++part) {
    const index_t first = cells * part / sum_count, last = cells * (part + 1) / sum_count;
    f64 total = 0;
#pragma omp simd reduction(+ : total)
    for (index_t i = first; i < last; ++i) total += b[i];
    sums[part] = total;
  }
}

}  // namespace teff::bench

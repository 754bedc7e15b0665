// SPDX-License-Identifier: MIT
#pragma once

#include <teff/base/rounding.hpp>
#include <teff/kernel/launch.hpp>

/// What the memory and the arithmetic of a GPU can do: 16 bytes an access, several accesses in
/// flight for each thread. The CPU's twin is probe_cpu.hpp.
namespace teff::bench {

struct alignas(16) two_f64 {
  f64 first, second;
};

/// Where thread i finds its first vector if each thread handles `Loads`, a block's vectors side by
/// side: neighbouring threads then touch neighbouring vectors in every access.
template <int Loads>
TEFF_INLINE index_t first_of_thread(index_t i, index_t threads) {
  return i / threads * threads * Loads + i % threads;
}

/// a = op(b, c). `cells` is a multiple of 2 * Loads * threads.
template <class Op, int Loads>
void combine_vectors(const stream& on, f64* a, const f64* b, const f64* c, index_t cells,
                     int threads) {
  auto* va = reinterpret_cast<two_f64*>(a);
  const auto* vb = reinterpret_cast<const two_f64*>(b);
  const auto* vc = reinterpret_cast<const two_f64*>(c);
  const index_t block = threads;
  const Op op;
  launch(on, extents<1>{cells / 2 / Loads}, {.threads = {threads}}, [=] TEFF_FN(index_t i) {
    const index_t at = first_of_thread<Loads>(i, block);
    two_f64 left[Loads], right[Loads];
    for (int u = 0; u < Loads; ++u) {
      left[u] = vb[at + u * block];
      right[u] = Op::reads_c ? vc[at + u * block] : left[u];
    }
    for (int u = 0; u < Loads; ++u)
      va[at + u * block] = {op(left[u].first, right[u].first), op(left[u].second, right[u].second)};
  });
}

template <int Stores>
void write_vectors(const stream& on, f64* a, f64 value, index_t cells, int threads) {
  auto* va = reinterpret_cast<two_f64*>(a);
  const index_t block = threads;
  launch(on, extents<1>{cells / 2 / Stores}, {.threads = {threads}}, [=] TEFF_FN(index_t i) {
    const index_t at = first_of_thread<Stores>(i, block);
    for (int u = 0; u < Stores; ++u) va[at + u * block] = {value, value};
  });
}

/// Every thread adds up its share, `Loads` vectors in flight, and writes one sum.
/// `cells` is a multiple of 2 * Loads * sum_count.
template <int Loads>
void read_vectors(const stream& on, f64* sums, index_t sum_count, const f64* b, index_t cells,
                  int threads) {
  const auto* vb = reinterpret_cast<const two_f64*>(b);
  const index_t rounds = cells / 2 / Loads / sum_count;
  launch(on, extents<1>{sum_count}, {.threads = {threads}}, [=] TEFF_FN(index_t i) {
    f64 total = 0;
    for (index_t round = 0; round < rounds; ++round) {
      two_f64 v[Loads];
      for (int u = 0; u < Loads; ++u) v[u] = vb[i + (round * Loads + u) * sum_count];
      for (int u = 0; u < Loads; ++u) total += v[u].first + v[u].second;
    }
    sums[i] = total;
  });
}

/// x = x*a + b, `rounds` times, for 8 chains a thread. `chains` is a multiple of 8.
template <class T>
void multiply_add_threads(const stream& on, T* x, index_t chains, int rounds, T a, T b) {
  constexpr int together = 8;
  const index_t count = chains / together;
  launch(on, extents<1>{count}, {.threads = {256}}, [=] TEFF_FN(index_t i) {
    T local[together];
    for (int u = 0; u < together; ++u) local[u] = x[i + u * count];
    for (int round = 0; round < rounds; ++round)
      for (int u = 0; u < together; ++u) local[u] = rounded::fused_multiply_add(local[u], a, b);
    for (int u = 0; u < together; ++u) x[i + u * count] = local[u];
  });
}

}  // namespace teff::bench

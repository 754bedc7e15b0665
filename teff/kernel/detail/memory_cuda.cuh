// SPDX-License-Identifier: MIT
#pragma once

#include <cstring>
#include <type_traits>

#include <teff/base/config.hpp>

/// Atomic operations and ordered accesses of any type of 4, 8 or 16 bytes, as CUDA and PTX know
/// them.
namespace teff::inline TEFF_MODE::detail {

template <class To, class From>
__device__ __forceinline__ To same_bits(const From& from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  memcpy(&to, &from, sizeof(To));
  return to;
}

/// The type by which CUDA's atomic functions know integers of T's size and sign.
template <class T>
using cuda_atomic_integer =
    std::conditional_t<sizeof(T) == 4, std::conditional_t<std::is_signed_v<T>, int, unsigned>,
                       std::conditional_t<std::is_signed_v<T>, long long, unsigned long long>>;

template <class T>
__device__ __forceinline__ T atomic_add_cuda(T* where, T value) {
  if constexpr (std::is_integral_v<T>) {  // of 64 bits CUDA adds unsigned ones only: the same bits
    using U = std::conditional_t<sizeof(T) == 4, unsigned, unsigned long long>;
    return static_cast<T>(atomicAdd(reinterpret_cast<U*>(where), static_cast<U>(value)));
  } else {
    return atomicAdd(where, value);
  }
}
template <class T>
__device__ __forceinline__ T atomic_max_cuda(T* where, T value) {
  using U = cuda_atomic_integer<T>;
  return static_cast<T>(atomicMax(reinterpret_cast<U*>(where), static_cast<U>(value)));
}
template <class T>
__device__ __forceinline__ T atomic_min_cuda(T* where, T value) {
  using U = cuda_atomic_integer<T>;
  return static_cast<T>(atomicMin(reinterpret_cast<U*>(where), static_cast<U>(value)));
}

/// 16 bytes as two words: PTX promises no more than each of them, but all GPUs since Volta move an
/// aligned pair at once, which CUB's decoupled look-back relies on too.
struct alignas(16) two_words {
  unsigned long long a, b;
};

__device__ __forceinline__ void order_memory() {
  asm volatile("fence.acq_rel.gpu;" ::: "memory");
}

/// Without order.
template <class T>
__device__ __forceinline__ void store_relaxed(T* where, const T& value) {
  if constexpr (sizeof(T) == 4) {
    const auto bits = same_bits<unsigned>(value);
    asm volatile("st.relaxed.gpu.b32 [%0], %1;" ::"l"(where), "r"(bits) : "memory");
  } else if constexpr (sizeof(T) == 8) {
    const auto bits = same_bits<unsigned long long>(value);
    asm volatile("st.relaxed.gpu.b64 [%0], %1;" ::"l"(where), "l"(bits) : "memory");
  } else {
    const auto bits = same_bits<two_words>(value);
    asm volatile("st.relaxed.gpu.v2.b64 [%0], {%1, %2};" ::"l"(where), "l"(bits.a), "l"(bits.b)
                 : "memory");
  }
}

template <class T>
__device__ __forceinline__ void store_release(T* where, const T& value) {
  if constexpr (sizeof(T) == 4) {
    const auto bits = same_bits<unsigned>(value);
    asm volatile("st.release.gpu.b32 [%0], %1;" ::"l"(where), "r"(bits) : "memory");
  } else if constexpr (sizeof(T) == 8) {
    const auto bits = same_bits<unsigned long long>(value);
    asm volatile("st.release.gpu.b64 [%0], %1;" ::"l"(where), "l"(bits) : "memory");
  } else {
    order_memory();
    store_relaxed(where, value);
  }
}

/// Without order: for polling, as an ordered load empties the L1 cache each time.
template <class T>
__device__ __forceinline__ T load_relaxed(const T* where) {
  if constexpr (sizeof(T) == 4) {
    unsigned bits;
    asm volatile("ld.relaxed.gpu.b32 %0, [%1];" : "=r"(bits) : "l"(where) : "memory");
    return same_bits<T>(bits);
  } else if constexpr (sizeof(T) == 8) {
    unsigned long long bits;
    asm volatile("ld.relaxed.gpu.b64 %0, [%1];" : "=l"(bits) : "l"(where) : "memory");
    return same_bits<T>(bits);
  } else {
    two_words bits;
    asm volatile("ld.relaxed.gpu.v2.b64 {%0, %1}, [%2];"
                 : "=l"(bits.a), "=l"(bits.b)
                 : "l"(where)
                 : "memory");
    return same_bits<T>(bits);
  }
}

template <class T>
__device__ __forceinline__ T load_acquire(const T* where) {
  if constexpr (sizeof(T) == 4) {
    unsigned bits;
    asm volatile("ld.acquire.gpu.b32 %0, [%1];" : "=r"(bits) : "l"(where) : "memory");
    return same_bits<T>(bits);
  } else if constexpr (sizeof(T) == 8) {
    unsigned long long bits;
    asm volatile("ld.acquire.gpu.b64 %0, [%1];" : "=l"(bits) : "l"(where) : "memory");
    return same_bits<T>(bits);
  } else {
    const T value = load_relaxed(where);
    order_memory();
    return value;
  }
}

/// Polls until pred(value), without order and with short pauses: who waits has nothing else to do.
template <class T, class Pred>
__device__ __forceinline__ T wait_for_value_relaxed(const T* where, const Pred& pred) {
  T value = load_relaxed(where);
  for (; !pred(value); value = load_relaxed(where)) __nanosleep(32);
  return value;
}

/// Polls until pred(value); backs off by 32 ns, then twice as long each time up to about 1 us.
template <class T, class Pred>
__device__ __forceinline__ T wait_for_value(const T* where, const Pred& pred) {
  T value = load_acquire(where);
  for (unsigned pause = 32; !pred(value); value = load_acquire(where))
    while (!pred(load_relaxed(where))) {
      __nanosleep(pause);
      pause = pause < 1024 ? 2 * pause : pause;
    }
  return value;
}

}  // namespace teff::inline TEFF_MODE::detail

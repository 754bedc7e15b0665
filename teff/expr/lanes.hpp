// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <type_traits>

#include <teff/base/index.hpp>

namespace teff::inline TEFF_MODE {

/// V neighbouring cells' values of one operand, handled together so that memory is accessed 16
/// bytes at a time. Evaluation with one lane uses plain values instead.
template <class T, int V>
struct alignas(sizeof(T) * V > 16 ? 16 : sizeof(T) * V) pack {
  T lane[V];
};

/// One access, of an address that is aligned for it. (On the host in any way that the compiler
/// likes: g++ 12 may move an aligned access of 16 bytes before the test that it is one, if the
/// other branch reads the same cells.)
template <class T, int V>
TEFF_INLINE pack<T, V> load_pack(const T* from) {
#ifdef __CUDA_ARCH__
  return *reinterpret_cast<const pack<T, V>*>(from);
#else
  pack<T, V> values;
  for (int v = 0; v < V; ++v) values.lane[v] = from[v];
  return values;
#endif
}
template <class T, int V>
TEFF_INLINE void store_pack(T* to, const pack<T, V>& values) {
#ifdef __CUDA_ARCH__
  *reinterpret_cast<pack<T, V>*>(to) = values;
#else
  for (int v = 0; v < V; ++v) to[v] = values.lane[v];
#endif
}

/// One access if the address allows it.
template <class T, int V>
TEFF_INLINE void store_lanes(T* to, const pack<T, V>& values) {
  if (reinterpret_cast<std::uintptr_t>(to) % alignof(pack<T, V>) == 0) {
    store_pack(to, values);
  } else {
    TEFF_UNROLL
    for (int v = 0; v < V; ++v) to[v] = values.lane[v];
  }
}

namespace detail {

/// For values of which only those are used that were loaded. A GPU leaves the others undefined; on
/// the host, whose compilers do not see it and warn, they are 0.
template <class T, int V>
TEFF_INLINE void leave_undefined([[maybe_unused]] pack<T, V>& values) {
#ifndef __CUDA_ARCH__
  values = {};
#endif
}

/// The same value, of which a GPU's compiler no longer knows where it is from: what was made of it
/// before, as a conversion, is made anew rather than kept in more registers.
template <class T>
TEFF_INLINE T made_anew(const T& value) {
#ifdef __CUDA_ARCH__
  if constexpr (sizeof(T) <= 4) {
    unsigned bits = 0;
    memcpy(&bits, &value, sizeof(T));
    asm volatile("" : "+r"(bits));
    T same;
    memcpy(&same, &bits, sizeof(T));
    return same;
  }
#endif
  return value;
}

template <class T>
inline constexpr int lane_count = 1;
template <class T, int V>
inline constexpr int lane_count<pack<T, V>> = V;

template <class T>
TEFF_INLINE const T& lane(const T& value, int) {
  return value;
}
template <class T, int V>
TEFF_INLINE const T& lane(const pack<T, V>& values, int v) {
  return values.lane[v];
}

/// f applied lane by lane; a plain value goes with every lane of a pack.
template <class F, class... A>
TEFF_INLINE auto for_lanes(const F& f, const A&... a) {
  constexpr int lanes = [] {
    int most = 1;
    ((most = lane_count<A> > most ? lane_count<A> : most), ...);
    return most;
  }();
  if constexpr (lanes == 1) {
    return f(a...);
  } else {
    using result = std::remove_cvref_t<decltype(f(lane(a, 0)...))>;
    pack<result, lanes> values;
    TEFF_UNROLL
    for (int v = 0; v < lanes; ++v) values.lane[v] = f(lane(a, v)...);
    return values;
  }
}

}  // namespace detail
}  // namespace teff::inline TEFF_MODE

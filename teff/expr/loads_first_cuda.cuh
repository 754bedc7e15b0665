// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include <teff/expr/context.hpp>

/// Evaluation in two rounds: all loads of a thread first, then the arithmetic. Compilers prefer to save registers, so
/// they load and compute in turns, and a thread then waits for memory two or three times instead of once.
namespace teff::inline TEFF_MODE::detail {

/// Values that one evaluation loads, in the order in which it asks for them. Constant indices after inlining, so all
/// of it lives in registers, and what is asked for twice is loaded once.
template <int Most>
struct loaded_values {
  std::uint64_t bits[Most];

  template <class T>
  __device__ __forceinline__ void put(int at, T value) {
    if constexpr (sizeof(T) == 8)
      bits[at] = static_cast<std::uint64_t>(__builtin_bit_cast(long long, value));
    else if constexpr (sizeof(T) == 4)
      bits[at] = static_cast<std::uint64_t>(__builtin_bit_cast(unsigned, value));
    else
      bits[at] = static_cast<std::uint64_t>(value);
  }
  template <class T>
  __device__ __forceinline__ T get(int at) const {
    if constexpr (sizeof(T) == 8)
      return __builtin_bit_cast(T, static_cast<long long>(bits[at]));
    else if constexpr (sizeof(T) == 4)
      return __builtin_bit_cast(T, static_cast<unsigned>(bits[at]));
    else
      return static_cast<T>(bits[at]);
  }
};

/// First round: loads, and computes nothing.
template <class Cell, int Most>
struct loading_context {
  const Cell cell;
  loaded_values<Most>& values;
  int& next;

  template <int X, int Y, int Z, class T>
  __device__ __forceinline__ touched load(const device_leaf<T>& a) const {
    return keep(cell.template load<X, Y, Z>(a));
  }
  template <int D, int Offset, class T>
  __device__ __forceinline__ touched load_along(const T* data, index_t stride) const {
    return keep(cell.template load_along<D, Offset>(data, stride));
  }
  template <int D, int Offset>
  __device__ __forceinline__ auto index() const { return cell.template index<D, Offset>(); }
  template <int X, int Y, int Z>
  __device__ __forceinline__ loading_context at_slice(const index_t (&start)[3],
                                                      const index_t (&step)[3]) const {
    return {cell.template at_slice<X, Y, Z>(start, step), values, next};
  }

 private:
  template <class Value>
  __device__ __forceinline__ touched keep(const Value& loaded) const {
    TEFF_UNROLL
    for (int v = 0; v < lane_count<Value>; ++v) values.put(next++, lane(loaded, v));
    return {};
  }
};

/// Second round: computes with what was loaded.
template <class Cell, int Most>
struct loaded_context {
  const Cell cell;
  const loaded_values<Most>& values;
  int& next;

  template <int X, int Y, int Z, class T>
  __device__ __forceinline__ auto load(const device_leaf<T>& a) const {
    return next_of<decltype(cell.template load<X, Y, Z>(a)), T>();
  }
  template <int D, int Offset, class T>
  __device__ __forceinline__ auto load_along(const T* data, index_t stride) const {
    return next_of<decltype(cell.template load_along<D, Offset>(data, stride)), T>();
  }
  template <int D, int Offset>
  __device__ __forceinline__ auto index() const { return cell.template index<D, Offset>(); }
  template <int X, int Y, int Z>
  __device__ __forceinline__ loaded_context at_slice(const index_t (&start)[3],
                                                     const index_t (&step)[3]) const {
    return {cell.template at_slice<X, Y, Z>(start, step), values, next};
  }

 private:
  template <class Value, class T>
  __device__ __forceinline__ Value next_of() const {
    if constexpr (lane_count<Value> == 1) {
      return values.template get<T>(next++);
    } else {
      Value result;
      TEFF_UNROLL
      for (int v = 0; v < lane_count<Value>; ++v) result.lane[v] = values.template get<T>(next++);
      return result;
    }
  }
};

/// The loads above are issued before anything below; the compiler moves none of them past a barrier.
__device__ __forceinline__ void end_of_loads() { asm volatile("bar.warp.sync 0xffffffff;"); }

}  // namespace teff::inline TEFF_MODE::detail

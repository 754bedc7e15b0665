// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <type_traits>

#include <teff/algo/gemv/dot.hpp>
#include <teff/algo/gemv/march.hpp>

/// Matrix-vector products by block kernels: natively on a GPU; on the CPU in the emulator, for
/// tests. A reads once; x comes from the L1 cache or shared memory. Twin: gemv/cpu.hpp.
namespace teff::inline TEFF_MODE::detail {

template <class Kernel>
void launch_gemv(const stream& on, const Kernel& kernel) {
  launch_blocks(on,
                {.blocks = {kernel.blocks()},
                 .threads = {Kernel::threads},
                 .shared_bytes = kernel.shared_bytes()},
                kernel);
}

template <class T>
bool is_at_16_bytes(const T* at) {
  return reinterpret_cast<std::uintptr_t>(at) % 16 == 0;
}

/// True if the cells of every row lie side by side, from a multiple of 16 bytes on.
template <class T>
bool has_packed_rows(const gemv_operands<T>& of) {
  return of.column_stride == 1 && is_at_16_bytes(of.a) &&
         (of.m == 1 || is_at_16_bytes(of.a + of.row_stride));
}

/// True if the cells of every column do, whole accesses of them, and the results likewise.
template <class T>
bool has_packed_columns(const gemv_operands<T>& of, const gemv_target<T>& to) {
  return of.row_stride == 1 && of.m % (16 / static_cast<index_t>(sizeof(T))) == 0 &&
         is_at_16_bytes(of.a) && (of.n == 1 || is_at_16_bytes(of.a + of.column_stride)) &&
         (to.partial != nullptr || (to.stride == 1 && is_at_16_bytes(to.y)));
}

/// One launch.
template <class T, class Y>
void gemv_by_blocks(const stream& on, const gemv_operands<T>& of, const gemv_target<Y>& to,
                    const gemv_plan& plan) {
  constexpr int V = 16 / sizeof(T);
  if constexpr (std::is_same_v<T, f64>)
    if (of.x == nullptr) return launch_gemv(on, gemv_march<false, 1, T, Y>{of, to, plan});
  if constexpr (std::is_same_v<T, Y>) {
    if (plan.how == gemv_plan::way::march) {
      if (plan.lanes == 1 && has_packed_columns(of, to))
        return launch_gemv(on, gemv_march<true, V, T, T>{of, to, plan});
      return launch_gemv(on, gemv_march<true, 1, T, T>{of, to, plan});
    }
    const bool is_packed = has_packed_rows(of);
    if (plan.lanes > 32 || of.n > plan.width)
      return launch_gemv(
          on, gemv_dot<T>{of, to, plan, is_packed && of.x_stride == 1 && is_at_16_bytes(of.x)});
    if (!is_packed && plan.width <= 32)
      return launch_gemv(on, gemv_short_rows<T, 1>{of, to, static_cast<int>(plan.width), false});
    launch_gemv(on, gemv_short_rows<T, V>{of, to, plan.lanes, is_packed});
  }
}

}  // namespace teff::inline TEFF_MODE::detail

// SPDX-License-Identifier: MIT
#pragma once

/// What depends on the compiler: the language check, the markers of device code, and the mode.
///
/// Teff code is compiled in two modes, plain C++ and CUDA. Templates of one mode must never be
/// taken for those of the other at link time, so everything that differs lives in an inline
/// namespace named after the mode: `namespace teff::inline TEFF_MODE { ... }`. NVRTC compiles
/// kernels as CUDA, and knows no host: what launches them asks for __NVCC__.

static_assert(__cplusplus >= 202002L,
              "Teff needs C++20: compile with -std=c++20 (nvcc: -std=c++20 too, not gnu++17).");

// Flags that change values. What no macro tells of is found by unit_flags.hpp.
#ifdef __FAST_MATH__
#error "Teff promises the same bits on every schedule and device: compile without -ffast-math."
#elif defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__ > 0
#error "Teff finds values that are not finite: compile without -ffinite-math-only."
#elif defined(__ASSOCIATIVE_MATH__)
#error \
    "Teff promises the same bits on every schedule and device: compile without -fassociative-math (-funsafe-math-optimizations)."
#elif defined(__RECIPROCAL_MATH__)
#error \
    "Teff promises the same bits on every schedule and device: compile without -freciprocal-math."
#elif defined(__NO_SIGNED_ZEROS__)
#error \
    "Teff promises the same bits on every schedule and device: compile without -fno-signed-zeros."
#elif defined(__GCC_IEC_559) && __GCC_IEC_559 == 0
#error \
    "Teff promises the same bits on every schedule and device: compile without -fsingle-precision-constant and other flags that change values."
#elif defined(__FLT_EVAL_METHOD__) && __FLT_EVAL_METHOD__ != 0 && __FLT_EVAL_METHOD__ != 16
#error "Teff promises the same bits on every schedule and device: compile without -mfpmath=387."
#endif

#ifdef __CUDACC__
/// Marks a lambda or a function that may run on the CPU and on the GPU.
#define TEFF_FN __host__ __device__
/// The same for the small functions of which kernels are made: always inlined.
#define TEFF_INLINE __host__ __device__ __forceinline__
/// Before a loop of constant length whose values must stay in registers.
#define TEFF_UNROLL _Pragma("unroll")
/// Before a loop whose turns must not share registers.
#define TEFF_NO_UNROLL _Pragma("unroll 1")
#define TEFF_MODE cuda_unit
#else
#define TEFF_FN
#define TEFF_INLINE __attribute__((always_inline)) inline
#define TEFF_UNROLL
#define TEFF_NO_UNROLL
#define TEFF_MODE cpp_unit
#endif

/// AddressSanitizer looks on: no memory is kept, and fibers tell of their switches.
#if defined(__SANITIZE_ADDRESS__)
#define TEFF_UNDER_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TEFF_UNDER_ASAN 1
#endif
#endif

/// Before a loop of which every turn may be taken alone: it is vectorized. Its turns may hold a
/// `try`, which clang does not take behind `omp simd`.
#ifdef __clang__
#define TEFF_SIMD _Pragma("clang loop vectorize(assume_safety)")
#else
#define TEFF_SIMD _Pragma("omp simd")
#endif

namespace teff {

/// True in a translation unit that a CUDA compiler compiles: only there exist kernels.
#ifdef __CUDACC__
inline namespace TEFF_MODE {
inline constexpr bool is_cuda_unit = true;
}
#else
inline namespace TEFF_MODE {
inline constexpr bool is_cuda_unit = false;
}
#endif

}  // namespace teff

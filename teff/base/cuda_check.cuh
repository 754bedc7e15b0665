// SPDX-License-Identifier: MIT
#pragma once

#include <cstdio>

#include <cuda_runtime_api.h>

#include <teff/base/error.hpp>
#include <teff/base/fork.hpp>

/// Only for sources that include CUDA's own headers.
namespace teff::runtime::cuda {

/// True if this process came by fork() from one that had used a GPU: CUDA lets it do nothing.
inline bool is_lost_by_fork(cudaError_t status) noexcept {
  return status == cudaErrorInitializationError && is_forked();
}
inline constexpr const char* lost_by_fork =
    "this process was forked from one that had used a GPU, which CUDA does not allow: fork before "
    "the first use of a GPU, use device::cpu() here, or start a program of its own (exec)";

/// @param status a cudaError_t that the runtime has forgotten
[[noreturn]] void throw_failed_status(int status, const char* call, site where);
[[noreturn]] inline void throw_failed_call(cudaError_t status, const char* call, site where) {
  (void)cudaGetLastError();  // a failed call must not be reported again by the next one
  throw_failed_status(status, call, where);
}

inline void report_failed_call(cudaError_t status, const char* call) noexcept {
  // At exit the driver may be gone before the last array is: nothing is left to release then.
  if (status == cudaSuccess) return;
  (void)cudaGetLastError();  // the program's next look at it is not to find ours
  if (status == cudaErrorCudartUnloading) return;
  if (is_lost_by_fork(status)) return;  // the parent releases it
  std::fprintf(stderr, "teff: CUDA: %s gave %s in a destructor\n", call, cudaGetErrorName(status));
}

}  // namespace teff::runtime::cuda

/// Calls the CUDA runtime and throws teff::error if the call failed.
#define TEFF_CHECK(call)                                                                  \
  do {                                                                                    \
    const cudaError_t teff_status = (call);                                               \
    if (teff_status != cudaSuccess)                                                       \
      ::teff::runtime::cuda::throw_failed_call(teff_status, #call, ::teff::site::here()); \
  } while (false)

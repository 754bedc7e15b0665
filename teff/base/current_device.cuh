// SPDX-License-Identifier: MIT
#pragma once

#include <new>

#include <cuda_runtime_api.h>

#include <teff/base/cuda_check.cuh>

namespace teff::runtime::cuda {

/// Makes a device the current one of this thread while it lives; afterwards that is current which
/// was before, as CUDA's own calls of the program expect. Where the device is current already
/// nothing is called but cudaGetDevice. Whatever calls CUDA for a device has one of these, and
/// relies on none that another call left behind.
class current_device {
 public:
  explicit current_device(int ordinal) {
    TEFF_CHECK(cudaGetDevice(&before_));
    if (before_ == ordinal) return;
    TEFF_CHECK(cudaSetDevice(ordinal));
    is_other_ = true;
  }
  /// For destructors: at exit the driver may be gone, and then there is nothing to do.
  current_device(int ordinal, std::nothrow_t) noexcept {
    if (cudaGetDevice(&before_) != cudaSuccess || before_ == ordinal) return;
    is_other_ = cudaSetDevice(ordinal) == cudaSuccess;
  }
  /// (A device that can not be made current, as another process has it alone, was of no use
  /// before.)
  ~current_device() {
    if (is_other_ && cudaSetDevice(before_) != cudaSuccess) (void)cudaGetLastError();
  }
  current_device(current_device&&) = delete;
  current_device& operator=(current_device&&) = delete;

 private:
  int before_ = 0;
  bool is_other_ = false;
};

}  // namespace teff::runtime::cuda

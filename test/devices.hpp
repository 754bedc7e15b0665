// SPDX-License-Identifier: MIT
#pragma once

#include <cstdlib>
#include <vector>

#include <teff/base/device.hpp>

namespace teff::inline TEFF_MODE::test {

/// Where a test runs: always the CPU; the first GPU too, in a unit that holds kernels.
inline std::vector<device> test_devices() {
  std::vector<device> devices{device::cpu()};
  if (is_cuda_unit && cuda_device_count() > 0) devices.push_back(device::cuda(0));
  return devices;
}

/// Where block kernels run that have twins for the CPU: in the emulator, or, in a unit of CUDA, for
/// which they are not compiled there, natively.
inline device device_of_kernels() {
  return test_devices().back();
}

/// TEFF_TEST_QUICK=1: fewer and smaller cases, for runs under a sanitizer.
inline bool is_quick() {
  static const bool quick = [] {
    const char* asked = std::getenv("TEFF_TEST_QUICK");
    return asked != nullptr && *asked == '1';
  }();
  return quick;
}

/// TEFF_TEST_LONG=1: all cases of what takes long in the emulator, as `./run test --long` asks.
inline bool is_long() {
  static const bool all = [] {
    const char* asked = std::getenv("TEFF_TEST_LONG");
    return asked != nullptr && *asked == '1';
  }();
  return all;
}

}  // namespace teff::inline TEFF_MODE::test

// SPDX-License-Identifier: MIT
#include <teff/base/error.hpp>
#include <teff/kernel/no_kernel.hpp>

namespace teff::runtime {

void throw_no_kernel(const std::string& what, device dev) {
  throw error(failure::no_device, what + " on " + dev.name() +
                                      " was compiled as plain C++ and has no kernel; compile it "
                                      "with nvcc (CMake: teff_enable_cuda(target))");
}

}  // namespace teff::runtime

// SPDX-License-Identifier: MIT
#include <teff/kernel/no_kernel.hpp>
#include <teff/stencil/rows/compiled_kernel.hpp>

namespace teff::runtime {

std::shared_ptr<const pass_kernel> loaded_pass_kernel(device dev, const void*, int, int) {
  throw_no_kernel("a pass's kernel", dev);
}
std::shared_ptr<const fused_kernel> loaded_fused_kernel(device dev, const void*, int, int) {
  throw_no_kernel("a kernel of all stages of a step", dev);
}
std::shared_ptr<const resident_kernel> loaded_resident_kernel(device dev, const void*, int, int) {
  throw_no_kernel("a kernel of resident blocks", dev);
}

}  // namespace teff::runtime

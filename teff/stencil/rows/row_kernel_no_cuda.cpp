// SPDX-License-Identifier: MIT
#include <teff/kernel/no_kernel.hpp>
#include <teff/stencil/rows/row_cells.hpp>

namespace teff::runtime {

std::vector<row_kernel> loaded_row_kernels(device dev, const void*, int, int,
                                           const std::vector<std::string>&) {
  throw_no_kernel("a row's kernel", dev);
}
void launch_row_kernel(const stream& on, const row_cells&, const index_t (&)[3], bool) {
  throw_no_kernel("a row's kernel", on.dev());
}

}  // namespace teff::runtime

// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <teff/base/index.hpp>
#include <teff/base/stream.hpp>

namespace teff::runtime {

struct row_cells;

/// A row's function as a kernel on a GPU: a thread for each cell.
struct row_kernel {
  void* handle;         ///< cudaKernel_t
  int reals, integers;  ///< numbers that it takes
};

/// Kernels of a cubin for this GPU, by their names, which take so many numbers. They stay loaded.
/// @throws error for a cubin that the GPU does not take, or a name that is not in it
std::vector<row_kernel> loaded_row_kernels(device dev, const void* cubin, int reals, int integers,
                                           const std::vector<std::string>& names);

/// What a kernel of rows gets: words of 8 bytes, as python/teff/row_text.py writes its parameter.
/// @param first index of the target's first cell, as a formula counts them
/// @param as_real integers are stored as f64
std::vector<unsigned long long> row_kernel_words(const row_cells& cells, const index_t (&first)[3],
                                                 bool as_real);

/// All cells of one, as the stream comes to it. @throws error if the launch is refused
void launch_row_kernel(const stream& on, const row_cells& cells, const index_t (&first)[3],
                       bool as_real);

}  // namespace teff::runtime

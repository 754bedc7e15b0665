// SPDX-License-Identifier: MIT
#include <bit>

#include <teff/stencil/rows/row_cells.hpp>

namespace teff::runtime {

std::vector<unsigned long long> row_kernel_words(const row_cells& cells, const index_t (&first)[3],
                                                 bool as_real) {
  using word = unsigned long long;
  std::vector<word> words;
  const auto add = [&](auto value) { words.push_back(std::bit_cast<word>(value)); };
  const region& to = cells.target;
  add(to.first);
  for (const index_t n : to.count) add(n);
  add(as_real ? index_t{sizeof(double)} : to.cell_bytes);
  for (const int d : {1, 2}) add(to.stride_bytes[d]);
  for (const index_t at : first) add(at);
  add(cells.step);
  add(index_t{as_real});
  add(index_t{cells.is_of_one_block});
  // (No array in the kernel's parameter is of no elements.)
  const row_kernel& kernel = *cells.what.kernel;
  for (int m = 0; m < kernel.reals; ++m) add(cells.what.reals[m]);
  if (kernel.reals == 0) add(0.0);
  for (int m = 0; m < kernel.integers; ++m) add(cells.what.integers[m]);
  if (kernel.integers == 0) add(index_t{0});
  for (const row_cells::source& from : cells.from) {
    add(from.first);
    for (const index_t by : {from.cell_bytes, from.down, from.back}) add(by);
  }
  if (cells.from.empty()) words.resize(words.size() + 4);
  return words;
}

}  // namespace teff::runtime

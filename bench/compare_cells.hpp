// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <teff/base/memory.hpp>
#include <teff/base/stream.hpp>
#include <teff/lab/result.hpp>

namespace teff::bench {

/// Compares arrays with their reference on the host, every element. Cells of a GPU come over in
/// pieces through page-locked memory; nothing of Teff's kernels takes part.
class cell_comparer {
 public:
  explicit cell_comparer(const stream& on);

  /// @shape cells: contiguous, as many as `expected` has, of extents `shape`
  /// @sync waits for the stream
  template <class T>
  lab::check_result compare(const T* cells, const std::vector<T>& expected, double tolerance,
                            const std::vector<index_t>& shape);

  /// The number of elements whose bits differ (same_bits.hpp).
  template <class T>
  std::size_t differing_bits(const T* cells, const std::vector<T>& expected);

 private:
  template <class T, class F>
  void for_each_piece(const T* cells, std::size_t count, const F& f);

  stream on_;
  std::unique_ptr<memory_block> buffer_;  // page-locked; none on the CPU
};

}  // namespace teff::bench

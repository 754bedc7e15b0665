// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

/// The serial oracle of sums of bags of columns: too simple to be wrong.
namespace teff::naive {

/// o(d, b) = sum of x(d, n) over the columns [begin[b], end[b]); x has `rows` rows, the sums add up
/// as A.
template <class A, class R, class T, class I>
void segmented_sum(std::vector<R>& o, const std::vector<T>& x, std::size_t rows,
                   const std::vector<I>& begin, const std::vector<I>& end) {
  for (std::size_t b = 0; b < begin.size(); ++b)
    for (std::size_t d = 0; d < rows; ++d) {
      A sum{};
      for (I n = begin[b]; n < end[b]; ++n)
        sum += static_cast<A>(x[static_cast<std::size_t>(n) * rows + d]);
      o[b * rows + d] = static_cast<R>(sum);
    }
}

}  // namespace teff::naive

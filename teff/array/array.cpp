// SPDX-License-Identifier: MIT
#include <teff/array/array.hpp>

namespace teff {

index_t checked_bytes(const index_t* extents, int rank, index_t cell_bytes,
                      const std::string& label) {
  std::string factors;
  index_t total = cell_bytes;
  bool negative = false, overflows = false;
  for (int d = 0; d < rank; ++d) {
    factors += (d == 0 ? "" : " x ") + std::to_string(extents[d]);
    negative = negative || extents[d] < 0;
    overflows = __builtin_mul_overflow(total, extents[d], &total) || overflows;
  }
  const std::string whose = label.empty() ? "an array" : "array '" + label + "'";
  if (negative)
    throw error("negative extent: " + whose + " of " + factors +
                " cells; every extent must be 0 or more");
  if (overflows)
    throw error("extents overflow: " + whose + " of " + factors + " cells of " +
                std::to_string(cell_bytes) + " bytes has more than 2^63 bytes");
  return total;
}

}  // namespace teff

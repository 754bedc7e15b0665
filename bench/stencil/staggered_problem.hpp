// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include <teff/base/error.hpp>
#include <teff/lab/case.hpp>

#include <bench/host_values.hpp>

namespace teff::bench {

/// Pressures at cell centres, and along each dim a field at faces. All random, because smooth data
/// would let a wrong neighbour pass.
template <class T, int Rank>
class staggered_problem {
 public:
  using value_type = T;
  static constexpr int rank = Rank, fields = Rank + 1, evolving = Rank + 1;

  explicit staggered_problem(const std::vector<index_t>& shape) : shape_(shape) {
    if (*std::ranges::min_element(shape) < 2)
      throw error(failure::usage,
                  "this step needs at least 2 cells along each dim, got " + lab::shape_text(shape));
  }
  std::vector<index_t> extents(int field) const {
    std::vector<index_t> n = shape_;
    if (field > 0) ++n[static_cast<std::size_t>(field - 1)];
    return n;
  }
  /// Pressures in [0, 1); at inner faces a tenth of that, at the border 0.
  std::vector<T> start(int field) const {
    const std::vector<index_t> n = extents(field);
    std::size_t cells = 1, stride = 1;
    for (const index_t extent : n) cells *= static_cast<std::size_t>(extent);
    std::vector<T> values = random_values<T>(cells, static_cast<std::uint64_t>(11 + field));
    if (field == 0) return values;
    const auto dim = static_cast<std::size_t>(field - 1);
    for (std::size_t d = 0; d < dim; ++d) stride *= static_cast<std::size_t>(n[d]);
    const auto faces = static_cast<std::size_t>(n[dim]);
    for (std::size_t i = 0; i < cells; ++i) {
      const std::size_t at = i / stride % faces;
      values[i] = at == 0 || at == faces - 1 ? T(0) : values[i] / 10;
    }
    return values;
  }
  /// The values stay of the order of 1, with under 32 roundings a step.
  double tolerance(int steps) const {
    return 64.0 * steps * static_cast<double>(std::numeric_limits<T>::epsilon());
  }

 protected:
  /// Cells along a dim.
  std::size_t n(std::size_t dim) const { return static_cast<std::size_t>(shape_[dim]); }

  std::vector<index_t> shape_;
};

}  // namespace teff::bench

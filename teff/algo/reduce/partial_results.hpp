// SPDX-License-Identifier: MIT
#pragma once

#include <teff/base/index.hpp>
#include <teff/base/memory.hpp>

namespace teff::inline TEFF_MODE::detail {

/// What the pieces of a reduction came to, of any type, until they are combined in their turn.
template <class A>
class partial_results {
 public:
  partial_results(const stream& on, index_t count)
      : block_(on, on.dev(), static_cast<std::size_t>(count) * sizeof(A), "partial results") {}
  A* data() const { return static_cast<A*>(block_.data()); }

 private:
  memory_block block_;
};

}  // namespace teff::inline TEFF_MODE::detail

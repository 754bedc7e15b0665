// SPDX-License-Identifier: MIT
#pragma once

#include <functional>

#include <teff/base/index.hpp>
#include <teff/base/stream.hpp>

namespace teff::runtime {

/// Slabs of a pass from begin to before end, in numbers of cells along the dim that it goes along
/// (levels/levels.hpp).
struct slab_range {
  index_t begin = 0, end = 0;
  bool is_empty() const { return begin >= end; }
};

/// A pass that makes some slabs at its ends first, so that others can have them while it makes the
/// rest. All three read the same values and write cells of their own.
struct sides_first {
  slab_range low, high, rest;
  stream urgent;  ///< on a GPU the sides are made there, beside the rest
  std::function<void()>
      made;  ///< called when they are, or are enqueued, in the fields' next values
};

}  // namespace teff::runtime

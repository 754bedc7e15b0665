// SPDX-License-Identifier: MIT
#pragma once

#include <teff/base/config.hpp>
#include <teff/base/index.hpp>

namespace teff::inline TEFF_MODE::detail {

/// The fixed order in which a column is combined along a strided dim, on every device: 16
/// neighbours in their order from the neutral value; then 16 such results in their order, and so on
/// until one is left. Twin for rows: reduce_tree. Up to `most` cells; what is longer is combined
/// piece by piece, each of `most` cells or 1/16 of that, and then the pieces' results in the same
/// way.
template <class Op, class A>
class column_tree {
 public:
  static constexpr int group = 16, levels = 3;
  static constexpr index_t most = group * group * group;

  TEFF_INLINE explicit column_tree(A neutral)
      : neutral_(neutral), sixteens_(neutral), top_(neutral) {}

  /// The next 16 cells, combined.
  TEFF_INLINE void add_group(A value) {
    sixteens_ = Op{}(sixteens_, value);
    if (++groups_ < group) return;
    top_ = Op{}(top_, sixteens_);
    sixteens_ = neutral_;
    groups_ = 0;
  }
  TEFF_INLINE A total() const { return groups_ == 0 ? top_ : Op{}(top_, sixteens_); }

 private:
  A neutral_, sixteens_, top_;
  int groups_ = 0;
};

}  // namespace teff::inline TEFF_MODE::detail

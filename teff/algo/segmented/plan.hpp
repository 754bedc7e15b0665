// SPDX-License-Identifier: MIT
#pragma once

#include <limits>
#include <string>
#include <vector>

#include <teff/base/index.hpp>

/// How sums of bags of columns are shared out: all of the shape logic, in plain numbers.
namespace teff::runtime {

/// The columns [begin, end).
struct column_range {
  index_t begin, end;
};

/// The array whose columns bags hold, if it is known when they are planned.
struct columns_of {
  index_t count = std::numeric_limits<index_t>::max();
  std::string whose;  ///< for messages
};

/// Combines some columns, or some results of others, in their order.
struct alignas(16) segment_task {
  index_t first;  ///< of a piece: its first column; of a node: the slot of its first part
  index_t bag;    ///< whose column of the result it is, if it is all of a bag
  index_t slot;   ///< where the result waits for the node above; -1: it is all of a bag
  int count;      ///< columns, or parts
  int node;       ///< the node above; -1: there is none
};

/// The fixed order in which the columns of a bag are combined, on every device. A bag is cut into
/// pieces of 64 columns, from its first on; the values of a piece are combined column after column,
/// starting from the neutral value. The results of 32 pieces, one after the other, make a node,
/// those of 32 nodes another one, until one is left.
struct segmented_plan {
  static constexpr int piece_columns = 64;
  static constexpr int node_parts = 32;

  std::vector<segment_task> pieces;  ///< of all bags that are not empty, in the order of the bags
  std::vector<segment_task> nodes;   ///< parts before the nodes above them
  std::vector<index_t> level_end;    ///< nodes of a level depend on those of earlier levels only
  std::vector<index_t> empty_bags;
  index_t bags = 0;
  index_t slots = 0;                   ///< results that wait
  index_t columns = 0;                 ///< of all bags together
  index_t last_bag = 0, last_end = 0;  ///< the bag that ends last, and where

  segmented_plan() = default;
  /// @throws error where a range is none, or ends beyond the columns that there are, before
  /// anything is made that grows with the length of a bag
  explicit segmented_plan(const std::vector<column_range>& bags, const columns_of& all = {});

  /// Work for warps: the first piece of each run, and the number of pieces at the end. A run has at
  /// most most_pieces pieces, and about `columns` columns if its pieces are not larger.
  static constexpr int most_pieces = 32;
  std::vector<index_t> runs(index_t columns_of_run) const;

  /// @throws error if a bag ends beyond the columns that there are
  void check_columns(const columns_of& all) const;
};

/// One more bag, of the columns from `start` to before `stop`.
/// @throws error for a step that is not 1
void add_bag(std::vector<column_range>& bags, index_t start, index_t stop, index_t step);

/// The bags between sorted offsets: bag b holds the columns [offsets[b], offsets[b + 1]).
/// @throws error if there are no offsets, if they are negative or not sorted
template <class I>
std::vector<column_range> ranges_between(const std::vector<I>& offsets);

}  // namespace teff::runtime

namespace teff::inline TEFF_MODE::detail {
using runtime::segment_task;
using runtime::segmented_plan;
}  // namespace teff::inline TEFF_MODE::detail

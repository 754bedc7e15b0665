// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <vector>

#include <teff/algo/segmented/ready_bags.hpp>
#include <teff/array/host_copy.hpp>

namespace teff::inline TEFF_MODE {

namespace detail {
using runtime::segmented_work;
}

/// Bags of columns, ready for use on a device, as often as wanted: who is to be summed, and how the
/// work is shared out. A counted handle. Making it takes time on the host for every bag, and on a
/// GPU an upload; using it none, and nothing waits. Calls that use it from several streams run one
/// after the other, also those of several threads of the host.
class bag_list : public runtime::ready_bags {
 public:
  /// Half-open ranges of columns, of step 1, in any order: they may overlap, leave gaps, or be
  /// empty.
  /// @param all where it is known, of which array the columns are
  /// @throws error where a range is none, or ends beyond that array
  bag_list(const stream& on, const std::vector<range>& columns, const runtime::columns_of& all = {})
      : ready_bags(on, checked(columns), all) {}

  /// Bag b holds the columns [offsets(b), offsets(b + 1)). The offsets may be on any device.
  /// @throws error if they are not sorted, or end beyond the array @sync waits for the offsets
  /// (A template, so that only who calls it compiles the kernel that gathers them.)
  template <class I>
  requires(std::same_as<I, i64> || std::same_as<I, i32>)
      bag_list(const stream& on, const array_ref<I, 1>& offsets,
               const runtime::columns_of& all = {})
      : ready_bags(on, runtime::ranges_between(to_host(offsets)), all) {}

 private:
  static std::vector<runtime::column_range> checked(const std::vector<range>& columns) {
    std::vector<runtime::column_range> bags;
    for (const range& r : columns) runtime::add_bag(bags, r.start, r.stop, r.step);
    return bags;
  }
};

}  // namespace teff::inline TEFF_MODE

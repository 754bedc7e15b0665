// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <memory>
#include <mutex>
#include <vector>

#include <teff/algo/segmented/plan.hpp>
#include <teff/array/host_copy.hpp>

namespace teff::inline TEFF_MODE {

namespace detail {

/// Where a kernel finds a plan.
struct segmented_work {
  const segment_task* pieces;
  const segment_task* nodes;
  const index_t* runs;
  const index_t* empty_bags;
  unsigned* arrived;  ///< of each node and tile of rows: 0 before and after every call
  void* waiting;      ///< results that wait for others
  index_t run_count, empty_count;
};

}  // namespace detail

/// Bags of columns, ready for use on a device, as often as wanted: who is to be summed, and how the
/// work is shared out. A counted handle. Making it takes time on the host for every bag, and on a
/// GPU an upload; using it none, and nothing waits. Calls that use it from several streams run one
/// after the other, also those of several threads of the host.
class bag_list {
 public:
  /// Half-open ranges of columns, of step 1, in any order: they may overlap, leave gaps, or be
  /// empty.
  /// @param all where it is known, of which array the columns are
  /// @throws error where a range is none, or ends beyond that array
  bag_list(const stream& on, const std::vector<range>& columns, const runtime::columns_of& all = {})
      : bag_list(on, checked(columns), all) {}

  /// Bag b holds the columns [offsets(b), offsets(b + 1)). The offsets may be on any device.
  /// @throws error if they are not sorted, or end beyond the array @sync waits for the offsets
  /// (A template, so that only who calls it compiles the kernel that gathers them.)
  template <class I>
  requires(std::same_as<I, i64> || std::same_as<I, i32>)
      bag_list(const stream& on, const array_ref<I, 1>& offsets,
               const runtime::columns_of& all = {})
      : bag_list(on, runtime::ranges_between(to_host(offsets)), all) {}

  index_t size() const { return made_->plan.bags; }
  device dev() const { return made_->on.dev(); }
  const stream& on() const { return made_->on; }
  const runtime::segmented_plan& plan() const { return made_->plan; }

  /// Lends the list's memory to one call, until its kernels are enqueued and on() waits for them:
  /// without that two threads of the host would fill it at the same time, and kernels of two
  /// streams run in it.
  [[nodiscard]] std::unique_lock<std::mutex> lend() const {
    return std::unique_lock(made_->in_use);
  }
  /// For kernels that cut the rows into `tiles`, with slots of so many bytes for results that wait;
  /// what there is to do is enqueued in on(). Only for whom the memory is lent to.
  detail::segmented_work work(index_t tiles, index_t slot_bytes) const {
    if (made_->runs == nullptr) upload();
    const index_t waiting =
        made_->plan.slots * tiles * slot_bytes / static_cast<index_t>(sizeof(i64));
    if (made_->waiting == nullptr || made_->waiting->size() < waiting)
      made_->waiting =
          std::make_unique<array<i64, 1>>(made_->on, extents<1>(waiting), "parts of bags");
    const auto nodes = static_cast<index_t>(made_->plan.nodes.size());
    if (made_->arrived == nullptr || made_->arrived->size() < nodes * tiles)
      made_->arrived = zeroed(nodes * tiles);
    const auto tasks = [](const array<i64, 1>& words) {
      return reinterpret_cast<const runtime::segment_task*>(words.data());
    };
    return {.pieces = tasks(*made_->pieces),
            .nodes = tasks(*made_->nodes),
            .runs = made_->runs->data(),
            .empty_bags = made_->empty_bags->data(),
            .arrived = reinterpret_cast<unsigned*>(made_->arrived->data()),
            .waiting = made_->waiting->data(),
            .run_count = made_->runs->size() - 1,
            .empty_count = made_->empty_bags->size()};
  }

 private:
  /// Arrays hold plain numbers: a task is four of them.
  using words = std::unique_ptr<array<i64, 1>>;
  struct made {
    stream on;
    runtime::segmented_plan plan;
    words pieces, nodes, runs, empty_bags, waiting;
    std::unique_ptr<array<i32, 1>> arrived;
    std::mutex in_use;  // what follows the plan: made when first used, and shared by all calls

    made(const stream& where, runtime::segmented_plan&& planned)
        : on(where), plan(std::move(planned)) {}
  };

  bag_list(const stream& on, const std::vector<runtime::column_range>& ranges,
           const runtime::columns_of& all)
      : made_(std::make_shared<made>(on, runtime::segmented_plan(ranges, all))) {
    if (on.dev().is_cuda()) upload();
  }

  /// Brings the plan to where kernels read it.
  void upload() const {
    const runtime::segmented_plan& plan = made_->plan;
    // Enough runs to fill the device once, and short enough that it does not wait for the last
    // ones.
    const index_t warps = known_device(made_->on.dev()).processors * warps_wanted;
    const index_t share = ceil_div(plan.columns, warps);
    made_->runs = uploaded(plan.runs(share < most_columns ? share : most_columns));
    made_->pieces = uploaded(plan.pieces);
    made_->nodes = uploaded(plan.nodes);
    made_->empty_bags = uploaded(plan.empty_bags);
  }

  static constexpr index_t warps_wanted = 24;  // of a multiprocessor
  static constexpr index_t most_columns = 32;  // of a run of short bags

  std::unique_ptr<array<i32, 1>> zeroed(index_t counters) const {
    auto all = std::make_unique<array<i32, 1>>(made_->on, extents<1>(counters),
                                               "arrivals at the nodes of bags");
    zero_bytes(made_->on, all->data(), static_cast<std::size_t>(counters) * sizeof(i32));
    return all;
  }
  template <class W>
  words uploaded(const std::vector<W>& values) const {
    constexpr auto per_value = static_cast<index_t>(sizeof(W) / sizeof(i64));
    auto to = std::make_unique<array<i64, 1>>(
        made_->on, extents<1>(static_cast<index_t>(values.size()) * per_value), "bags");
    copy_bytes(made_->on, to->data(), values.data(), values.size() * sizeof(W));
    return to;
  }
  static std::vector<runtime::column_range> checked(const std::vector<range>& columns) {
    std::vector<runtime::column_range> ranges;
    ranges.reserve(columns.size());
    for (const range& r : columns) {
      if (r.step != 1)
        throw error("bag " + std::to_string(ranges.size()) + " has a step of " +
                    std::to_string(r.step) + "; the columns of a bag lie side by side");
      ranges.push_back({r.start, r.stop});
    }
    return ranges;
  }

  std::shared_ptr<made> made_;
};

}  // namespace teff::inline TEFF_MODE

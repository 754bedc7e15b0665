// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include <teff/algo/segmented/plan.hpp>
#include <teff/base/stream.hpp>

/// What of a bag_list needs no types.
namespace teff::runtime {

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

class ready_bags {
  struct made;

 public:
  index_t size() const { return plan().bags; }
  device dev() const { return on().dev(); }
  const stream& on() const;
  const segmented_plan& plan() const;

  /// Until it goes, the list's memory is lent to one call.
  class loan {
   public:
    explicit loan(made& of);
    ~loan();
    loan(const loan&) = delete;
    loan& operator=(const loan&) = delete;

   private:
    made& of_;
  };
  /// Lends the list's memory to one call, until its kernels are enqueued and on() waits for them:
  /// without that two threads of the host would fill it at the same time, and kernels of two
  /// streams run in it.
  [[nodiscard]] loan lend() const { return loan(*made_); }
  /// For kernels that cut the rows into `tiles`, with slots of so many bytes for results that wait;
  /// what there is to do is enqueued in on(). Only for whom the memory is lent to.
  segmented_work work(index_t tiles, index_t slot_bytes) const;

 protected:
  ready_bags(const stream& on, const std::vector<column_range>& ranges, const columns_of& all);

 private:
  std::shared_ptr<made> made_;
};

}  // namespace teff::runtime

// SPDX-License-Identifier: MIT
#include <mutex>
#include <optional>
#include <utility>

#include <teff/algo/segmented/ready_bags.hpp>
#include <teff/base/memory.hpp>

namespace teff::runtime {

namespace {

constexpr index_t warps_wanted = 24;  // of a multiprocessor
constexpr index_t most_columns = 32;  // of a run of short bags

}  // namespace

struct ready_bags::made {
  /// Values where kernels read them.
  struct uploaded {
    std::optional<memory_block> block;
    std::size_t bytes = 0;

    void* make(const stream& on, std::size_t count, const char* label) {
      bytes = count;
      block.emplace(on, on.dev(), bytes, label);
      return block->data();
    }
    template <class W>
    void copy(const stream& on, const std::vector<W>& values) {
      void* const to = make(on, values.size() * sizeof(W), "bags");
      copy_bytes(on, to, values.data(), bytes);
    }
    template <class W>
    W* as() const {
      return static_cast<W*>(block->data());
    }
  };

  stream on;
  segmented_plan plan;
  uploaded pieces, nodes, runs, empty_bags, waiting, arrived;
  std::mutex in_use;  // what follows the plan: made when first used, and shared by all calls

  made(const stream& where, segmented_plan&& planned) : on(where), plan(std::move(planned)) {}

  /// Brings the plan to where kernels read it.
  void upload() {
    // Enough runs to fill the device once, and short enough that it does not wait for the last
    // ones.
    const index_t warps = known_device(on.dev()).processors * warps_wanted;
    const index_t share = ceil_div(plan.columns, warps);
    runs.copy(on, plan.runs(share < most_columns ? share : most_columns));
    pieces.copy(on, plan.pieces);
    nodes.copy(on, plan.nodes);
    empty_bags.copy(on, plan.empty_bags);
  }
};

ready_bags::ready_bags(const stream& on, const std::vector<column_range>& ranges,
                       const columns_of& all)
    : made_(std::make_shared<made>(on, segmented_plan(ranges, all))) {
  if (on.dev().is_cuda()) made_->upload();
}

const stream& ready_bags::on() const {
  return made_->on;
}
const segmented_plan& ready_bags::plan() const {
  return made_->plan;
}

ready_bags::loan::loan(made& of) : of_(of) {
  of_.in_use.lock();
}
ready_bags::loan::~loan() {
  of_.in_use.unlock();
}

segmented_work ready_bags::work(index_t tiles, index_t slot_bytes) const {
  made& m = *made_;
  if (!m.runs.block) m.upload();
  const auto waiting = static_cast<std::size_t>(m.plan.slots * tiles * slot_bytes);
  if (!m.waiting.block || m.waiting.bytes < waiting) m.waiting.make(m.on, waiting, "parts of bags");
  const std::size_t counters =
      m.plan.nodes.size() * static_cast<std::size_t>(tiles) * sizeof(unsigned);
  if (!m.arrived.block || m.arrived.bytes < counters)
    zero_bytes(m.on, m.arrived.make(m.on, counters, "arrivals at the nodes of bags"), counters);
  return {.pieces = m.pieces.as<segment_task>(),
          .nodes = m.nodes.as<segment_task>(),
          .runs = m.runs.as<index_t>(),
          .empty_bags = m.empty_bags.as<index_t>(),
          .arrived = m.arrived.as<unsigned>(),
          .waiting = m.waiting.as<void>(),
          .run_count = static_cast<index_t>(m.runs.bytes / sizeof(index_t)) - 1,
          .empty_count = static_cast<index_t>(m.plan.empty_bags.size())};
}

}  // namespace teff::runtime

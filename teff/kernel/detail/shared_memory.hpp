// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <teff/kernel/emulator.hpp>

namespace teff::runtime {

class fiber_thread;

/// The shared memory of an emulated block, with a record of every element: who wrote and read it
/// since the last barrier. Two accesses of one element by different threads, not both reads and not
/// both atomic, need a barrier between them, or the same warp and its sync. But two writes of the
/// same value do not: they are only counted.
class shared_memory {
 public:
  shared_memory(std::size_t bytes, bool check);

  /// A block begins: nothing is carved, nothing is written.
  void begin();
  /// All threads of the block have met: whatever they did before is ordered.
  void pass_barrier() { ++epoch_; }

  int carve(fiber_thread& by, index_t n, std::size_t element_bytes, std::size_t alignment, site at);
  void* access(fiber_thread& by, int array, index_t i, int count, shared_use use,
               const void* written, site at);

 private:
  /// The latest access of one kind by a warp. Of the lanes that made it since the warp's last sync,
  /// two are kept: with two, any thread finds one that it is not.
  struct trace {
    std::uint32_t epoch = 0;  // of the block; another one: nothing is recorded
    std::uint32_t warp_epoch = 0;
    std::uint16_t warp = 0;
    std::int8_t lane = 0;
    std::int8_t other_lane = -1;
    int line = 0;
    const char* file = nullptr;
  };
  /// Traces of two warps: with two, any thread finds one that it is not in.
  using traces = trace[2];
  struct element {
    std::uint32_t written_in = 0;  // which block
    traces writes;
    traces reads;
    traces atomics;
  };
  struct carved_array {
    std::size_t offset, element_bytes;
    index_t n;
    site where;
    std::size_t first;  // of its elements' records
  };

  /// @param is_same what is written is there already
  void check_element(fiber_thread& by, int array, index_t i, shared_use use, bool is_same, site at);
  int conflicting_lane(const trace& t, const fiber_thread& by) const;
  void note(traces& of, const fiber_thread& by, site at) const;
  void note(trace& of, const fiber_thread& by, site at) const;
  void check_order(const fiber_thread& by, int array, index_t i, const element& e, shared_use use,
                   bool is_same, site at) const;
  [[noreturn]] void throw_race(const fiber_thread& by, int array, index_t i, shared_use use,
                               site at, const trace& other, int other_lane, const char* did) const;
  std::string name(int array, index_t i) const;

  struct free_aligned {
    void operator()(std::byte* memory) const;
  };
  std::size_t bytes_;
  bool check_;
  std::unique_ptr<std::byte, free_aligned> memory_;
  std::size_t carved_bytes_ = 0;
  std::vector<carved_array> arrays_;
  std::vector<element> elements_;
  std::size_t used_elements_ = 0;
  std::uint32_t epoch_ = 1;
  std::uint32_t block_ = 0;
};

}  // namespace teff::runtime

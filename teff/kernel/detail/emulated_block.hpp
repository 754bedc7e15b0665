// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include <teff/kernel/detail/bank_counter.hpp>
#include <teff/kernel/detail/fiber.hpp>
#include <teff/kernel/detail/sector_counter.hpp>
#include <teff/kernel/detail/shared_memory.hpp>
#include <teff/kernel/emulator.hpp>

/// What a resident block of an emulated kernel is made of. All of it belongs to one host thread,
/// which runs one fiber at a time: nothing here is atomic.
namespace teff::runtime {

inline constexpr int warp_lanes = 32;

enum class thread_state : std::uint8_t { ready, at_barrier, in_warp_operation, waiting, done };
inline constexpr int thread_states = 5;

class block_scheduler;
struct emulated_block;
struct emulated_warp;

/// Unwinds a thread of a kernel that failed elsewhere. No std::exception: kernels catch nothing.
struct abandoned {};

class fiber_thread final : public emulated_thread {
 public:
  void sync(const operation_call& call) override;
  int carve(index_t n, std::size_t element_bytes, std::size_t alignment, site at) override;
  void* access(int array, index_t i, int count, shared_use use, const void* written,
               site at) override;
  void exchange(warp_operation what, const void* in, void* out, std::size_t bytes, int from,
                const operation_call& call) override;
  unsigned vote(warp_operation what, bool mine, const operation_call& call) override;
  void sync_warp(const operation_call& call) override;
  void wait(bool (*ready)(const void* context), const void* context, site at) override;
  void poll(const void* memory, void* out, std::size_t bytes) override;
  void yield() override;
  void changed_memory(bool changed) override;

  void set_state(thread_state next);
  /// Gives the host thread to the others. @throws abandoned if the kernel failed meanwhile
  void suspend();
  /// Suspends in a warp operation until all lanes are in it.
  void enter_warp_operation(warp_operation what, const operation_call& call);
  /// Where it is, and in which copy of the code.
  void is_in(const operation_call& call);
  /// Runs the kernel; the fiber's function.
  static void enter(void* self);

  emulated_block* owner = nullptr;
  emulated_warp* warp = nullptr;
  int lane = 0;
  fiber on;
  bool has_started = false;
  thread_state state = thread_state::ready;
  site where{"", 0};  // of the call that it waits in
  // What tells copies of that call apart.
  std::ptrdiff_t copy_place = 0;  // of the copy's own variable, from the outermost frame
  std::size_t callers = 0;        // a number for the functions that called each other
  // In a warp operation: which, what it gives and takes.
  warp_operation operation = warp_operation::sync;
  const void* given = nullptr;
  void* taken = nullptr;
  std::size_t bytes = 0;
  int from = 0;
  bool predicate = false;
  // Waiting for a published value.
  bool (*ready_when)(const void*) = nullptr;
  const void* ready_context = nullptr;
  int carved = 0;  // arrays
};

struct emulated_warp {
  emulated_block* owner = nullptr;
  fiber_thread* first = nullptr;  // of its lanes, one after the other
  int index = 0;
  int lanes = 0;
  int count[thread_states] = {};  // lanes in each state
  std::uint32_t epoch = 0;        // counts warp.sync, which orders shared memory among the lanes
  unsigned ballot = 0;            // result of the last vote
  bank_counter banks;
  sector_counter sectors;

  int in(thread_state state) const { return count[static_cast<int>(state)]; }
};

struct emulated_block {
  block_scheduler* scheduler = nullptr;
  const emulated_launch* launch = nullptr;
  index_t index[3] = {};
  std::vector<fiber_thread> threads;
  std::vector<emulated_warp> warps;
  std::vector<emulated_warp*> order;  // in which the warps run
  int count[thread_states] = {};
  shared_memory shared;
  index_t last_poll_round = 0;
  bool has_run = false;  // in this round

  emulated_block(block_scheduler& by, const emulated_launch& launched, bool check);
  void begin(index_t number);
  int in(thread_state state) const { return count[static_cast<int>(state)]; }
};

/// Of two threads in the same call of the source (file and line agree): true if they are in two
/// copies of it, as a function with that call was called from two places. A variable in it tells:
/// each inlined copy of a function has its own. (Not the address of the code: compilers also copy
/// calls with the branch that they are in, or join them, and such copies share their variables.)
/// Where nothing is inlined, as nothing is optimized, the callers tell.
bool is_other_copy(const fiber_thread& a, const fiber_thread& b);

/// Runs the blocks of one launch: resident blocks by turns, in each the warps, in each the lanes.
class block_scheduler {
 public:
  block_scheduler(const emulated_launch& launch, emulated_body body, const void* function,
                  const emulator_options& options, emulator_report& report);
  void run();

  const emulator_options& options;
  emulator_report& report;
  const emulated_launch& launch;
  emulated_body body;
  const void* function;
  std::exception_ptr fault;     // what a fiber let out
  bool is_abandoning = false;   // fibers are unwound
  bool memory_changed = false;  // in this round, as far as pollers can see
  bool was_polled = false;      // in this round
  index_t round = 0;

 private:
  void admit();
  bool run_round();
  bool visit(emulated_warp& warp);
  void resume(fiber_thread& thread);
  bool complete_warp_operation(emulated_warp& warp);
  bool complete_barrier(emulated_block& block);
  void close_counters(emulated_block& block);
  void retire_blocks();
  void abandon() noexcept;
  void check_quiet();
  std::uint64_t random();
  template <class T>
  void shuffle(T* first, int n);

  std::uint64_t random_state_;
  index_t blocks_;               // of the launch
  index_t next_block_ = 0;       // place of the next one in the shuffled order
  std::vector<index_t> coming_;  // the next ones
  std::vector<std::unique_ptr<emulated_block>> resident_;
  std::vector<std::unique_ptr<emulated_block>> idle_;
  index_t quiet_ = 0;  // rounds
};

/// The texts of faults. Each names the kernel's launch, block and threads, places, and what to do.
[[noreturn]] void throw_barrier_fault(const emulated_block& block);
[[noreturn]] void throw_warp_fault(const emulated_warp& warp);
[[noreturn]] void throw_deadlock(const std::vector<std::unique_ptr<emulated_block>>& resident,
                                 index_t not_started, index_t quiet_rounds);
/// "thread 17": as many numbers as the launch has dims.
std::string thread_name(const emulated_thread& thread);

}  // namespace teff::runtime

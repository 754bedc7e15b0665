// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>

#include <teff/array/access.hpp>
#include <teff/base/interrupt.hpp>
#include <teff/base/thrown.hpp>
#include <teff/kernel/assert.hpp>
#include <teff/kernel/detail/emulated_block.hpp>
#include <teff/kernel/has_emulator.hpp>

namespace teff {

namespace {
thread_local emulation* innermost = nullptr;
thread_local runtime::fiber_thread* running = nullptr;
}  // namespace

std::string why_no_emulator() {
  return runtime::has_fibers()
             ? ""
             : "block kernels run on a GPU only here: this Teff was built without their emulator, "
               "which needs Boost.Context (Debian: libboost-context-dev; CMAKE_PREFIX_PATH names "
               "other places). Build Teff again where CMake finds it";
}

/// Who may write an emulation's report.
class emulator_access {
 public:
  static emulator_report& report(emulation& e) { return e.report_; }
};

emulation::emulation(const emulator_options& options) : options_(options), outer_(innermost) {
  if (options.resident_blocks < 1 || options.quiet_rounds < 1)
    throw error(failure::usage, "emulation: resident_blocks and quiet_rounds are 1 or more");
  innermost = this;
}

emulation::~emulation() {
  innermost = outer_;
}

std::string emulator_report::sectors_text() const {
  if (sectors.accesses == 0) return "";
  return std::to_string(sectors.asked) + " sectors asked for, " + std::to_string(sectors.needed) +
         " needed";
}

namespace runtime {

block_scheduler::block_scheduler(const emulated_launch& launched, emulated_body run_body,
                                 const void* run_function, const emulator_options& asked,
                                 emulator_report& counted)
    : options(asked),
      report(counted),
      launch(launched),
      body(run_body),
      function(run_function),
      random_state_((asked.seed + 1) * 0x9e3779b97f4a7c15U | 1U),
      blocks_(launched.blocks[0] * launched.blocks[1] * launched.blocks[2]) {}

std::uint64_t block_scheduler::random() {
  random_state_ ^= random_state_ >> 12;
  random_state_ ^= random_state_ << 25;
  random_state_ ^= random_state_ >> 27;
  return random_state_ * 0x2545f4914f6cdd1dU >> 32;
}

template <class T>
void block_scheduler::shuffle(T* first, int n) {
  for (int i = n - 1; i > 0; --i)
    std::swap(first[i], first[random() * static_cast<std::uint64_t>(i + 1) >> 32]);
}

void block_scheduler::run() {
  try {
    admit();
    while (!resident_.empty()) {
      ++round;
      end_if_interrupted(launch.where);
      memory_changed = was_polled = false;
      const bool has_progressed = run_round();
      retire_blocks();
      if (!has_progressed) throw_deadlock(resident_, blocks_ - next_block_, 0);
      check_quiet();
      admit();
    }
  } catch (...) {
    running = nullptr;
    abandon();
    throw;
  }
}

void block_scheduler::admit() {
  // All blocks in random order; of more than a million, a million at a time.
  constexpr index_t window = index_t{1} << 20;
  const index_t most = launch.all_resident ? blocks_ : options.resident_blocks;
  while (next_block_ < blocks_ && static_cast<index_t>(resident_.size()) < most) {
    if (coming_.empty()) {
      for (index_t b = next_block_; b < std::min(blocks_, next_block_ + window); ++b)
        coming_.push_back(b);
      shuffle(coming_.data(), static_cast<int>(coming_.size()));
    }
    if (idle_.empty())
      idle_.push_back(std::make_unique<emulated_block>(*this, launch, options.check));
    resident_.push_back(std::move(idle_.back()));
    idle_.pop_back();
    resident_.back()->begin(coming_.back());
    coming_.pop_back();
    ++next_block_;
    ++report.blocks;
    report.threads += static_cast<index_t>(resident_.back()->threads.size());
  }
}

bool block_scheduler::run_round() {
  bool has_progressed = false;
  shuffle(resident_.data(), static_cast<int>(resident_.size()));
  for (auto& block : resident_) {
    block->has_run = false;
    shuffle(block->order.data(), static_cast<int>(block->order.size()));
    for (emulated_warp* warp : block->order)
      if (visit(*warp)) block->has_run = true;
    if (complete_barrier(*block)) block->has_run = true;
    has_progressed |= block->has_run;
  }
  return has_progressed;
}

/// Runs the lanes that can run. @returns whether anything was done, or left for the next round
bool block_scheduler::visit(emulated_warp& warp) {
  bool has_run = false;
  do {
    if (warp.in(thread_state::ready) + warp.in(thread_state::waiting) == 0) break;
    // Now and then a warp falls behind the others.
    if (warp.in(thread_state::ready) > 0 && random() % 8 == 0) return true;
    int order[warp_lanes];
    for (int l = 0; l < warp.lanes; ++l) order[l] = l;
    shuffle(order, warp.lanes);
    for (int l = 0; l < warp.lanes; ++l) {
      fiber_thread& thread = warp.first[order[l]];
      if (thread.state == thread_state::waiting) {
        running = &thread;  // the question is the kernel's, and may assert something
        const bool is_ready = thread.ready_when(thread.ready_context);
        running = nullptr;
        if (!is_ready) continue;
        thread.set_state(thread_state::ready);
        memory_changed = true;
      }
      if (thread.state != thread_state::ready) continue;
      resume(thread);
      has_run = true;
    }
  } while (complete_warp_operation(warp) && random() % 2 == 0);
  return has_run;
}

void block_scheduler::resume(fiber_thread& thread) {
  running = &thread;
  thread.has_started = true;
  thread.on.resume();
  running = nullptr;
  if (fault != nullptr) std::rethrow_exception(fault);
}

bool block_scheduler::complete_warp_operation(emulated_warp& warp) {
  const int here = warp.in(thread_state::in_warp_operation);
  if (here == 0 || warp.in(thread_state::ready) + warp.in(thread_state::waiting) > 0) return false;
  fiber_thread* const lanes = warp.first;
  bool is_same = here == warp.lanes;
  for (int l = 0; l < warp.lanes && is_same; ++l)
    is_same = lanes[l].operation == lanes[0].operation &&
              lanes[l].where.line == lanes[0].where.line && lanes[l].bytes == lanes[0].bytes &&
              std::strcmp(lanes[l].where.file, lanes[0].where.file) == 0 &&
              !is_other_copy(lanes[l], lanes[0]);
  if (!is_same) throw_warp_fault(warp);
  warp.ballot = 0;
  for (int l = 0; l < warp.lanes; ++l) {
    fiber_thread& thread = lanes[l];
    if (thread.taken != nullptr) {
      if (thread.from < warp.lanes)
        std::memcpy(thread.taken, lanes[thread.from].given, thread.bytes);
      else
        std::memset(thread.taken, 0xff, thread.bytes);
    }
    if (thread.predicate) warp.ballot |= 1U << l;
  }
  warp.sectors.close(report);
  if (lanes[0].operation == warp_operation::sync) {
    ++warp.epoch;
    warp.banks.close(report);
  }
  for (int l = 0; l < warp.lanes; ++l) {
    lanes[l].taken = nullptr;
    lanes[l].predicate = false;
    lanes[l].bytes = 0;
    lanes[l].set_state(thread_state::ready);
  }
  return true;
}

bool block_scheduler::complete_barrier(emulated_block& block) {
  const int here = block.in(thread_state::at_barrier), done = block.in(thread_state::done);
  if (here == 0 || here + done < static_cast<int>(block.threads.size())) return false;
  const fiber_thread& first = block.threads[0];
  bool is_same = done == 0;
  for (const fiber_thread& thread : block.threads)
    is_same = is_same && thread.where.line == first.where.line &&
              (thread.where.file == first.where.file ||
               std::strcmp(thread.where.file, first.where.file) == 0) &&
              !is_other_copy(thread, first);
  if (!is_same) throw_barrier_fault(block);
  block.shared.pass_barrier();
  ++report.barriers;
  close_counters(block);
  for (fiber_thread& thread : block.threads) thread.set_state(thread_state::ready);
  return true;
}

void block_scheduler::close_counters(emulated_block& block) {
  for (emulated_warp& warp : block.warps) {
    warp.banks.close(report);
    warp.sectors.close(report);
  }
}

void block_scheduler::retire_blocks() {
  for (std::size_t b = 0; b < resident_.size();) {
    emulated_block& block = *resident_[b];
    if (block.in(thread_state::done) < static_cast<int>(block.threads.size())) {
      ++b;
      continue;
    }
    close_counters(block);
    memory_changed = true;
    idle_.push_back(std::move(resident_[b]));
    resident_.erase(resident_.begin() + static_cast<std::ptrdiff_t>(b));
  }
}

/// Loops that poll by themselves always run: they are stuck when for long nothing changes that they
/// could see. A block that works without polling may still change something.
void block_scheduler::check_quiet() {
  const index_t busy_rounds = std::min<index_t>(1024, options.quiet_rounds / 2);
  for (const auto& block : resident_)
    if (block->has_run && round - block->last_poll_round > busy_rounds) memory_changed = true;
  if (memory_changed)
    quiet_ = 0;
  else if (was_polled)
    ++quiet_;
  if (quiet_ > options.quiet_rounds)
    throw_deadlock(resident_, blocks_ - next_block_, options.quiet_rounds);
}

/// Lets every fiber unwind its stack.
void block_scheduler::abandon() noexcept {
  is_abandoning = true;
  for (auto& block : resident_)
    for (fiber_thread& thread : block->threads)
      if (thread.has_started && thread.state != thread_state::done) thread.on.resume();
}

namespace {

/// The report of the innermost emulation, or `own`.
emulator_report& begun_report(emulator_report& own) {
  emulator_report& report = innermost != nullptr ? emulator_access::report(*innermost) : own;
  report = {};
  return report;
}

/// Counts for the thread that runs.
class warps_of_blocks final : public access_listener {
 public:
  void note(const void* cell, std::size_t bytes) override {
    if (running != nullptr) running->warp->sectors.note(running->lane, cell, bytes);
  }
};

/// Counts for a lane of one warp.
class one_warp final : public access_listener {
 public:
  void note(const void* cell, std::size_t bytes) override { sectors.note(lane, cell, bytes); }

  sector_counter sectors;
  int lane = 0;
};

}  // namespace

emulator_report emulate(const emulated_launch& launch, emulated_body body, const void* function) {
  if (const std::string why = why_no_emulator(); !why.empty())
    throw error(failure::no_device, why + at(launch.where));
  if (running != nullptr)
    throw error("launch_blocks inside of a block kernel" + at(launch.where) +
                ": kernels are launched by the host");
  emulator_report own;
  emulator_report& report = begun_report(own);
  const emulator_options options = innermost != nullptr ? innermost->options() : emulator_options{};
  warps_of_blocks counting;
  const listening here(options.check ? &counting : nullptr);
  block_scheduler(launch, body, function, options, report).run();
  return report;
}

bool is_emulating() {
  if (running != nullptr)
    throw error("launch inside of a block kernel: kernels are launched by the host");
  return innermost != nullptr;
}

emulator_report emulate_cells(const index_t (&cells)[3], const index_t (&threads)[3], int rank,
                              void (*body)(const void* function, const index_t (&cell)[3]),
                              const void* function) {
  emulator_report own;
  emulator_report& report = begun_report(own);
  one_warp counting;
  const listening here(innermost == nullptr || innermost->options().check ? &counting : nullptr);
  const index_t of_block = threads[0] * threads[1] * threads[2];
  index_t blocks[3];
  for (int d = 0; d < 3; ++d) blocks[d] = ceil_div(cells[d], threads[d]);
  report.blocks = blocks[0] * blocks[1] * blocks[2];
  report.threads = report.blocks * of_block;
  for (index_t b = 0; b < report.blocks; ++b)
    for (index_t t = 0; t < of_block; ++t) {
      const index_t cell[3] = {
          b % blocks[0] * threads[0] + t % threads[0],
          b / blocks[0] % blocks[1] * threads[1] + t / threads[0] % threads[1],
          b / blocks[0] / blocks[1] * threads[2] + t / threads[0] / threads[1]};
      counting.lane = static_cast<int>(t % warp_lanes);
      if (cell[0] < cells[0] && cell[1] < cells[1] && cell[2] < cells[2]) {
        thrown_in_loop thrown;
        try {
          body(function, cell);
        } catch (...) {
          thrown.keep(cell[0]);
        }
        thrown.pass_on_from(rank, cell[1], cell[2]);
      }
      if (counting.lane == warp_lanes - 1 || t == of_block - 1) counting.sectors.close(report);
    }
  return report;
}

void throw_in_kernel(const std::string& what) {
  if (running != nullptr) throw_fault(*running, what);
  throw error(what);
}

void throw_failed_assertion(const char* condition, site where) {
  throw_in_kernel("assertion failed: " + std::string(condition) + at(where));
}

void throw_no_array(site where) {
  throw_in_kernel("uses a shared array that was not carved, shared_array::none()," + at(where) +
                  "; assign what blk.shared<T>(n) gives to it before");
}

void throw_no_dim(int dim, int dims, site where) {
  throw_in_kernel("there is no dim " + std::to_string(dim) + " of " + std::to_string(dims) +
                  ", which are counted from 0," + at(where));
}

void print_emulated_place() {
  if (running == nullptr) return;
  const auto number = [](index_t n) { return static_cast<long long>(n); };
  std::printf("block %lld,%lld,%lld thread %d,%d,%d: ", number(running->block[0]),
              number(running->block[1]), number(running->block[2]), running->thread[0],
              running->thread[1], running->thread[2]);
}

}  // namespace runtime
}  // namespace teff

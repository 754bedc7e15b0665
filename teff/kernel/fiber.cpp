// SPDX-License-Identifier: MIT
#include <boost/context/detail/fcontext.hpp>
#include <cstdint>
#include <string>
#include <sys/mman.h>
#include <vector>

#include <teff/base/config.hpp>
#include <teff/base/error.hpp>
#include <teff/kernel/detail/fiber.hpp>

#ifdef TEFF_UNDER_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace teff::runtime {

namespace {

namespace context = boost::context::detail;

/// Below a stack, so that a frame that does not fit is found: wider than most frames.
constexpr std::size_t guard_bytes = std::size_t{64} << 10;

// AddressSanitizer keeps shadow stacks by thread: it must know of every switch. Its builds are not
// optimized, where a kernel's frame alone can take 128 KB.
#ifdef TEFF_UNDER_ASAN
constexpr std::size_t stack_bytes = std::size_t{512} << 10;
void before_switch(void** keep, const void* to, std::size_t bytes) {
  __sanitizer_start_switch_fiber(keep, to, bytes);
}
void after_switch(void* kept, const void** from, std::size_t* bytes) {
  __sanitizer_finish_switch_fiber(kept, from, bytes);
}
void forget_old_frames(void* stack) {
  __asan_unpoison_memory_region(stack, stack_bytes);
}
#else
constexpr std::size_t stack_bytes = std::size_t{128} << 10;
void before_switch(void**, const void*, std::size_t) {}
void after_switch(void*, const void**, std::size_t*) {}
void forget_old_frames(void*) {}
#endif

/// Stacks of this host thread that are not in use. A kernel takes thousands, one launch after the
/// other.
class stack_pool {
 public:
  stack_pool() = default;
  stack_pool(stack_pool&&) = delete;
  stack_pool& operator=(stack_pool&&) = delete;
  ~stack_pool() {
    for (std::byte* stack : free_) unmap(stack);
  }

  std::byte* take() {
    if (!free_.empty()) {
      std::byte* stack = free_.back();
      free_.pop_back();
      return stack;
    }
    void* memory = mmap(nullptr, stack_bytes + guard_bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (memory == MAP_FAILED || mprotect(memory, guard_bytes, PROT_NONE) != 0)
      throw error(
          failure::out_of_memory,
          "emulator: no memory for the stack of one more thread; launch with fewer threads or "
          "fewer resident_blocks");
    return static_cast<std::byte*>(memory) + guard_bytes;
  }
  void give(std::byte* stack) noexcept {
    if (free_.size() < most_kept)
      free_.push_back(stack);
    else
      unmap(stack);
  }

 private:
  static constexpr std::size_t most_kept = 4096;  // four blocks of 1024 threads
  static void unmap(std::byte* stack) { munmap(stack - guard_bytes, stack_bytes + guard_bytes); }

  std::vector<std::byte*> free_;
};

thread_local stack_pool stacks;

}  // namespace

struct fiber_access {
  static void run(context::transfer_t from) {
    fiber& self = *static_cast<fiber*>(from.data);
    after_switch(nullptr, &self.outer_stack_, &self.outer_stack_bytes_);
    self.outside_ = from.fctx;
    self.function_(self.argument_);
    // A null pointer to keep: this stack's frames are gone for good.
    before_switch(nullptr, self.outer_stack_, self.outer_stack_bytes_);
    context::jump_fcontext(self.outside_, nullptr);
    __builtin_unreachable();
  }
};

bool has_fibers() noexcept {
  return true;
}

fiber::~fiber() {
  if (stack_ != nullptr) stacks.give(stack_);
}

void fiber::start(entry function, void* argument) {
  if (stack_ == nullptr) stack_ = stacks.take();
  forget_old_frames(stack_);
  function_ = function;
  argument_ = argument;
  // Tops of stacks would all fall into the same few sets of the L1 cache: they begin at different
  // lines, all at multiples of 128 bytes, so that frames look the same for all threads.
  const auto place = reinterpret_cast<std::uintptr_t>(stack_) / (stack_bytes + guard_bytes);
  const std::size_t below_top = place % 13 * 640;
  inside_ = context::make_fcontext(stack_ + stack_bytes - below_top, stack_bytes - below_top,
                                   fiber_access::run);
}

void fiber::resume() {
  void* fake_stack = nullptr;
  before_switch(&fake_stack, stack_, stack_bytes);
  const context::transfer_t back = context::jump_fcontext(inside_, this);
  after_switch(fake_stack, nullptr, nullptr);
  inside_ = back.fctx;
}

void fiber::suspend() {
  before_switch(&own_fake_stack_, outer_stack_, outer_stack_bytes_);
  const context::transfer_t back = context::jump_fcontext(outside_, nullptr);
  after_switch(own_fake_stack_, &outer_stack_, &outer_stack_bytes_);
  outside_ = back.fctx;
}

}  // namespace teff::runtime

// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace teff::runtime {

/// False where Teff was built without Boost.Context: fibers can not be started then.
bool has_fibers() noexcept;

/// A function with a stack of its own, that can be suspended and resumed; by the thread that
/// started it. Its stack has 128 KB (512 KB under AddressSanitizer, without an optimizer), of which
/// the system gives what is used; the 64 KB below it must not be touched.
class fiber {
 public:
  using entry = void (*)(void* argument);

  fiber() = default;
  ~fiber();
  fiber(fiber&&) = delete;
  fiber& operator=(fiber&&) = delete;

  /// Makes ready to run; the last function must have ended. `function` must let no exception out.
  void start(entry function, void* argument);
  /// Runs until the function suspends itself or ends.
  void resume();
  /// Inside of the fiber: goes back to who resumed it.
  void suspend();

 private:
  friend struct fiber_access;
  entry function_ = nullptr;
  void* argument_ = nullptr;
  std::byte* stack_ = nullptr;  // the lowest usable byte
  void* inside_ = nullptr;      // where the fiber goes on
  void* outside_ = nullptr;     // where who resumed it goes on
  // What AddressSanitizer must be told at every switch.
  void* own_fake_stack_ = nullptr;
  const void* outer_stack_ = nullptr;
  std::size_t outer_stack_bytes_ = 0;
};

}  // namespace teff::runtime

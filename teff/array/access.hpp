// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

/// Who wants to know which cells views give: the emulator, which counts what warps ask for.
namespace teff::runtime {

class access_listener {
 public:
  virtual void note(const void* cell, std::size_t bytes) = 0;

 protected:
  ~access_listener() = default;
};

/// Who listens to this host thread, or null. A constant to the compiler, so that a loop asks once
/// at most, and not at all behind assume_no_listener(): who changes it (by `listening`) calls what
/// asks in another unit.
[[gnu::const]] access_listener* listener() noexcept;

/// Tells the listener, if there is one.
[[gnu::cold, gnu::noinline]] void note_access(const void* cell, std::size_t bytes);

/// Lets a listener be told while it lives; then the one before it, or none.
class listening {
 public:
  explicit listening(access_listener* to) noexcept;
  ~listening();
  listening(listening&&) = delete;
  listening& operator=(listening&&) = delete;

 private:
  access_listener* before_;
};

/// To the compiler: nobody listens here, so that loops over cells of views are vectorized.
__attribute__((always_inline)) inline void assume_no_listener() {
  if (listener() != nullptr) __builtin_unreachable();
}

}  // namespace teff::runtime

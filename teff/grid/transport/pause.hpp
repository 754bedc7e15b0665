// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <chrono>
#include <thread>

/// How a thread waits for what it can only ask: whether another rank has come.
namespace teff::runtime {

using waiting_clock = std::chrono::steady_clock;

inline waiting_clock::duration from_seconds(double seconds) {
  return std::chrono::duration_cast<waiting_clock::duration>(
      std::chrono::duration<double>(std::min(seconds, 1e8)));
}

/// Between two looks others may have the core: at once, and all of it where it takes longer, or
/// where somebody took it. (Who sleeps is woken before those that compute; who yields waits until
/// their time is over: of two ranks on a core that a third program uses, 2.2 ms an exchange, not
/// 0.2.)
class pause {
 public:
  void take() {
    using std::chrono::microseconds;
    static thread_local waiting_clock::time_point is_shared_until{};
    const auto now = waiting_clock::now();
    if (++looks_ > 2000 || now < is_shared_until) {
      std::this_thread::sleep_for(microseconds(looks_ < 20000 ? 20 : 500));
      return;
    }
    std::this_thread::yield();
    if (waiting_clock::now() - now > microseconds(200))
      is_shared_until = waiting_clock::now() + std::chrono::milliseconds(20);
  }

 private:
  int looks_ = 0;
};

}  // namespace teff::runtime

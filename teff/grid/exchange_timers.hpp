// SPDX-License-Identifier: MIT
#pragma once

#include <deque>
#include <optional>

#include <teff/base/stream.hpp>

namespace teff::runtime {

struct exchange_seconds {
  double exchanging = 0, waiting = 0;
};

/// What exchanges of halos take on a GPU, and how long steps wait for them: timers in both streams,
/// around some exchanges of a run. On a CPU, where the host itself copies, none is timed.
class exchange_timers {
 public:
  exchange_timers(const stream& steps, const stream& messages);

  /// What an exchange enqueues for its messages comes after this.
  void begin();
  /// It is enqueued: what steps enqueue from here on waits for it.
  void end();

  /// Of those that were timed, together. @sync waits until they are done
  exchange_seconds sum() const;

 private:
  static constexpr int untimed = 2;  // the first ones have nothing to hide behind
  static constexpr int timed = 16;
  struct one {
    one(const stream& steps, const stream& messages) : exchanging(messages), waiting(steps) {}
    timer exchanging, waiting;
  };

  stream steps_, messages_;
  int begun_ = 0;
  bool is_timing_ = false;
  std::deque<one> all_;
};

/// Of the time that exchanges take, the part that steps do not wait for, 0 to 1; nothing where none
/// was timed.
std::optional<double> hidden_share(const exchange_seconds& sum);

}  // namespace teff::runtime

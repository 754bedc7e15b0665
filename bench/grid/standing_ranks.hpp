// SPDX-License-Identifier: MIT
#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

#include <teff/grid/ranks.hpp>

namespace teff::bench {

/// Ranks that stand by for work, so that nobody times how they begin.
class standing_ranks {
 public:
  using work = std::function<void(const ranks&)>;

  /// @param threads of each rank on a CPU; 0: its share of the cores
  standing_ranks(const rank_devices& devices, int threads);
  ~standing_ranks();
  standing_ranks(const standing_ranks&) = delete;
  standing_ranks& operator=(const standing_ranks&) = delete;

  int count() const { return count_; }
  /// Calls f on every rank, and returns when all have.
  /// @throws what the rank threw that failed first; there are no ranks then
  void run(const work& f);

 private:
  void stand_by(const ranks& mine);

  int count_;
  std::mutex mutex_;
  std::condition_variable changed_;
  const work* work_ = nullptr;
  int calls_ = 0, done_ = 0;
  bool is_to_end_ = false, has_ended_ = false;
  std::exception_ptr failed_;
  std::thread owner_;  // last: it uses the others
};

}  // namespace teff::bench

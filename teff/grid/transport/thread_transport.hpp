// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <teff/grid/transport/transport.hpp>

/// Ranks that are threads of one process: a receiver copies from the sender's buffer. Between GPUs
/// it does so, or reads there, in its message's stream, behind the point that the sender's had come
/// to when it posted, and neither side's host waits for it.
namespace teff::runtime {

/// What the ranks of a job share.
class thread_group {
 public:
  explicit thread_group(int ranks);
  /// One rank's end; it keeps the group alive.
  static std::unique_ptr<transport> end_of(const std::shared_ptr<thread_group>& group, int rank);

  int ranks() const { return static_cast<int>(has_ended_.size()); }
  /// The rank makes no more calls.
  void end(int rank);
  void fail(int rank, std::exception_ptr why) noexcept;
  /// Of the rank that failed first; null if none did.
  std::exception_ptr failure() const;

 private:
  friend class thread_end;
  using guard = std::unique_lock<std::mutex>;

  using point = std::shared_ptr<const stream_point>;
  struct sent {
    const std::byte* data;
    std::size_t bytes;
    point packed;  // in the sender's stream; null on the host
  };

  /// Until `is_done`. @throws error: the deadline, a rank that failed, or that ended while it
  /// `is_awaited`
  template <class Done, class Awaited, class Text>
  void wait(guard& lock, double seconds, int rank, const Done& is_done, const Awaited& is_awaited,
            const Text& what);
  [[noreturn]] void throw_failed(int rank) const;
  /// Ends the grid on all ranks.
  [[noreturn]] void fail(guard& lock, int rank, const std::string& why);
  void fail_with_current(int rank) noexcept;  ///< under the lock

  void notify() {
    changes_.fetch_add(1, std::memory_order_release);
    changed_.notify_all();
  }

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::atomic<unsigned> changes_{0};
  std::map<std::pair<int, int>, std::deque<sent>> mail_;  // by sender and receiver
  std::vector<int> unread_, being_read_;                  // messages by sender
  std::vector<std::vector<point>> read_;                  // by sender: in its readers' streams
  std::vector<bool> has_ended_;
  std::exception_ptr failure_;
  int failed_ = -1;

  // all_gather, in rounds
  std::vector<std::vector<std::byte>> words_;
  std::vector<std::string> calls_;  // by rank; of those that have come
  std::vector<bool> has_come_;
  std::shared_ptr<const words_of_ranks> gathered_;
  int round_ = 0;
};

}  // namespace teff::runtime

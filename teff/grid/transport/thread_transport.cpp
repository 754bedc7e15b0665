// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <cstring>
#include <thread>
#include <utility>

#include <teff/base/decimal.hpp>
#include <teff/base/error.hpp>
#include <teff/base/peers.hpp>
#include <teff/grid/transport/pause.hpp>
#include <teff/grid/transport/thread_transport.hpp>

namespace teff::runtime {

namespace {

/// How long a rank waits awake. Where it has a core of its own, that costs nobody anything.
std::chrono::microseconds most_awake(int ranks) {
  static const unsigned cores = std::thread::hardware_concurrency();
  return std::chrono::microseconds(cores >= 2 * static_cast<unsigned>(ranks) ? 500 : 20);
}

}  // namespace

thread_group::thread_group(int ranks)
    : unread_(static_cast<std::size_t>(ranks), 0),
      being_read_(static_cast<std::size_t>(ranks), 0),
      read_(static_cast<std::size_t>(ranks)),
      has_ended_(static_cast<std::size_t>(ranks), false),
      words_(static_cast<std::size_t>(ranks)),
      calls_(static_cast<std::size_t>(ranks)),
      has_come_(static_cast<std::size_t>(ranks), false) {}

void thread_group::end(int rank) {
  const guard lock(mutex_);
  has_ended_[static_cast<std::size_t>(rank)] = true;
  notify();
}

void thread_group::fail(int rank, std::exception_ptr why) noexcept {
  const guard lock(mutex_);
  if (failed_ >= 0) return;
  failed_ = rank;
  failure_ = std::move(why);
  notify();
}

void thread_group::fail_with_current(int rank) noexcept {
  if (failed_ < 0) {
    failed_ = rank;
    failure_ = std::current_exception();
  }
  notify();
}

std::exception_ptr thread_group::failure() const {
  const guard lock(mutex_);
  return failure_;
}

void thread_group::throw_failed(int rank) const {
  std::string why = "it threw what is no std::exception";
  try {
    std::rethrow_exception(failure_);
  } catch (const std::exception& e) {
    why = e.what();
  } catch (...) {
  }
  throw error("grid: rank " + std::to_string(failed_) + " failed, which ends the grid on rank " +
              std::to_string(rank) + ", too: " + why);
}

template <class Done, class Awaited, class Text>
void thread_group::wait(guard& lock, double seconds, int rank, const Done& is_done,
                        const Awaited& is_awaited, const Text& what) {
  using clock = std::chrono::steady_clock;
  const auto deadline = clock::now() + std::chrono::duration_cast<clock::duration>(
                                           std::chrono::duration<double>(std::min(seconds, 1e8)));
  const auto first_ended = [&] {
    int r = 0;
    while (r < ranks() && !(has_ended_[static_cast<std::size_t>(r)] && is_awaited(r))) ++r;
    return r;
  };
  const auto is_over = [&] { return failed_ >= 0 || is_done() || first_ended() < ranks(); };
  // Who comes soon is awaited awake: to fall asleep and be woken takes longer than an exchange.
  for (const auto sleepy = clock::now() + most_awake(ranks());
       !is_over() && clock::now() < sleepy;) {
    const unsigned seen = changes_.load(std::memory_order_relaxed);
    lock.unlock();
    while (changes_.load(std::memory_order_acquire) == seen && clock::now() < sleepy)
      std::this_thread::yield();
    lock.lock();
  }
  const bool came = changed_.wait_until(lock, deadline, is_over);
  if (is_done()) return;  // what all have come to holds, whatever happens after it
  if (failed_ >= 0) throw_failed(rank);
  if (came)
    throw error("grid: rank " + std::to_string(rank) + " waits for rank " +
                std::to_string(first_ended()) + ", which has ended: " + what());
  fail(lock, rank,
       "rank " + std::to_string(rank) + " has waited for " + decimal(seconds, 3) + " s: " + what());
}

void thread_group::fail(guard&, int rank, const std::string& why) {
  const error what("grid: " + why);
  failed_ = rank;
  failure_ = std::make_exception_ptr(what);
  notify();
  throw error(what);
}

/// One in each stream, that others may still wait for when its rank has ended.
class points_of_streams {
 public:
  /// Set where the stream is now.
  std::shared_ptr<const stream_point> set_in(const stream& on) {
    for (const auto& one : all_)
      if (one->of() == on) {
        one->set();
        return one;
      }
    all_.push_back(std::make_shared<stream_point>(on));
    all_.back()->set();
    return all_.back();
  }

 private:
  std::vector<std::shared_ptr<stream_point>> all_;
};

/// One rank's end.
class thread_end : public transport {
 public:
  thread_end(std::shared_ptr<thread_group> group, int rank)
      : group_(std::move(group)), rank_(rank) {}

  int rank() const override { return rank_; }
  int ranks() const override { return group_->ranks(); }
  const char* name() const override { return "threads"; }
  bool reaches_gpus() const override { return true; }
  void limit_waiting(double seconds) override { seconds_ = seconds; }
  void abort(std::exception_ptr why) noexcept override {
    group_->fail(rank_, std::move(why));
    thread_group::guard lock(group_->mutex_);
    take_back(lock);
  }

  void post(const std::vector<message>& sends, const std::vector<message>& receives) override {
    std::vector<thread_group::point> packed;
    for (const message& one : sends)
      packed.push_back(one.on == nullptr ? nullptr
                       : !packed.empty() && packed.back() && packed.back()->of() == *one.on
                           ? packed.back()
                           : packed_points_.set_in(*one.on));
    const thread_group::guard lock(group_->mutex_);
    if (group_->failed_ >= 0) group_->throw_failed(rank_);
    for (std::size_t i = 0; i < sends.size(); ++i) {
      group_->mail_[{rank_, sends[i].rank}].push_back({sends[i].data, sends[i].bytes, packed[i]});
      sends_.push_back(sends[i]);
      ++unread();
    }
    receives_.insert(receives_.end(), receives.begin(), receives.end());
    if (!sends.empty()) group_->notify();
  }

  void wait(const std::string& place) override {
    (void)receive_all(place, false);
    reclaim_before(place);
  }

  std::vector<const std::byte*> wait_in_place(const std::string& place) override {
    const auto is_on_gpu = [](const message& one) { return one.on != nullptr; };
    if (std::all_of(sends_.begin(), sends_.end(), is_on_gpu) &&
        std::all_of(receives_.begin(), receives_.end(), is_on_gpu))
      return receive_all(place, true);
    wait(place);
    return {};
  }
  void give_back() override {
    if (borrowed_.empty()) return;
    std::vector<thread_group::point> points;
    for (const auto& [sender, on] : borrowed_) points.push_back(read_points_.set_in(*on));
    const thread_group::guard lock(group_->mutex_);
    for (std::size_t i = 0; i < borrowed_.size(); ++i) has_read(borrowed_[i].sender, points[i]);
    borrowed_.clear();
    group_->notify();
  }
  void reclaim() override {
    if (!sends_.empty()) reclaim_before("the next exchange");
  }
  void finish() override { reclaim(); }

  void wait_until(const std::function<bool()>& is_done, const std::vector<int>& others,
                  const std::function<std::string()>& what) override {
    const auto end = waiting_clock::now() + from_seconds(seconds_);
    for (pause between; !is_done(); between.take()) {
      thread_group::guard lock(group_->mutex_);
      if (group_->failed_ >= 0) group_->throw_failed(rank_);
      const auto has_ended = [&](int other) {
        return group_->has_ended_[static_cast<std::size_t>(other)];
      };
      if (!others.empty() && std::all_of(others.begin(), others.end(), has_ended)) {
        lock.unlock();
        if (is_done()) return;
        throw error("grid: rank " + std::to_string(rank_) + " waits for rank " +
                    std::to_string(others.front()) + ", which has ended: " + what());
      }
      if (waiting_clock::now() > end)
        group_->fail(lock, rank_,
                     "rank " + std::to_string(rank_) + " has waited for " + decimal(seconds_, 3) +
                         " s: " + what());
    }
  }

  std::shared_ptr<const words_of_ranks> all_gather(const std::string& what, const void* data,
                                                   std::size_t bytes) override {
    thread_group& g = *group_;
    thread_group::guard lock(g.mutex_);
    if (g.failed_ >= 0) g.throw_failed(rank_);
    const auto* first = static_cast<const std::byte*>(data);
    g.words_[static_cast<std::size_t>(rank_)].assign(first, first + bytes);
    g.calls_[static_cast<std::size_t>(rank_)] = what;
    g.has_come_[static_cast<std::size_t>(rank_)] = true;
    const int round = g.round_;
    if (std::find(g.has_come_.begin(), g.has_come_.end(), false) == g.has_come_.end()) {
      end_round(lock, what);
    } else {
      g.wait(
          lock, seconds_, rank_, [&] { return g.round_ != round; },
          [&](int r) { return !g.has_come_[static_cast<std::size_t>(r)]; },
          [&] {
            int other = 0;
            while (other < ranks() - 1 && g.has_come_[static_cast<std::size_t>(other)]) ++other;
            return what + " is called by every rank, but not by rank " + std::to_string(other);
          });
    }
    return g.gathered_;
  }

 private:
  /// After an error its buffers may go: nobody begins to read them, or still does.
  void take_back(thread_group::guard& lock) {
    for (int reader = 0; reader < ranks(); ++reader) group_->mail_[{rank_, reader}].clear();
    group_->changed_.wait(
        lock, [&] { return group_->being_read_[static_cast<std::size_t>(rank_)] == 0; });
  }

  int& unread() { return group_->unread_[static_cast<std::size_t>(rank_)]; }

  /// @return where each message is
  std::vector<const std::byte*> receive_all(const std::string& place, bool in_place) {
    std::vector<const std::byte*> where;
    thread_group::guard lock(group_->mutex_);
    const std::vector<message> all = std::exchange(receives_, {});
    try {
      for (const message& one : all) where.push_back(receive(lock, one, place, in_place));
    } catch (...) {
      fail_with_current(lock);
      throw;
    }
    return where;
  }

  /// Its buffers are this rank's again, in the order of their streams.
  void reclaim_before(const std::string& place) {
    thread_group::guard lock(group_->mutex_);
    const std::vector<message> sent = std::exchange(sends_, {});
    try {
      group_->wait(
          lock, seconds_, rank_, [&] { return unread() == 0; },
          [&](int reader) {
            return !group_->mail_[{rank_, reader}].empty();
          },
          [&] { return "others have not read what it sent, " + place; });
      const auto read = std::exchange(group_->read_[static_cast<std::size_t>(rank_)], {});
      lock.unlock();
      const stream* last = nullptr;
      for (const message& one : sent) {
        if (one.on == nullptr || (last != nullptr && *last == *one.on)) continue;
        last = one.on;
        for (const thread_group::point& point : read) one.on->wait_for(*point);
      }
    } catch (...) {
      if (!lock) lock.lock();
      fail_with_current(lock);
      throw;
    }
  }

  void fail_with_current(thread_group::guard& lock) {
    group_->fail_with_current(rank_);
    take_back(lock);
  }

  /// @return where its bytes are: in its own buffer, or in the sender's until they are given back
  const std::byte* receive(thread_group::guard& lock, const message& one, const std::string& place,
                           bool in_place) {
    auto& mail = group_->mail_[{one.rank, rank_}];
    group_->wait(
        lock, seconds_, rank_, [&] { return !mail.empty(); },
        [&](int sender) { return sender == one.rank; },
        [&] {
          return *one.what + " has not come from rank " + std::to_string(one.rank) + ", " + place;
        });
    const thread_group::sent from = mail.front();
    mail.pop_front();
    if (from.bytes != one.bytes)
      group_->fail(lock, rank_,
                   "rank " + std::to_string(rank_) + " expected " + std::to_string(one.bytes) +
                       " bytes from rank " + std::to_string(one.rank) + ", got " +
                       std::to_string(from.bytes) + ": " + *one.what + ", " + place);
    ++group_->being_read_[static_cast<std::size_t>(one.rank)];
    lock.unlock();
    std::exception_ptr failed;
    thread_group::point read;
    const std::byte* where = one.data;
    try {
      if (from.packed) {
        one.on->wait_for(*from.packed);
        if (in_place && can_read(one.on->dev(), from.packed->of().dev())) {
          where = from.data;
        } else {
          copy_bytes(*one.on, one.data, from.data, from.bytes);
          read = read_points_.set_in(*one.on);
        }
      } else if (from.bytes > 0) {
        std::memcpy(one.data, from.data, from.bytes);
      }
    } catch (...) {
      failed = std::current_exception();
    }
    lock.lock();
    --group_->being_read_[static_cast<std::size_t>(one.rank)];
    if (failed) {
      group_->notify();
      std::rethrow_exception(failed);
    }
    if (where == one.data)
      has_read(one.rank, std::move(read));
    else
      borrowed_.push_back({one.rank, one.on});
    group_->notify();
    return where;
  }

  /// @param point after which it is read; null: it is
  void has_read(int sender, thread_group::point point) {
    if (point) group_->read_[static_cast<std::size_t>(sender)].push_back(std::move(point));
    --group_->unread_[static_cast<std::size_t>(sender)];
  }

  /// Whether kernels of a GPU can.
  bool can_read(device by, device of) {
    if (by == of) return true;
    const auto [one, is_new] = can_read_.try_emplace(of.ordinal(), false);
    if (is_new) one->second = can_reach(by, of);
    return one->second;
  }

  /// "on_step of iterate" of "on_step of iterate; it failed: ...": what is said beyond is for who
  /// is elsewhere.
  static std::string call_in(const std::string& what) { return what.substr(0, what.find(';')); }

  /// All have come.
  void end_round(thread_group::guard& lock, const std::string& what) {
    thread_group& g = *group_;
    for (int r = 0; r < ranks(); ++r)
      if (const std::string& other = g.calls_[static_cast<std::size_t>(r)];
          call_in(other) != call_in(what))
        g.fail(lock, rank_,
               "every rank makes the same calls, in the same order, but rank " +
                   std::to_string(rank_) + " calls " + what + " and rank " + std::to_string(r) +
                   " " + other);
    g.gathered_ = std::make_shared<const words_of_ranks>(g.words_);
    g.has_come_.assign(g.has_come_.size(), false);
    ++g.round_;
    g.notify();
  }

  std::shared_ptr<thread_group> group_;
  int rank_;
  double seconds_ = 120;
  struct borrowed {
    int sender;
    const stream* on;
  };
  std::vector<message> sends_, receives_;
  std::vector<borrowed> borrowed_;
  points_of_streams packed_points_, read_points_;
  std::map<int, bool> can_read_;  // by the number of another GPU
};

std::unique_ptr<transport> thread_group::end_of(const std::shared_ptr<thread_group>& group,
                                                int rank) {
  return std::make_unique<thread_end>(group, rank);
}

}  // namespace teff::runtime

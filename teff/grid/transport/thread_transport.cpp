// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <cstring>
#include <thread>

#include <teff/base/decimal.hpp>
#include <teff/base/error.hpp>
#include <teff/grid/transport/pause.hpp>
#include <teff/grid/transport/thread_transport.hpp>

namespace teff::runtime {

namespace {
constexpr auto most_awake = std::chrono::microseconds(20);
}  // namespace

thread_group::thread_group(int ranks)
    : unread_(static_cast<std::size_t>(ranks), 0),
      being_read_(static_cast<std::size_t>(ranks), 0),
      copies_(static_cast<std::size_t>(ranks)),
      has_ended_(static_cast<std::size_t>(ranks), false),
      words_(static_cast<std::size_t>(ranks)),
      calls_(static_cast<std::size_t>(ranks)),
      has_come_(static_cast<std::size_t>(ranks), false) {}

void thread_group::end(int rank) {
  const guard lock(mutex_);
  has_ended_[static_cast<std::size_t>(rank)] = true;
  changed_.notify_all();
}

void thread_group::fail(int rank, std::exception_ptr why) noexcept {
  const guard lock(mutex_);
  if (failed_ >= 0) return;
  failed_ = rank;
  failure_ = std::move(why);
  changed_.notify_all();
}

void thread_group::fail_with_current(int rank) noexcept {
  if (failed_ < 0) {
    failed_ = rank;
    failure_ = std::current_exception();
  }
  changed_.notify_all();
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
  for (const auto sleepy = clock::now() + most_awake; !is_over() && clock::now() < sleepy;) {
    lock.unlock();
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
  changed_.notify_all();
  throw error(what);
}

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
    const thread_group::guard lock(group_->mutex_);
    if (group_->failed_ >= 0) group_->throw_failed(rank_);
    for (const message& one : sends) {
      group_->mail_[{rank_, one.rank}].push_back({one.data, one.bytes, one.on});
      sends_.push_back(one);
      ++unread();
    }
    receives_.insert(receives_.end(), receives.begin(), receives.end());
    if (!sends.empty()) group_->changed_.notify_all();
  }

  void wait(const std::string& place) override {
    thread_group::guard lock(group_->mutex_);
    const std::vector<message> all = std::move(receives_);
    receives_.clear();
    const std::vector<message> sent = std::move(sends_);
    sends_.clear();
    try {
      for (const message& one : all) receive(lock, one, place);
      group_->wait(
          lock, seconds_, rank_, [&] { return unread() == 0; },
          [&](int reader) {
            return !group_->mail_[{rank_, reader}].empty();
          },
          [&] { return "others have not read what it sent, " + place; });
      for (const message& one : sent)
        if (one.on != nullptr)
          one.on->wait_for(*group_->copies_[static_cast<std::size_t>(one.rank)]);
    } catch (...) {
      group_->fail_with_current(rank_);
      take_back(lock);
      throw;
    }
  }

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

  void receive(thread_group::guard& lock, const message& one, const std::string& place) {
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
    auto& copies = group_->copies_[static_cast<std::size_t>(rank_)];
    if (one.on != nullptr && !copies) copies = stream::create(one.on->dev());
    const auto sender = static_cast<std::size_t>(one.rank);
    ++group_->being_read_[sender];
    lock.unlock();
    std::exception_ptr failed;
    try {
      if (one.on != nullptr)
        copy_in_order(*copies, one, from);
      else if (from.bytes > 0)
        std::memcpy(one.data, from.data, from.bytes);
    } catch (...) {
      failed = std::current_exception();
    }
    lock.lock();
    --group_->being_read_[sender];
    if (!failed) --group_->unread_[sender];
    group_->changed_.notify_all();
    if (failed) std::rethrow_exception(failed);
  }

  /// Behind what fills the sender's buffer, and what still reads the receiver's.
  static void copy_in_order(const stream& copies, const message& to,
                            const thread_group::sent& from) {
    copies.wait_for(*to.on);
    copies.wait_for(*from.on);
    copy_bytes(copies, to.data, from.data, from.bytes);
    to.on->wait_for(copies);
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
    g.changed_.notify_all();
  }

  std::shared_ptr<thread_group> group_;
  int rank_;
  double seconds_ = 120;
  std::vector<message> sends_, receives_;
};

std::unique_ptr<transport> thread_group::end_of(const std::shared_ptr<thread_group>& group,
                                                int rank) {
  return std::make_unique<thread_end>(group, rank);
}

}  // namespace teff::runtime

// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <chrono>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <teff/base/error.hpp>
#include <teff/grid/ranks.hpp>

/// A transport on which something goes wrong, between a grid and a real one.
namespace teff::inline TEFF_MODE::test {

enum class fault { none, late, lost, short_by_one, damaged, killed };

/// What happens, on which rank, at which of its posts that send something, from 1.
struct planned_fault {
  fault what = fault::none;
  int rank = 0, at = 1;
  bool is_last = false;  ///< no message comes after it: its receiver is not to wait for long
};

class faulty_transport : public runtime::transport {
 public:
  faulty_transport(runtime::transport& through, const planned_fault& plan)
      : through_(through), plan_(plan), random_(static_cast<unsigned>(through.rank())) {}

  int rank() const override { return through_.rank(); }
  int ranks() const override { return through_.ranks(); }
  const char* name() const override { return through_.name(); }

  void post(const std::vector<runtime::message>& sends,
            const std::vector<runtime::message>& receives) override {
    if (plan_.what == fault::late) return post_late(sends, receives);
    if (!sends.empty()) ++posts_;
    if (plan_.what == fault::none || rank() != plan_.rank || posts_ != plan_.at || sends.empty())
      return through_.post(sends, receives);
    if (plan_.what == fault::killed) throw error("killed");
    std::vector<runtime::message> changed = sends;
    if (plan_.what == fault::lost) changed.erase(changed.begin());
    if (plan_.what == fault::short_by_one) --changed.front().bytes;
    if (plan_.what == fault::damaged)
      changed.front().data[changed.front().bytes / 32 * 8 + 6] ^= std::byte{16};
    through_.post(changed, receives);
  }
  void wait(const std::string& place) override {
    if (plan_.what == fault::late) sleep();
    if (plan_.is_last && rank() != plan_.rank && posts_ == plan_.at) through_.limit_waiting(0.1);
    through_.wait(place);
  }
  void wait_until(const std::function<bool()>& is_done, const std::vector<int>& others,
                  const std::function<std::string()>& what) override {
    through_.wait_until(is_done, others, what);
  }
  std::shared_ptr<const runtime::words_of_ranks> all_gather(const std::string& what,
                                                            const void* data,
                                                            std::size_t bytes) override {
    if (plan_.what == fault::late) sleep();
    return through_.all_gather(what, data, bytes);
  }
  void limit_waiting(double seconds) override { through_.limit_waiting(seconds); }
  void abort(std::exception_ptr why) noexcept override { through_.abort(std::move(why)); }

 private:
  /// Messages one by one, those to other ranks in another order.
  void post_late(std::vector<runtime::message> sends, std::vector<runtime::message> receives) {
    sleep();
    const auto by_rank = [shift = random_()](const auto& a, const auto& b) {
      return (static_cast<unsigned>(a.rank) ^ (shift & 7)) <
             (static_cast<unsigned>(b.rank) ^ (shift & 7));
    };
    std::stable_sort(sends.begin(), sends.end(), by_rank);
    std::stable_sort(receives.begin(), receives.end(), by_rank);
    for (const runtime::message& one : receives) through_.post({}, {one});
    for (const runtime::message& one : sends) {
      sleep();
      through_.post({one}, {});
    }
  }
  void sleep() {
    if (random_() % 3 == 0)
      std::this_thread::sleep_for(std::chrono::microseconds(random_() % 1500));
  }

  runtime::transport& through_;
  planned_fault plan_;
  std::mt19937 random_;
  int posts_ = 0;
};

/// The ranks that talk through a decorator of theirs.
inline std::shared_ptr<runtime::transport> transport_of(const ranks& r) {
  return {std::shared_ptr<void>(), &r.through()};
}

}  // namespace teff::inline TEFF_MODE::test

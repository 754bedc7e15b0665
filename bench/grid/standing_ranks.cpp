// SPDX-License-Identifier: MIT
#include <omp.h>

#include <teff/base/device.hpp>
#include <teff/base/error.hpp>

#include <bench/grid/standing_ranks.hpp>

namespace teff::bench {

standing_ranks::standing_ranks(const rank_devices& devices, int threads)
    : count_(static_cast<int>(devices.size())) {
  (void)describe(device::cpu());  // with all threads
  owner_ = std::thread([this, devices, threads] {
    if (threads > 0) omp_set_num_threads(threads * count_);  // of which each has its share
    std::exception_ptr why;
    try {
      run_on(devices, [this](const ranks& mine) { stand_by(mine); });
    } catch (...) {
      why = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    failed_ = why;
    has_ended_ = true;
    changed_.notify_all();
  });
}

standing_ranks::~standing_ranks() {
  {
    const std::lock_guard lock(mutex_);
    is_to_end_ = true;
    changed_.notify_all();
  }
  owner_.join();
}

void standing_ranks::stand_by(const ranks& mine) {
  int seen = 0;
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return is_to_end_ || calls_ != seen; });
    if (calls_ == seen) return;
    seen = calls_;
    const work& now = *work_;
    lock.unlock();
    try {
      now(mine);
    } catch (...) {
      lock.lock();
      is_to_end_ = true;
      changed_.notify_all();
      throw;
    }
    lock.lock();
    if (++done_ == count_) changed_.notify_all();
  }
}

void standing_ranks::run(const work& f) {
  std::unique_lock lock(mutex_);
  if (!has_ended_) {
    work_ = &f;
    done_ = 0;
    ++calls_;
    changed_.notify_all();
    changed_.wait(lock, [&] { return done_ == count_ || has_ended_; });
  }
  if (failed_) std::rethrow_exception(failed_);
  if (has_ended_) throw error("the ranks have ended");
}

}  // namespace teff::bench

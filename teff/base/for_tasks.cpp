// SPDX-License-Identifier: MIT
#include <atomic>
#include <exception>
#include <limits>
#include <mutex>

#include <omp.h>

#include <teff/base/float_mode.hpp>
#include <teff/base/for_tasks.hpp>
#include <teff/base/fork.hpp>

namespace teff::runtime {

namespace {

/// What the tasks of a region threw, of which OpenMP lets nothing out. Of several tasks the lowest
/// counts, as without threads: none below it is left out.
class thrown_by_tasks {
 public:
  bool is_beyond(index_t task) const { return task > task_.load(std::memory_order_relaxed); }

  void keep(index_t task) noexcept {
    const std::lock_guard lock(mutex_);
    if (is_beyond(task)) return;
    task_.store(task, std::memory_order_relaxed);
    what_ = std::current_exception();
  }
  void pass_on() const {
    if (what_ != nullptr) std::rethrow_exception(what_);
  }

 private:
  std::atomic<index_t> task_{std::numeric_limits<index_t>::max()};
  std::mutex mutex_;
  std::exception_ptr what_;
};

}  // namespace

void for_tasks(index_t tasks, bool in_parallel, index_t at_once, task_body body, const void* f) {
  if (!in_parallel || tasks < 2 || has_lost_threads()) {
    const default_float_mode mode;
    for (index_t task = 0; task < tasks; ++task) body(f, task);
    return;
  }
  thrown_by_tasks thrown;
  const auto run = [&thrown, body, f](index_t task, index_t end) noexcept {
    try {
      for (; task < end; ++task) body(f, task);
    } catch (...) {
      thrown.keep(task);
    }
  };
#pragma omp parallel
  {
    const default_float_mode mode;
    if (at_once > 0) {
#pragma omp for schedule(dynamic, at_once) nowait
      for (index_t task = 0; task < tasks; ++task)
        if (!thrown.is_beyond(task)) run(task, task + 1);
    } else {  // as schedule(static), a thread's tasks in one call
      const index_t threads = omp_get_num_threads(), me = omp_get_thread_num();
      const index_t each = tasks / threads, more = tasks % threads;
      const index_t begin = me * each + (me < more ? me : more);
      run(begin, begin + each + (me < more ? 1 : 0));
    }
  }
  thrown.pass_on();
}

}  // namespace teff::runtime

// SPDX-License-Identifier: MIT
#include <pthread.h>
#include <sys/stat.h>

#include <teff/base/fork.hpp>

namespace teff::runtime {

namespace {

bool had_threads = false, lost_threads = false, forked = false;

/// Whether this process has a second thread, of whomever.
bool has_threads() {
  struct stat tasks {};  // one folder for each thread, and the links of any folder
  return stat("/proc/self/task", &tasks) != 0 || tasks.st_nlink != 3;
}

void before_fork() {
  had_threads = has_threads();
}
void in_child() {
  forked = true;
  lost_threads = lost_threads || had_threads;
}

// When the program starts: OpenMP's threads may be the user's own doing.
[[maybe_unused]] const int registered = pthread_atfork(before_fork, nullptr, in_child);

}  // namespace

bool has_lost_threads() noexcept {
  return lost_threads;
}

bool is_forked() noexcept {
  return forked;
}

}  // namespace teff::runtime

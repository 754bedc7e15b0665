// SPDX-License-Identifier: MIT
#include <csignal>
#include <mutex>
#include <string>

#include <teff/base/interrupt.hpp>

namespace teff::runtime {

volatile std::sig_atomic_t is_interrupted = 0;

namespace {

std::mutex mutex;
int living = 0;  // of interruptible
bool is_watched = false;
struct sigaction before {};  // of who handles SIGINT when none lives

void note(int signal, siginfo_t* info, void* context) {
  is_interrupted = 1;
  if ((before.sa_flags & SA_SIGINFO) != 0)
    before.sa_sigaction(signal, info, context);
  else
    before.sa_handler(signal);
}

}  // namespace

interruptible::interruptible() {
  const std::lock_guard lock(mutex);
  if (living++ > 0) return;
  is_interrupted = 0;
  is_watched = sigaction(SIGINT, nullptr, &before) == 0 &&
               ((before.sa_flags & SA_SIGINFO) != 0 ||
                (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN));
  if (!is_watched) return;
  struct sigaction mine = before;
  mine.sa_sigaction = note;
  mine.sa_flags |= SA_SIGINFO;
  sigaction(SIGINT, &mine, nullptr);
}

interruptible::~interruptible() {
  const std::lock_guard lock(mutex);
  if (--living > 0) return;
  if (is_watched) sigaction(SIGINT, &before, nullptr);
  is_interrupted = 0;
}

void throw_interrupted(site where) {
  const std::string place =
      where.file == nullptr ? ""
                            : " at " + std::string(where.file) + ":" + std::to_string(where.line);
  throw error(failure::stopped, "the kernel was interrupted by Ctrl-C" + place +
                                    "; what its arrays hold is undefined");
}

}  // namespace teff::runtime

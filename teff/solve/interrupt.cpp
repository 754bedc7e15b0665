// SPDX-License-Identifier: MIT
#include <cerrno>
#include <csignal>

#include <teff/solve/interrupt.hpp>

namespace teff::solve {

namespace {
volatile std::sig_atomic_t pressed = 0;

/// Changes nothing where a signal was ignored.
void handle(int signal, void (*from)(int), void (*to)(int)) {
  struct sigaction action {};
  if (sigaction(signal, nullptr, &action) != 0 || action.sa_handler != from) return;
  action.sa_handler = to;
  for (const int other : {SIGINT, SIGTERM}) sigaddset(&action.sa_mask, other);
  sigaction(signal, &action, nullptr);
}

void note(int) {
  const int before = errno;
  pressed = 1;
  // The next one, of either kind, meets the default: the end. A terminal that closes may send
  // SIGHUP twice, itself and by its shell, and means to end nothing sooner.
  for (const int signal : {SIGINT, SIGTERM}) handle(signal, note, SIG_DFL);
  errno = before;
}
}  // namespace

void watch_for_interrupt() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) handle(signal, SIG_DFL, note);
}

bool was_interrupted() {
  return pressed != 0;
}

void throw_if_interrupted() {
  if (pressed != 0) throw interrupted();
}

}  // namespace teff::solve

// SPDX-License-Identifier: MIT
#include <csignal>

#include <teff/lab/interrupt.hpp>

namespace teff::lab {

namespace {
volatile std::sig_atomic_t pressed = 0;
void note(int) {
  pressed = 1;
}
}  // namespace

void watch_for_interrupt() {
  struct sigaction action {};
  action.sa_handler = note;
  action.sa_flags = static_cast<int>(SA_RESETHAND);  // the second Ctrl-C meets the default: the end
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

bool was_interrupted() {
  return pressed != 0;
}

void throw_if_interrupted() {
  if (pressed != 0) throw interrupted();
}

}  // namespace teff::lab

// SPDX-License-Identifier: MIT
#include <cstdlib>

#define DOCTEST_CONFIG_IMPLEMENT  // NOLINT(readability-identifier-naming)
#include <doctest/doctest.h>

namespace {
bool finished = false;
}

int main(int argc, char** argv) {
  // No user's file of schedules, and none left behind; a test that wants one names it.
  setenv("TEFF_SCHEDULES", "", 0);
  // A test that calls exit(0) must not pass for a run of all the tests.
  std::atexit([] {
    if (!finished) std::_Exit(1);
  });
  const int status = doctest::Context(argc, argv).run();
  finished = true;
  return status;
}

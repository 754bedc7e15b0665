// SPDX-License-Identifier: MIT
#include <cstdio>
#include <doctest/doctest.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

#include <omp.h>

#include <teff/base/error.hpp>
#include <teff/base/for_tasks.hpp>
#include <teff/base/memory.hpp>

#include "../devices.hpp"

using namespace teff;
using namespace teff::test;

namespace {

/// The text that f gives in a child of this process; nothing where it does not end in ten seconds.
template <class F>
std::string in_child(const F& f) {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  std::fflush(nullptr);
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    alarm(10);
    const std::string text = f();
    const bool is_written =
        write(ends[1], text.data(), text.size()) == static_cast<ssize_t>(text.size());
    _exit(is_written ? 0 : 1);
  }
  close(ends[1]);
  std::string text;
  char some[256];
  for (ssize_t n; (n = read(ends[0], some, sizeof some)) > 0;)
    text.append(some, static_cast<std::size_t>(n));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? text : "";
}

/// Which thread took each of six tasks.
std::string threads_of_tasks() {
  std::string text(6, ' ');
  for_tasks(6, true, [&](index_t task) {
    text[static_cast<std::size_t>(task)] = static_cast<char>('0' + omp_get_thread_num());
  });
  return text;
}

}  // namespace

TEST_CASE("a child forked beside OpenMP's threads computes with one, and so do its children") {
  const int threads = omp_get_max_threads();
  omp_set_num_threads(3);
  CHECK(threads_of_tasks() == "001122");
  CHECK(in_child(threads_of_tasks) == "000000");
  CHECK(in_child([] { return in_child(threads_of_tasks); }) == "000000");
  CHECK(threads_of_tasks() == "001122");  // the parent has its threads still
  omp_set_num_threads(threads);
}

TEST_CASE("a child forked by a process that used a GPU is refused, in one sentence") {
  for (const device dev : test_devices()) {
    if (dev.is_cpu()) continue;
    const stream on(dev);
    const memory_block block(on, dev, 1 << 20, "of the parent");
    on.synchronize();
    const std::string said = in_child([&]() -> std::string {
      try {
        const stream own(dev);
        const memory_block second(own, dev, 1 << 20, "of the child");
        own.synchronize();
        return "accepted";
      } catch (const error& e) {
        return e.what();
      }
    });
    CHECK(said.find("this process was forked from one that had used a GPU") != std::string::npos);
  }
}

// SPDX-License-Identifier: MIT
#include <algorithm>
#include <doctest/doctest.h>
#include <thread>
#include <vector>

#include <omp.h>

#include <teff/base/for_tasks.hpp>

using namespace teff;

TEST_CASE("for_tasks: every task once, however they are shared out") {
  for (const bool in_parallel : {false, true})
    for (const index_t at_once : {0, 1, 16})
      for (const index_t tasks : {0, 1, 2, 7, 1000}) {
        CAPTURE(in_parallel);
        CAPTURE(at_once);
        CAPTURE(tasks);
        std::vector<int> calls(static_cast<std::size_t>(tasks));
        for_tasks(
            tasks, in_parallel, [&](index_t task) { ++calls[static_cast<std::size_t>(task)]; },
            at_once);
        CHECK(calls == std::vector<int>(calls.size(), 1));
      }
}

TEST_CASE("for_tasks: in parallel by all threads, else by this one in order") {
  const int threads = omp_get_max_threads();
  omp_set_num_threads(3);
  std::vector<int> thread_of(30, -1);
  const auto note = [&](index_t task) {
    thread_of[static_cast<std::size_t>(task)] = omp_get_thread_num();
  };
  for_tasks(30, true, note);
  for (std::size_t task = 0; task < 30; ++task)
    CHECK(thread_of[task] == static_cast<int>(task) / 10);

  std::vector<index_t> order;
  const std::thread::id here = std::this_thread::get_id();
  for_tasks(30, false, [&](index_t task) {
    CHECK(std::this_thread::get_id() == here);
    order.push_back(task);
  });
  CHECK(order.size() == 30);
  CHECK(std::ranges::is_sorted(order));
  omp_set_num_threads(threads);
}

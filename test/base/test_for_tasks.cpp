// SPDX-License-Identifier: MIT
#include <algorithm>
#include <atomic>
#include <cfenv>
#include <doctest/doctest.h>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <omp.h>

#include <teff/base/for_tasks.hpp>

using namespace teff;

namespace {

/// Which way this thread's sums are rounded. (fegetround() tells of x86's old unit.)
int rounding() {
  volatile double one = 1, small = 0x1p-60;
  return one + small > 1 ? FE_UPWARD : -one - small < -1 ? FE_DOWNWARD : FE_TONEAREST;
}

}  // namespace

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

TEST_CASE("for_tasks: what the lowest task throws reaches the caller, and the threads go on") {
  const int threads = omp_get_max_threads();
  omp_set_num_threads(3);
  for (const bool in_parallel : {false, true})
    for (const index_t at_once : {0, 1, 7})
      for (const index_t first : {0, 13, 14, 29}) {
        CAPTURE(in_parallel);
        CAPTURE(at_once);
        std::atomic<index_t> done_below = 0;
        const auto throw_from = [&](index_t task) {
          if (task >= first) throw std::runtime_error("task " + std::to_string(task));
          ++done_below;
        };
        const std::string expected = "task " + std::to_string(first);
        CHECK_THROWS_WITH_AS(for_tasks(30, in_parallel, throw_from, at_once), expected.c_str(),
                             std::runtime_error);
        CHECK(done_below == first);
        std::atomic<index_t> done = 0;
        for_tasks(
            30, in_parallel, [&](index_t) { ++done; }, at_once);
        CHECK(done == 30);
      }
  omp_set_num_threads(threads);
}

TEST_CASE("for_tasks: every task in the default mode, every thread has its own again") {
  const int threads = omp_get_max_threads();
  omp_set_num_threads(3);
  const auto kept = [] {
    std::atomic<int> count = 0;
#pragma omp parallel
    count += rounding() == (omp_get_thread_num() == 1 ? FE_UPWARD : FE_DOWNWARD);
    return count.load();
  };
#pragma omp parallel
  std::fesetround(omp_get_thread_num() == 1 ? FE_UPWARD : FE_DOWNWARD);
  const int kept_at_all = kept();  // clang's OpenMP gives all threads the mode of who forks them
  for (const bool in_parallel : {false, true})
    for (const index_t at_once : {0, 1}) {
      std::atomic<int> nearest = 0;
      for_tasks(
          30, in_parallel, [&](index_t) { nearest += rounding() == FE_TONEAREST; }, at_once);
      CHECK(nearest == 30);
      CHECK_THROWS(for_tasks(
          30, in_parallel, [](index_t) { throw 1; }, at_once));
    }
  CHECK(kept() == kept_at_all);
#ifndef __clang__
  CHECK(kept_at_all == 3);
#endif
#pragma omp parallel
  std::fesetround(FE_TONEAREST);
  omp_set_num_threads(threads);
}

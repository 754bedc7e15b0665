// SPDX-License-Identifier: MIT
#include <chrono>
#include <doctest/doctest.h>
#include <thread>
#include <vector>

#include <teff/base/memory.hpp>
#include <teff/base/stream.hpp>

#include "../devices.hpp"

using namespace teff;
using namespace teff::test;

TEST_CASE("stream: a device's default stream is always the same, a new one never") {
  for (const device dev : test_devices()) {
    CHECK(stream(dev) == stream(dev));
    CHECK(stream(dev).dev() == dev);
    const stream one = stream::create(dev), other = stream::create(dev), copy = one;
    CHECK_FALSE(one == other);
    CHECK(one == copy);
    one.wait_for(other);
    one.wait_for(one);
    one.synchronize();
    synchronize(dev);
  }
}

TEST_CASE("stream: copies of bytes are done, in order, when the stream was waited for") {
  for (const device dev : test_devices()) {
    const stream s(dev);
    std::vector<int> from{1, 2, 3}, to(3);
    copy_bytes(s, to.data(), from.data(), 3 * sizeof(int));
    s.synchronize();
    CHECK(to == from);
    copy_bytes(s, nullptr, nullptr, 0);
  }
}

TEST_CASE("stream: bytes of 0, and counters that are 0 to begin with, of each GPU stream its own") {
  for (const device dev : test_devices()) {
    const stream s = stream::create(dev);
    const memory_block block(s, dev, 3 * sizeof(int), "three");
    std::vector<int> cells{1, 2, 3};
    copy_bytes(s, block.data(), cells.data(), 3 * sizeof(int));
    zero_bytes(s, block.data(), 2 * sizeof(int));
    zero_bytes(s, nullptr, 0);
    copy_bytes(s, cells.data(), block.data(), 3 * sizeof(int));
    s.synchronize();
    CHECK(cells == std::vector<int>{0, 0, 3});

    unsigned* const counters = s.arrival_counters();
    CHECK((counters != nullptr) == dev.is_cuda());
    if (counters == nullptr) continue;
    CHECK(s.arrival_counters() == counters);
    CHECK(stream(dev).arrival_counters() != counters);
    std::vector<unsigned> words(stream::arrival_count, 1);
    copy_bytes(s, words.data(), counters, words.size() * sizeof(unsigned));
    s.synchronize();
    CHECK(words == std::vector<unsigned>(stream::arrival_count, 0));
  }
}

TEST_CASE("timer: seconds between start and stop") {
  timer t(device::cpu());
  t.start();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  t.stop();
  CHECK(t.elapsed_s() >= 0.019);
  CHECK(t.elapsed_s() < 5);
  for (const device dev : test_devices()) {
    timer any(dev);
    any.start();
    any.stop();
    CHECK(any.elapsed_s() >= 0);
  }
}

TEST_CASE("timeline ranges nest, with or without a profiler") {
  const timeline_range outer("outer");
  const timeline_range inner("inner");
  CHECK(true);
}

// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdint>
#include <doctest/doctest.h>
#include <sys/mman.h>
#include <utility>
#include <vector>

#include <teff/array/array.hpp>
#include <teff/base/bytes.hpp>
#include <teff/base/config.hpp>
#include <teff/base/memory.hpp>
#include <teff/base/spare_blocks.hpp>

#include "../devices.hpp"
#include "../message.hpp"

using namespace teff;
using namespace teff::test;

TEST_CASE("memory: aligned, empty blocks, large ones") {
  for (const device dev : test_devices()) {
    const stream on(dev);
    CHECK(memory_block(on, dev, 0, "none").data() == nullptr);
    for (const std::size_t bytes : {1, 63, 64, 4097, 40000000}) {
      const memory_block block(on, dev, bytes, "block");
      REQUIRE(block.data() != nullptr);
      CHECK(reinterpret_cast<std::uintptr_t>(block.data()) % (bytes < 64 ? 16 : 64) == 0);
    }
  }
}

TEST_CASE("memory: asking for too much says what was asked, for what, and what is free") {
  const index_t n = index_t{1} << 50;
  const std::string text = message_of([&] { array<f64, 1>(device::cpu(), {n}, "T"); });
  CHECK(contains(text, "out of memory on the CPU: asked 9.01 PB for array 'T', free "));
  CHECK(contains(text, "; use smaller extents or f32"));
  CHECK(kind_of([&] { array<f64, 1>(device::cpu(), {n}, "T"); }) == failure::out_of_memory);
  CHECK(contains(message_of([&] { array<f32, 2>(device::cpu(), {n, 3}); }), "for an array, free"));
  const std::size_t all = describe(device::cpu()).memory_bytes;
  CHECK(kind_of([&] { array<u8, 1>(device::cpu(), {all}); }) == failure::out_of_memory);
  for (const device dev : test_devices()) {
    if (dev.is_cpu()) continue;
    const std::string gpu = message_of([&] { array<f64, 1>(dev, {n}, "T"); });
    CHECK(contains(gpu, "out of memory on cuda:0: asked 9.01 PB for array 'T', free "));
    // The failed call leaves no error behind for the next one.
    CHECK(array<f64, 1>(dev, {1000}).size() == 1000);
  }
}

TEST_CASE("memory: large blocks of the CPU are used again, for the same size only") {
  const stream on(device::cpu());
  const std::size_t large = std::size_t{40} << 20;
  const memory_block in_use(on, device::cpu(), 2 * large, "in use");
  void* first = nullptr;
  {
    const memory_block block(on, device::cpu(), large, "first");
    first = block.data();
    const memory_block beside(on, device::cpu(), large, "beside");
    CHECK(beside.data() != first);
  }
  const memory_block larger(on, device::cpu(), large + (std::size_t{2} << 20), "larger");
  CHECK(larger.data() != first);
  static_cast<char*>(larger.data())[large] = 1;
  const memory_block a(on, device::cpu(), large, "a"), b(on, device::cpu(), large, "b");
  CHECK(a.data() != b.data());
#ifndef TEFF_UNDER_ASAN
  CHECK((a.data() == first || b.data() == first));
#endif
}

#ifndef TEFF_UNDER_ASAN
TEST_CASE("memory: a large block of the CPU has its pages at once") {
  const std::size_t page = 4096, bytes = std::size_t{48} << 20;
  const memory_block block(stream(device::cpu()), device::cpu(), bytes, "block");
  const auto data = reinterpret_cast<std::uintptr_t>(block.data());
  std::vector<unsigned char> is_there(bytes / page);
  REQUIRE(mincore(reinterpret_cast<void*>(data / page * page), bytes, is_there.data()) == 0);
  CHECK(std::all_of(is_there.begin(), is_there.end(), [](unsigned char p) { return p & 1; }));
}

TEST_CASE("memory: a small block of a GPU is used again in its stream, for about the same size") {
  for (const device dev : test_devices()) {
    if (dev.is_cpu()) continue;
    const stream on = stream::create(dev), other = stream::create(dev);
    const auto place = [&](const stream& s, std::size_t bytes) {
      return memory_block(s, dev, bytes, "block").data();
    };
    const void* const first = place(on, 5000);
    CHECK(place(on, 5100) == first);
    CHECK(place(on, 5121) != first);
    CHECK(place(other, 5000) != first);
    const memory_block a(on, dev, 5000, "a"), b(on, dev, 5000, "b");
    CHECK(a.data() == first);
    CHECK(b.data() != first);
  }
}

TEST_CASE("memory: of spare blocks the latest of a size comes first, the oldest go") {
  runtime::spare_blocks spare;
  char cells[4];
  CHECK(spare.take(10) == nullptr);
  spare.put(&cells[0], 10);
  spare.put(&cells[1], 20);
  spare.put(&cells[2], 10);
  CHECK(spare.take(10) == &cells[2]);
  CHECK(spare.take(15) == nullptr);
  spare.put(&cells[3], 10);
  std::vector<std::pair<void*, std::size_t>> freed;
  const auto note = [&](void* data, std::size_t bytes) { freed.emplace_back(data, bytes); };
  spare.shrink(40, note);
  CHECK(freed.empty());
  spare.shrink(20, note);
  CHECK(freed == std::vector<std::pair<void*, std::size_t>>{{&cells[0], 10}, {&cells[1], 20}});
  CHECK(spare.take(20) == nullptr);
  CHECK(spare.take(10) == &cells[3]);
}

TEST_CASE("memory: a large block is kept for as long as somebody else's memory is in use") {
  const stream on(device::cpu());
  const std::size_t bytes = std::size_t{44} << 20;
  const auto left_in_next = [&] {
    {
      const memory_block block(on, device::cpu(), bytes, "first");
      static_cast<char*>(block.data())[1000] = 7;
    }
    const memory_block next(on, device::cpu(), bytes, "next");
    return static_cast<char*>(next.data())[1000];
  };
  CHECK(left_in_next() == 0);  // of new pages
  {
    const runtime::foreign_memory theirs(bytes);
    CHECK(left_in_next() == 7);
  }
  CHECK(left_in_next() == 0);
}

TEST_CASE("memory: blocks of the CPU begin at different places of a page") {
  const stream on(device::cpu());
  for (const std::size_t bytes : {std::size_t{64} << 10, std::size_t{40} << 20}) {
    const memory_block a(on, device::cpu(), bytes, "a"), b(on, device::cpu(), bytes, "b");
    const auto place = [](const memory_block& m) {
      return reinterpret_cast<std::uintptr_t>(m.data()) % 4096;
    };
    CHECK(place(a) != place(b));
    static_cast<char*>(a.data())[bytes - 1] = static_cast<char*>(b.data())[bytes - 1] = 1;
  }
}
#endif

TEST_CASE("memory: page-locked where there is a driver, a clear error where not") {
  if (cuda_device_count() == 0) {
    const std::string text = message_of([] { array<f64, 1>(device::cpu_pinned(), {10}); });
    CHECK(text != "");
    return;
  }
  array<f64, 1> a(device::cpu_pinned(), {10}, "pinned");
  a.data()[9] = 4;
  CHECK(static_cast<f64>(a(9)) == 4);
}

// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdio>
#include <set>
#include <unistd.h>

#include <teff/kernel/assert.hpp>

#include "block_cases.hpp"

using namespace teff;
using namespace teff::test;

/// What is the emulator's own: its options, its report, how it ends. CPU only.
namespace {

/// In which order threads come to an atomic counter.
struct note_order {
  unsigned* counter;
  i32* order;
  TEFF_FN void operator()(block& blk) const {
    const unsigned place = blk.atomic_increment_wrap(*counter, 1u << 20);
    order[place] = static_cast<i32>(blk.index() * blk.threads() + blk.thread());
  }
};

std::vector<i32> order_of(std::uint64_t seed, index_t blocks, index_t threads) {
  unsigned counter = 0;
  std::vector<i32> order(static_cast<std::size_t>(blocks * threads));
  const emulation by({.seed = seed});
  launch_blocks(device::cpu(), {.blocks = {blocks}, .threads = {threads}},
                note_order{&counter, order.data()});
  return order;
}

struct alignas(16) four_numbers {
  f32 lane[4];
};

/// Reads with a stride, in elements, after all is written.
template <class T>
struct read_strided {
  int stride;
  T* out;
  TEFF_FN void operator()(block& blk) const {
    auto tile = blk.shared<T>(32 * 32);
    const int t = blk.thread();
    for (int i = t; i < 32 * 32; i += 32) tile[i] = T{};
    blk.sync();
    out[t] = tile[t * stride];
  }
};

template <class T>
index_t extra_passes(int stride) {
  std::vector<T> out(32);
  const emulation by;
  launch_blocks(device::cpu(), {.threads = {32}, .shared_bytes = 32 * 32 * sizeof(T)},
                read_strided<T>{stride, out.data()});
  CHECK(by.report().bank_conflicts.worst == by.report().bank_conflicts.total);
  return by.report().bank_conflicts.total;
}

struct barriers {
  int n;
  TEFF_FN void operator()(block& blk) const {
    for (int i = 0; i < n; ++i) blk.sync();
  }
};

struct counted {
  int* alive;
  explicit counted(int* count) : alive(count) { ++*alive; }
  counted(const counted&) = delete;
  counted& operator=(const counted&) = delete;
  ~counted() { --*alive; }
};

/// Threads with something to destroy wait in all ways when one of them throws.
struct throw_while_others_wait {
  int* alive;
  i32* never;
  TEFF_FN void operator()(block& blk) const {
#ifndef __CUDA_ARCH__
    const counted mine(alive);
    const int t = blk.thread();
    if (t < 32) blk.sync();
    if (t >= 32 && t < 48) blk.warp().sync();
    if (t >= 48 && t < 64) blk.wait_until(*never, [](i32 value) { return value != 0; });
    if (t == 64 && blk.index() == 3) throw error("thrown by a kernel");
    blk.sync();
#else
    (void)blk;
#endif
  }
};

struct launch_another {
  TEFF_FN void operator()(block&) const {
#ifndef __CUDA_ARCH__
    launch_blocks(device::cpu(), {.threads = {1}}, barriers{1});
#endif
  }
};

/// One block works for long without polling, the others poll for what it gives.
struct poll_for_long_work {
  i32* result;
  TEFF_FN void operator()(block& blk) const {
    if (blk.index() == 0) {
      for (int i = 0; i < 3000; ++i) blk.sync();
      if (blk.thread() == 0) blk.publish(*result, 1);
    } else {
      while (blk.read_published(*result) == 0) {
      }
    }
  }
};

/// The second warp of 40 threads has 8 lanes.
struct use_partial_warp {
  i32* beyond;
  unsigned* votes;
  bool* all;
  TEFF_FN void operator()(block& blk) const {
    const warp w = blk.warp();
    const i32 value = w.shuffle(blk.thread(), 20);
    const unsigned vote = w.ballot(true);
    const bool is_all = w.all(true);
    if (blk.thread() == 39) {
      *beyond = value;
      *votes = vote;
      *all = is_all;
    }
  }
};

struct use_unchecked {
  i32* out;
  TEFF_FN void operator()(block& blk) const {
    auto tile = blk.shared<i32>(64);
    const i32 unwritten = tile[blk.thread()];
    if (blk.thread() == 0) *out = unwritten;
    tile[0] = 1;
  }
};

struct print_places {
  TEFF_FN void operator()(block& blk) const {
    if (blk.thread() == 2) TEFF_PRINT("value %d of %s\n", 10 * blk.thread(1), "two");
    if (blk.thread() == 3) TEFF_PRINT("no value\n");
  }
};

struct assert_of_cell {
  void operator()(index_t i) const { TEFF_ASSERT(i != 5 && "cells have no five"); }
};

/// What act prints to stdout.
template <class Act>
std::string printed_by(const Act& act) {
  std::fflush(stdout);
  std::FILE* file = std::tmpfile();
  const int screen = dup(1);
  dup2(fileno(file), 1);
  act();
  std::fflush(stdout);
  dup2(screen, 1);
  close(screen);
  std::string text(static_cast<std::size_t>(std::ftell(file)), '\0');
  std::rewind(file);
  text.resize(std::fread(text.data(), 1, text.size(), file));
  std::fclose(file);
  return text;
}

}  // namespace

TEST_CASE(
    "emulator: the seed decides the order of blocks, warps and lanes, and nothing else does") {
  const index_t shapes[][2] = {{6, 64}, {1, 32}, {200, 1}};
  for (const auto& [blocks, threads] : shapes) {
    std::set<std::vector<i32>> orders;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const std::vector<i32> order = order_of(seed, blocks, threads);
      CHECK(order == order_of(seed, blocks, threads));
      std::vector<i32> sorted(order);
      std::sort(sorted.begin(), sorted.end());
      for (std::size_t i = 0; i < sorted.size(); ++i) CHECK(sorted[i] == static_cast<i32>(i));
      orders.insert(order);
    }
    CHECK(orders.size() == 20);
  }
}

TEST_CASE("emulator: bank conflicts of strides, for elements of 1 to 16 bytes") {
  CHECK(extra_passes<f32>(1) == 0);
  CHECK(extra_passes<f32>(0) == 0);  // one word for all
  CHECK(extra_passes<f32>(2) == 1);
  CHECK(extra_passes<f32>(4) == 3);
  CHECK(extra_passes<f32>(31) == 0);
  CHECK(extra_passes<i32>(16) == 15);
  CHECK(extra_passes<u8>(1) == 0);
  CHECK(extra_passes<u8>(4) == 0);
  CHECK(extra_passes<u8>(8) == 1);
  CHECK(extra_passes<f64>(1) == 0);
  CHECK(extra_passes<f64>(2) == 2);  // one more for each half of the warp
  CHECK(extra_passes<f64>(17) == 0);
  CHECK(extra_passes<f64>(16) == 30);
  CHECK(extra_passes<four_numbers>(1) == 0);
  CHECK(extra_passes<four_numbers>(2) == 4);  // one more for each quarter
}

TEST_CASE("emulator: the report is of the last kernel, the innermost emulation counts") {
  const emulation outer;
  launch_blocks(device::cpu(), {.blocks = {3}, .threads = {40}}, barriers{5});
  CHECK(outer.report().barriers == 15);
  CHECK(outer.report().blocks == 3);
  CHECK(outer.report().threads == 120);
  {
    const emulation inner({.resident_blocks = 1});
    launch_blocks(device::cpu(), {.threads = {1024}}, barriers{2});
    CHECK(inner.report().barriers == 2);
    CHECK(inner.options().resident_blocks == 1);
  }
  CHECK(outer.report().barriers == 15);
  launch_blocks(device::cpu(), {.threads = {33}}, barriers{1});
  CHECK(outer.report().barriers == 1);
  CHECK(outer.report().threads == 33);
  CHECK(
      contains(message_of([] { const emulation none({.resident_blocks = 0}); }), "are 1 or more"));
}

TEST_CASE("emulator: an error in one thread unwinds all, and the next kernel runs") {
  int alive = 0;
  i32 never = 0;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    CHECK(emulated(seed, {.blocks = {4}, .threads = {96}},
                   throw_while_others_wait{&alive, &never}) == "thrown by a kernel");
    CHECK(alive == 0);
    CHECK(emulated(seed, {.blocks = {6}, .threads = {96}}, barriers{2}) == "");
  }
  CHECK(contains(emulated(1, {.threads = {1}}, launch_another{}),
                 "kernels are launched by the host"));
}

TEST_CASE("emulator: without checks nothing is said, and unwritten memory is poison") {
  i32 got = 0;
  const emulation by({.check = false});
  launch_blocks(device::cpu(), {.threads = {64}, .shared_bytes = 256}, use_unchecked{&got});
  CHECK(
      (got == -1 || got == 1));  // the first thread's own element, before or after somebody's write
  CHECK(by.report().bank_conflicts.accesses == 0);
}

TEST_CASE("emulator: who polls is not stuck while another block works") {
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    i32 result = 0;
    CHECK(emulated(seed, {.blocks = {4}, .threads = {4}}, poll_for_long_work{&result}) == "");
    CHECK(emulated(seed, {.blocks = {4}, .threads = {64}}, barriers{1500}) == "");
  }
}

TEST_CASE("emulator: lanes that a block does not have give poison and do not vote") {
  i32 beyond = 0;
  unsigned votes = 0;
  bool all = false;
  launch_blocks(device::cpu(), {.threads = {40}}, use_partial_warp{&beyond, &votes, &all});
  CHECK(beyond == -1);
  CHECK(votes == 0xffU);
  CHECK(all);
}

TEST_CASE("kernels print with block and thread") {
  const auto print = [] {
    launch_blocks(device::cpu(), {.blocks = {1, 1}, .threads = {3, 1}}, print_places{});
  };
  CHECK(printed_by(print) == "block 0,0,0 thread 2,0,0: value 0 of two\n");
  const auto print_two = [] {
    const emulation by({.seed = 4, .resident_blocks = 1});
    launch_blocks(device::cpu(), {.blocks = {1, 2}, .threads = {4, 1}}, print_places{});
  };
  const std::string two = printed_by(print_two);
  CHECK(contains(two, "block 0,1,0 thread 3,0,0: no value\n"));
  CHECK(contains(two, "block 0,0,0 thread 2,0,0: value 0 of two\n"));
}

TEST_CASE("an assertion outside of a block kernel names its place") {
  CHECK(contains(message_of([] { assert_of_cell{}(5); }),
                 "assertion failed: i != 5 && \"cells have no five\" at "));
  CHECK(message_of([] { assert_of_cell{}(4); }) == "");
}

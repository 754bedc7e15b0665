// SPDX-License-Identifier: MIT
#include <algorithm>
#include <limits>

#include <teff/kernel/assert.hpp>

#include "block_cases.hpp"

using namespace teff;
using namespace teff::test;

/// Kernels with one fault each, in how blocks wait for each other, or found by an assertion or a
/// result.
namespace {

/// Waits for the block before, which may never run while this one waits.
struct chain_without_tickets {
  i32* done;
  TEFF_FN void operator()(block& blk) const {
    if (blk.thread() == 0) {
      if (blk.index() > 0)
        blk.wait_until(done[blk.index() - 1], [](i32 value) { return value != 0; });
      blk.publish(done[blk.index()], 1);
    }
    blk.sync();
  }
};

/// The value is published only on one of two paths.
struct lost_wake_up {
  i32* done;
  TEFF_FN void operator()(block& blk) const {
    const unsigned ticket = blk.atomic_increment_wrap(*reinterpret_cast<unsigned*>(done), 100);
    if (ticket == 0) return;
    blk.wait_until(done[1], [](i32 value) { return value != 0; });
  }
};

/// Polls by itself, with warp operations between.
struct stuck_polling {
  i32* done;
  TEFF_FN void operator()(block& blk) const {
    while (!blk.warp().all(blk.read_published(done[0]) != 0)) {
    }
  }
};

struct failing_assertion {
  view<i32, 1> out;
  TEFF_FN void operator()(block& blk) const {
    const index_t i = blk.index() * blk.threads() + blk.thread();
    TEFF_ASSERT(i < out.extent(0));
    out(i) = 1;
  }
};

/// Passes on a sum, but says so before it is there. Found by its results: global memory is not
/// checked.
template <bool TooEarly>
struct chained_sum {
  unsigned* ticket = nullptr;
  i32* total = nullptr;
  i32* published = nullptr;
  TEFF_FN void operator()(block& blk) const {
    if (blk.thread() != 0) return;
    const unsigned place = blk.atomic_increment_wrap(*ticket, 1000);
    if (place > 0) blk.wait_until(published[place - 1], [](i32 is) { return is != 0; });
    const i32 sum = place > 0 ? total[place - 1] + 1 : 1;
    if (TooEarly) blk.publish(published[place], 1);
    total[place] = sum;
    if (!TooEarly) blk.publish(published[place], 1);
  }
};

/// So many blocks as fit in the cells: the cells of the remainder belong to none.
struct fill_with_ones {
  view<f64, 1> out;
  TEFF_FN void operator()(block& blk) const {
    const index_t i = blk.index() * blk.threads() + blk.thread();
    if (i < out.extent(0)) out(i) = 1;
  }
};

}  // namespace

TEST_CASE("planted: threads that wait for ever") {
  std::vector<i32> done(64);
  const auto check = [&](const block_options& launch, const auto& kernel, const char* sentence,
                         const std::vector<std::string>& parts) {
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
      std::fill(done.begin(), done.end(), 0);
      const std::string said = emulated(seed, launch, kernel);
      CHECK(contains(said, sentence));
      for (const std::string& part : parts) CHECK(contains(said, part));
    }
  };
  check({.blocks = {64}, .threads = {40}}, chain_without_tickets{done.data()},
        "deadlock: no resident thread can go on",
        {"thread 0 in wait_until() at ", "threads 1, 2, 3 and 36 more in sync() at ",
         "blocks that have not started: 60", "number them by a ticket"});
  check({.blocks = {2}, .threads = {33}}, lost_wake_up{done.data()},
        "deadlock: no resident thread can go on",
        {"in wait_until() at ",
         "; blocks that have not started: 0. Publish what is waited for on every path"});
  check({.blocks = {5}, .threads = {32}}, stuck_polling{done.data()},
        "deadlock: nothing that resident threads poll has changed in 500 rounds",
        {"blocks that have not started: 1."});
}

TEST_CASE("planted: an assertion that fails") {
  const array<i32, 1> out(device::cpu(), {100});
  check_found({.blocks = {2}, .threads = {64}}, failing_assertion{out.view()}, {"block 1, thread "},
              {": assertion failed: i < out.extent(0) at "});
}

TEST_CASE("planted: cells of the remainder, lost by an integer division") {
  const auto lost_cells = [](device dev, std::uint64_t seed, index_t blocks) {
    const emulation by({.seed = seed});
    // Poison: a cell that nobody writes can not be right by chance.
    array<f64, 1> out =
        placed_on(dev, std::vector<f64>(1000, std::numeric_limits<f64>::quiet_NaN()));
    launch_blocks(dev, {.blocks = {blocks}, .threads = {64}}, fill_with_ones{out.view()});
    int lost = 0;
    for (const f64 value : to_host(out)) lost += value != 1;
    return lost;
  };
  for (const device dev : test_devices())
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
      CHECK(lost_cells(dev, seed, 1000 / 64) == 1000 % 64);
      CHECK(lost_cells(dev, seed, ceil_div(1000, 64)) == 0);
    }
}

TEST_CASE("planted: a value published before it is written") {
  const auto last_sum = [](std::uint64_t seed, auto kernel) {
    unsigned ticket = 0;
    std::vector<i32> total(50, -1000), published(50);
    kernel.ticket = &ticket;
    kernel.total = total.data();
    kernel.published = published.data();
    CHECK(emulated(seed, {.blocks = {50}, .threads = {32}}, kernel) == "");
    return total.back();
  };
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    CHECK(last_sum(seed, chained_sum<true>{}) != 50);
    CHECK(last_sum(seed, chained_sum<false>{}) == 50);
  }
}

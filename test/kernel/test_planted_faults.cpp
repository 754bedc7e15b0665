// SPDX-License-Identifier: MIT
#include <limits>
#include <numeric>

#include "block_cases.hpp"

using namespace teff;
using namespace teff::test;

/// Kernels with one fault each, in what the threads of a block do together. The emulator must find
/// it with every seed, and say what and where. Others: test_planted_waits.cpp.
namespace {

/// The lesson's matrix-vector product: threads share pieces of x. Both barriers of its loop are
/// needed.
template <bool FirstBarrier, bool SecondBarrier>
struct gemv_with_shared_x {
  view<f64, 2> A;
  view<f64, 1> x, y;
  TEFF_FN void operator()(block& blk) const {
    const int t = blk.thread(), piece = blk.threads();
    auto shared_x = blk.shared<f64>(piece);
    const index_t i = blk.index() * piece + t;
    f64 product = 0;
    for (index_t j0 = 0; j0 < A.extent(1); j0 += piece) {
      shared_x[t] = x(j0 + t);
      if (FirstBarrier) blk.sync();
      for (int j = 0; j < piece; ++j) product += A(i, j0 + j) * shared_x[j];
      if (SecondBarrier) blk.sync();
    }
    y(i) = product;
  }
};

template <bool FirstBarrier, bool SecondBarrier>
gemv_with_shared_x<FirstBarrier, SecondBarrier> gemv_of(const array<f64, 2>& A,
                                                        const array<f64, 1>& x,
                                                        const array<f64, 1>& y) {
  return {A.view(), x.view(), y.view()};
}

struct return_before_barrier {
  int n;
  TEFF_FN void operator()(block& blk) const {
    if (blk.index() * blk.threads() + blk.thread() >= n) return;
    blk.sync();
  }
};

/// Every second thread does one round less.
struct rounds_of_different_number {
  TEFF_FN void operator()(block& blk) const {
    for (int round = blk.thread() % 2; round < 3; ++round) blk.sync();
  }
};

struct barrier_in_branches {
  TEFF_FN void operator()(block& blk) const {
    if (blk.thread() < 32)
      blk.sync();
    else
      blk.sync();
  }
};

struct barrier_against_ballot {
  TEFF_FN void operator()(block& blk) const {
    if (blk.thread() % 2 == 0) blk.sync();
    blk.warp().ballot(true);
    if (blk.thread() % 2 == 1) blk.sync();
  }
};

struct shuffle_of_half_a_warp {
  view<f64, 1> out;
  TEFF_FN void operator()(block& blk) const {
    f64 value = blk.thread();
    if (blk.warp().lane() < 16) value += blk.warp().shuffle_down(value, 8);
    out(blk.thread()) = value;
  }
};

struct different_operations {
  TEFF_FN void operator()(block& blk) const {
    const warp w = blk.warp();
    w.lane() == 5 ? (void)w.any(true) : (void)w.ballot(true);  // on one line: by their kinds alone
  }
};

struct shuffle_at_two_places {
  TEFF_FN void operator()(block& blk) const {
    if (blk.warp().lane() < 16)
      blk.warp().shuffle(1, 0);
    else
      blk.warp().shuffle(2, 0);
  }
};

struct all_write_one_element {
  TEFF_FN void operator()(block& blk) const {
    auto flag = blk.shared<i32>(1);
    flag[0] = blk.thread();
  }
};

struct shift_in_place {
  TEFF_FN void operator()(block& blk) const {
    const int t = blk.thread();
    auto tile = blk.shared<i32>(65);
    tile[t] = t;
    if (t == 0) tile[64] = 0;
    blk.sync();
    tile[t] = tile[t + 1];
  }
};

/// Two lanes read, then the one that read last writes; in this order in every run.
struct write_after_read {
  TEFF_FN void operator()(block& blk) const {
    const int lane = blk.thread();
    auto tile = blk.shared<i32>(1);
    if (lane == 0) tile[0] = 1;
    blk.sync();
    i32 value = 0;
    if (lane == 1) value = tile[0];
    value = blk.warp().shuffle(value, 1);
    if (lane == 0) value = tile[0];
    value = blk.warp().shuffle(value, 0);
    if (lane == 0) tile[0] = value;
  }
};

struct shuffle_taken_for_a_barrier {
  view<i32, 1> out;
  TEFF_FN void operator()(block& blk) const {
    const int t = blk.thread();
    auto tile = blk.shared<i32>(32);
    tile[t] = t;
    blk.sync();
    tile[t] = -t;
    blk.warp().shuffle(t, 0);
    out(t) = tile[31 - t];
  }
};

struct warp_sync_taken_for_a_barrier {
  view<i32, 1> out;
  TEFF_FN void operator()(block& blk) const {
    const int t = blk.thread();
    auto tile = blk.shared<i32>(64);
    tile[t] = t;
    blk.sync();
    tile[t] = -t;
    blk.warp().sync();
    out(t) = tile[63 - t];
  }
};

struct count_read_early {
  view<i32, 1> out;
  TEFF_FN void operator()(block& blk) const {
    auto count = blk.shared<i32>(1);
    if (blk.thread() == 0) count[0] = 0;
    blk.sync();
    blk.atomic_add(count[0], 1);
    out(blk.thread()) = count[0];
  }
};

struct read_unwritten {
  view<i32, 1> out;
  TEFF_FN void operator()(block& blk) const {
    auto tile = blk.shared<i32>(128);
    tile[blk.thread()] = 1;
    blk.sync();
    if (blk.thread() == 9) out(0) = tile[64 + 9];
  }
};

struct read_at {
  int first;
  view<i32, 1> out;
  TEFF_FN void operator()(block& blk) const {
    auto tile = blk.shared<i32>(64);
    tile[blk.thread()] = 1;
    blk.sync();
    const i32 value = tile[blk.thread() + first];
    out(blk.thread()) = value;
  }
};

struct two_words {
  i32 a, b;
};
struct write_wide_at {
  int first;
  TEFF_FN void operator()(block& blk) const {
    auto tile = blk.shared<i32>(64);
    tile.write_wide(2 * blk.thread() + first, two_words{1, 2});
  }
};

/// The array begins behind a smaller one.
struct write_wide_behind {
  TEFF_FN void operator()(block& blk) const {
    blk.shared<i32>(1);
    auto tile = blk.shared<i32>(64);
    tile.write_wide(2 * blk.thread(), two_words{1, 2});
  }
};

struct carve {
  int first, second;
  TEFF_FN void operator()(block& blk) const {
    blk.shared<f64>(first);
    blk.shared<f32>(blk.thread() == 3 ? second + 1 : second);
  }
};

struct two_numbers {
  i32 a, b;
};

/// Each thread writes the value that it is given to element 0; those of two groups may differ, and
/// the last thread may write once more.
struct write_to_one_element {
  int value[2], once_more;
  bool is_wide;
  TEFF_FN void operator()(block& blk) const {
    auto flags = blk.shared<i32>(2);
    const i32 mine = value[blk.thread() % 2];
    const two_numbers wide{mine, 9};
    if (is_wide)
      flags.write_wide(0, wide);
    else
      flags[0] = mine;
    blk.warp().ballot(true);  // orders nothing
    if (blk.thread() == blk.threads() - 1) flags[0] = once_more;
  }
};

/// Uses a handle that was not assigned to.
struct use_no_array {
  int how;
  TEFF_FN void operator()(block& blk) const {
    auto some = blk.shared<i32>(4), tile = shared_array<i32>::none();
    if (how == 0) tile = some;
    if (how == 2) some[0] = tile[0];
    if (how == 3) tile.write_wide(0, two_numbers{1, 2});
    if (how == 4) some[1] = tile.read_wide<two_numbers>(0).b;
    if (how == 5)
      blk.atomic_add(tile[3], 1);
    else if (how < 2)
      tile[0] = 1;
  }
};

}  // namespace

TEST_CASE("planted: a missing barrier in the matrix-vector product with shared x") {
  const array<f64, 2> A(device::cpu(), {128, 128});
  const array<f64, 1> x(device::cpu(), {128}), y(device::cpu(), {128});
  std::fill(A.data(), A.data() + A.size(), 1.0);
  std::fill(x.data(), x.data() + x.size(), 1.0);
  const block_options launch{.blocks = {2}, .threads = {64}, .shared_bytes = 512};
  check_found(launch, gemv_of<false, true>(A, x, y),
              {"which no thread of this block has written", "with no barrier between"},
              {"reads element", "blk.sync() between"});
  check_found(launch, gemv_of<true, false>(A, x, y),
              {"race: reads element", "race: writes element"},
              {"with no barrier between", "put blk.sync() between the two"});
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    std::fill(y.data(), y.data() + y.size(), std::numeric_limits<f64>::quiet_NaN());
    CHECK(emulated(seed, launch, gemv_of<true, true>(A, x, y)) == "");
    CHECK(std::accumulate(y.data(), y.data() + y.size(), 0.0) == 128.0 * 128.0);
  }
}

TEST_CASE("planted: threads return before a barrier") {
  check_found({.blocks = {3}, .threads = {64}}, return_before_barrier{150},
              {"returned before a barrier"},
              {"block 2", "42 threads", "in sync() at ", "and 39 more returned",
               "let every thread come to each sync()"});
  check_found(
      {.threads = {64}}, rounds_of_different_number{}, {"32 threads returned before a barrier"},
      {"threads 1, 3, 5 and 29 more returned", "threads 0, 2, 4 and 29 more in sync() at "});
}

TEST_CASE("planted: barriers that only some threads come to") {
  check_found(
      {.threads = {64}}, barrier_in_branches{}, {"threads wait at different barriers"},
      {"threads 0, 1, 2 and 29 more in sync()", "threads 32, 33, 34 and 29 more in sync()"});
  check_found({.threads = {64}}, barrier_against_ballot{}, {"diverge in a warp operation"},
              {"and 13 more in ballot() at ", "and 13 more in sync() at ", "lanes of warp "});
}

TEST_CASE("planted: warp operations that only some lanes come to") {
  const array<f64, 1> out(device::cpu(), {64});
  check_found({.threads = {64}}, shuffle_of_half_a_warp{out.view()},
              {"diverge in a warp operation"},
              {"and 13 more in shuffle_down() at ", "and 13 more returned"});
  check_found({.threads = {32}}, different_operations{}, {"diverge in a warp operation"},
              {"thread 5 in any() at ", "threads 0, 1, 2 and 28 more in ballot() at "});
  check_found({.threads = {32}}, shuffle_at_two_places{}, {"diverge in a warp operation"},
              {"threads 0, 1, 2 and 13 more in shuffle() at ",
               "threads 16, 17, 18 and 13 more in shuffle() at "});
}

TEST_CASE("planted: races in shared memory") {
  const array<i32, 1> out(device::cpu(), {64});
  check_found({.threads = {64}, .shared_bytes = 4}, all_write_one_element{},
              {"race: writes element 0"}, {" wrote at ", "of the shared array carved at "});
  check_found({.threads = {64}, .shared_bytes = 260}, shift_in_place{},
              {"race: reads element", "race: writes element"}, {"with no barrier between"});
  check_found({.threads = {32}, .shared_bytes = 4}, write_after_read{},
              {"block 0, thread 0: race: writes element 0"},
              {"which thread 1 read at ", "with no barrier between"});
  check_found({.threads = {32}, .shared_bytes = 128}, shuffle_taken_for_a_barrier{out.view()},
              {"race: reads element", "race: writes element"},
              {"or warp().sync(): both are of one warp; shuffles order nothing"});
  check_found({.threads = {64}, .shared_bytes = 256}, warp_sync_taken_for_a_barrier{out.view()},
              {"race: reads element", "race: writes element"}, {"put blk.sync() between the two"});
  check_found({.threads = {64}, .shared_bytes = 4}, count_read_early{out.view()},
              {"race: reads element 0", "race: changes atomically element 0"},
              {"with no barrier between"});
}

TEST_CASE("planted: writes of one element are a race where values differ, else a note") {
  const block_options one_warp{.threads = {32}, .shared_bytes = 8},
      three{.threads = {96}, .shared_bytes = 8};
  for (const bool is_wide : {false, true})
    for (const block_options& options : {one_warp, three}) {
      const emulation by;
      launch_blocks(device::cpu(), options, write_to_one_element{{5, 5}, 5, is_wide});
      const auto& noted = by.report().same_value_writes;
      CHECK(noted.count == (is_wide ? 2 : 1) * (options.threads.n[0] - 1) + 1);
      CHECK(contains(noted.first.file, "test_planted_faults.cpp"));
      check_found(options, write_to_one_element{{5, 6}, 5, is_wide}, {"race: writes element 0"},
                  {"with no barrier between"});
      check_found(options, write_to_one_element{{5, 5}, 6, is_wide}, {"race: writes element 0"},
                  {"with no barrier between"});
    }
}

TEST_CASE("planted: shared memory that nobody wrote, or that is not there") {
  const array<i32, 1> out(device::cpu(), {64});
  check_found({.threads = {64}, .shared_bytes = 512}, read_unwritten{out.view()},
              {"thread 9: reads element 73 of the shared array carved at "},
              {"which no thread of this block has written; write it first"});
  check_found({.threads = {64}, .shared_bytes = 256}, read_at{1, out.view()},
              {"block 0, thread 63: element 64 of a shared array of 64 elements"},
              {"is out of bounds at ", "indices go from 0 to 63"});
  check_found({.threads = {64}, .shared_bytes = 256}, read_at{-1, out.view()},
              {"block 0, thread 0: element -1 of a shared array of 64 elements"},
              {"is out of bounds at "});
  check_found({.threads = {33}, .shared_bytes = 256}, write_wide_at{0},
              {"block 0, thread 32: element 64 of a shared array of 64 elements"},
              {"is out of bounds at "});
  check_found({.threads = {1}, .shared_bytes = 256}, write_wide_at{3},
              {"block 0, thread 0: element 3 at "},
              {" is the first of 2 in one access; begin it at a multiple of 2"});
  check_found(
      {.threads = {1}, .shared_bytes = 260}, write_wide_behind{},
      {"block 0, thread 0: one access of 8 bytes at "},
      {" in a shared array that begins at byte 4, carved at ", "carve it before the smaller ones"});
}

TEST_CASE("planted: a handle of no shared array") {
  const block_options one{.threads = {1}, .shared_bytes = 16};
  CHECK(emulated(1, one, use_no_array{0}) == "");
  for (int how = 1; how <= 5; ++how)
    check_found(
        one, use_no_array{how},
        {"block 0, thread 0: uses a shared array that was not carved, shared_array::none(),"},
        {" at ", "assign what blk.shared<T>(n) gives to it before"});
}

TEST_CASE("planted: carving more than there is, or not alike") {
  check_found({.threads = {2}, .shared_bytes = 80}, carve{8, 5},
              {"carves 5 elements of 4 bytes at "},
              {"where 16 bytes are left", "launch with .shared_bytes = 84 or more"});
  check_found({.threads = {4}, .shared_bytes = 256}, carve{8, 4},
              {"carves 5 elements of 4 bytes at ", "carves 4 elements of 4 bytes at "},
              {"where another thread of the block carved", "all threads carve the same arrays"});
  check_found({.threads = {2}, .shared_bytes = 80}, carve{8, -1},
              {"carves a shared array of -1 elements at "}, {"it takes 0 or more"});
}

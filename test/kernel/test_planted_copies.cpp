// SPDX-License-Identifier: MIT
#include "block_cases.hpp"

using namespace teff;
using namespace teff::test;

/// A call in a function that both sides of a branch call is two calls of a GPU. Compiled with -O2
/// (test/CMakeLists.txt), where compilers also copy calls that stay one: these must raise no alarm.
namespace {

// What is called from two places, and so is there twice.
TEFF_INLINE double from_lane_0(const block& blk, double v) {
  return blk.warp().shuffle(v, 0);
}
TEFF_INLINE void wait_for_all(const block& blk) {
  blk.sync();
}
TEFF_INLINE bool any_negative(const block& blk, double v) {
  return blk.warp().any(v < 0);
}
template <int Instance>
TEFF_INLINE void order_warp(const block& blk) {
  blk.warp().sync();
}

/// One helper called from both sides of a branch; or, as is right, once.
struct helper_in_branches {
  view<f64, 1> out;
  int which;
  TEFF_FN void operator()(block& blk) const {
    const int t = blk.thread();
    double v = t;
    const bool is_odd = t % 2 == 1;
    if (which == 0) v = from_lane_0(blk, is_odd ? v : -v - 5) + (is_odd ? 1 : 0);
    if (which == 1) {
      if (is_odd)
        v = from_lane_0(blk, v) + 1;
      else
        v = from_lane_0(blk, -v - 5);
    }
    if (which == 2) {
      if (t < 32)
        wait_for_all(blk);
      else
        wait_for_all(blk);
    }
    if (which == 3) {
      if (is_odd)
        v += any_negative(blk, v);
      else
        v += any_negative(blk, -v);
    }
    if (which == 4) {
      if (is_odd)
        order_warp<0>(blk);
      else
        order_warp<1>(blk);
    }
    if (blk.warp().all(v < 0)) v = 0;
    out(t) = v;
  }
};

/// Left out of line, and called at places around which gcc and clang copy calls.
[[gnu::noinline]] TEFF_FN double far_sum(const block& blk, double v) {
  for (int d = 16; d > 0; d /= 2) v += blk.warp().shuffle_down(v, d);
  return v;
}
TEFF_FN inline double near_sum(const block& blk, double v) {
  return v + blk.warp().shuffle(v, 3);
}

struct calls_that_are_copied {
  view<f64, 1> out;
  int rounds;
  TEFF_FN void operator()(block& blk) const {
    const int t = blk.thread();
    const bool is_odd = t % 2 == 1;
    double v = t;
    if (is_odd) v = v * 3;
    v = blk.warp().shuffle(v, 0);
    if (is_odd) v += 7;
    if (t == 5) v = -v;
    v = far_sum(blk, v);
    if (t == 5) out(70) = v;
    if (t > 20)
      v = 1;
    else
      v = 2;
    v = near_sum(blk, v);
    if (t > 20) out(71 + t) = v;
    for (int i = 0; i < rounds; ++i) {
      if (is_odd) v += i;
      v = from_lane_0(blk, v);
      if (is_odd) v -= 1;
      blk.sync();
      if (is_odd) out(200 + t) = v;
    }
    for (int i = 0; i < 5; ++i) v = near_sum(blk, v);
    bool is_done = false;
    while (!blk.warp().all(is_done)) {
      if (v > 1e3)
        is_done = true;
      else
        v = v * v + 2;
      if (!is_done && is_odd) v += 1;
    }
    const unsigned large = blk.warp().ballot(v > 1e4);
    if (is_odd && large != 0) v += large;
    blk.warp().sync();
    if (is_odd && large != 0) v -= 1;
    out(t) = v;
  }
};

// clang gives copies one place in a frame, so they look like one call to the emulator.
#if defined(__clang__) && defined(__OPTIMIZE__)
constexpr bool tells_copies_apart = false;
#else
constexpr bool tells_copies_apart = true;
#endif

}  // namespace

TEST_CASE("planted: an operation in a helper that both sides of a branch call") {
  const array<f64, 1> out(device::cpu(), {64});
  const auto of = [&](int which) { return helper_in_branches{out.view(), which}; };
  for (std::uint64_t seed = 1; seed <= seeds; ++seed)
    CHECK(emulated(seed, {.threads = {64}}, of(0)) == "");
  if (!tells_copies_apart) return;
  const std::string advice =
      "a function that both sides of a branch call is there twice on a GPU: call it once, after "
      "the "
      "branch, with what the sides chose";
  const std::vector<std::string> in_warp{"the lanes of warp "};
  check_found({.threads = {64}}, of(1), in_warp,
              {" and 13 more in shuffle() at ", ", called from another place", advice});
  check_found({.threads = {64}}, of(2), {"threads wait at different barriers"},
              {"threads 0, 1, 2 and 29 more in sync() at ", ", called from another place", advice});
  check_found({.threads = {32}}, of(3), in_warp,
              {" and 13 more in any() at ", ", called from another place", advice});
  check_found({.threads = {32}}, of(4), in_warp,
              {" and 13 more in warp().sync() at ", ", called from another place", advice});
}

TEST_CASE("correct: calls that the compiler copies are one call") {
  const array<f64, 1> out(device::cpu(), {300});
  for (int rounds = 0; rounds < 4; ++rounds)
    for (std::uint64_t seed = 1; seed <= seeds; ++seed)
      CHECK(emulated(seed, {.blocks = {2}, .threads = {64}},
                     calls_that_are_copied{out.view(), rounds}) == "");
}

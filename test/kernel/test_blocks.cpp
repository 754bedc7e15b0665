// SPDX-License-Identifier: MIT
#include <cstring>
#include <string>
#include <vector>

#include <teff/algo/fill.hpp>
#include <teff/array/host_copy.hpp>
#include <teff/kernel/assert.hpp>
#include <teff/kernel/block.hpp>

#include "../devices.hpp"
#include "../message.hpp"

using namespace teff;
using namespace teff::test;

namespace {

/// Every thread writes down who it is, at the place where it should be.
struct write_indices {
  view<i64, 1> out;
  TEFF_FN void operator()(block& blk) const {
    const index_t threads = index_t{1} * blk.threads(0) * blk.threads(1) * blk.threads(2);
    const index_t number =
        blk.index(0) + blk.blocks(0) * (blk.index(1) + blk.blocks(1) * blk.index(2));
    const int mine = blk.linear_thread();
    i64 said = blk.thread(0) + 100 * blk.thread(1) + 10000 * blk.thread(2);
    said += 1000000 * (blk.warp().lane() + 100 * blk.warp().index());
    said += i64{1000000000} * (blk.index(0) + 10 * blk.index(1) + 100 * blk.index(2));
    out(number * threads + mine) = said;
  }
};

template <int Size>
struct alignas(Size % 16 == 0  ? 16
               : Size % 8 == 0 ? 8
               : Size % 4 == 0 ? 4
                               : 1) bytes_value {
  u8 byte[Size];
};

template <class T>
TEFF_INLINE T value_of_lane(int lane) {
  T value;
  u8 bytes[sizeof(T)];
  for (unsigned b = 0; b < sizeof(T); ++b) bytes[b] = static_cast<u8>(1 + lane + 37 * b);
  memcpy(&value, bytes, sizeof(T));
  return value;
}

template <class T>
TEFF_INLINE bool is_of_lane(const T& value, int lane) {
  const T expected = value_of_lane<T>(lane);
  u8 a[sizeof(T)], b[sizeof(T)];
  memcpy(a, &value, sizeof(T));
  memcpy(b, &expected, sizeof(T));
  for (unsigned i = 0; i < sizeof(T); ++i)
    if (a[i] != b[i]) return false;
  return true;
}

/// Counts the lanes that get a wrong value from any shuffle.
template <class T>
struct shuffle_all {
  view<i32, 1> wrong;
  TEFF_FN void operator()(block& blk) const {
    const warp w = blk.warp();
    const int lane = w.lane();
    const T mine = value_of_lane<T>(lane);
    int faults = 0;
    for (int by = 0; by < 32; ++by) {
      const T a = w.shuffle(mine, by);
      const T b = w.shuffle(mine, lane + by);
      const T c = w.shuffle_up(mine, by);
      const T d = w.shuffle_down(mine, by);
      const T e = w.shuffle_xor(mine, by);
      faults += !is_of_lane(a, by);
      faults += !is_of_lane(b, (lane + by) % 32);
      faults += !is_of_lane(c, lane >= by ? lane - by : lane);
      faults += !is_of_lane(d, lane + by < 32 ? lane + by : lane);
      faults += !is_of_lane(e, lane ^ by);
    }
    if (faults > 0) blk.atomic_add(wrong(0), faults);
  }
};

template <class T>
void check_shuffles(device dev) {
  array<i32, 1> wrong = zeros<i32>(dev, {1});
  launch_blocks(dev, {.blocks = {2}, .threads = {64}}, shuffle_all<T>{wrong.view()});
  CHECK(to_host(wrong)[0] == 0);
}

struct vote_all {
  view<i64, 1> out;
  TEFF_FN void operator()(block& blk) const {
    const warp w = blk.warp();
    const int lane = w.lane();
    const unsigned odd = w.ballot(lane % 2 == 1);
    const unsigned none = w.ballot(false);
    const bool any = w.any(lane == 7), any_none = w.any(lane > 40);
    const bool all = w.all(lane < 32), all_none = w.all(lane != 9);
    w.sync();
    if (lane == 3)
      out(blk.warp().index()) = static_cast<i64>(odd) + (i64{none != 0} << 32) + (i64{any} << 33) +
                                (i64{any_none} << 34) + (i64{all} << 35) + (i64{all_none} << 36);
  }
};

template <class T>
struct add_and_compare {
  view<T, 1> out;  // sum, largest, smallest
  TEFF_FN void operator()(block& blk) const {
    const T mine = static_cast<T>(blk.index() * blk.threads() + blk.thread());
    blk.atomic_add(out(0), mine);
    if constexpr (std::is_integral_v<T>) {
      blk.atomic_max(out(1), mine);
      blk.atomic_min(out(2), mine);
    }
  }
};

template <class T>
void check_atomics(device dev) {
  array<T, 1> out = full(dev, {3}, static_cast<T>(500));
  launch_blocks(dev, {.blocks = {10}, .threads = {100}}, add_and_compare<T>{out.view()});
  const auto h = to_host(out);
  CHECK(h[0] == static_cast<T>(500 + 999 * 500));
  if (std::is_integral_v<T>) CHECK(h[1] == 999);
  if (std::is_integral_v<T>) CHECK(h[2] == 0);
}

/// Counts how often each ticket is drawn, and that the counter ends where it began.
struct draw_tickets {
  unsigned* counter;
  view<i32, 1> drawn;
  TEFF_FN void operator()(block& blk) const {
    auto count = blk.shared<unsigned>(2);
    if (blk.thread() < 2) count[blk.thread()] = 0;
    blk.sync();
    const unsigned ticket = blk.atomic_increment_wrap(*counter, 5);
    blk.atomic_add(drawn(static_cast<index_t>(ticket)), 1);
    blk.atomic_increment_wrap(count[0], 100);
    blk.atomic_max(count[1], static_cast<unsigned>(blk.thread()));
    blk.sync();
    const unsigned all = count[0], last = count[1];
    if (all != 32 || last != 31) blk.atomic_add(drawn(6), 1);
  }
};

/// Carves arrays of different alignment and writes all of each: they must not overlap.
struct carve_several {
  view<i32, 1> wrong;
  TEFF_FN void operator()(block& blk) const {
    auto a = blk.shared<u8>(3);
    auto b = blk.shared<f64>(5);
    auto c = blk.shared<bytes_value<16>>(7);
    auto d = blk.shared<float>(0);
    auto e = blk.shared<i32>(1);
    const int t = blk.thread();
    if (t < 3) a[t] = static_cast<u8>(t + 1);
    if (t < 5) b[t] = t + 0.5;
    if (t < 7) c[t] = value_of_lane<bytes_value<16>>(t);
    if (t == 0) e[0] = 77;
    blk.sync();
    int faults = a.size() != 3 || b.size() != 5 || c.size() != 7 || d.size() != 0;
    for (int i = 0; i < 3; ++i) faults += a[i] != i + 1;
    for (int i = 0; i < 5; ++i) faults += b[i] != i + 0.5;
    for (int i = 0; i < 7; ++i) {
      const bytes_value<16> value = c[i];
      faults += !is_of_lane(value, i);
    }
    faults += e[0] != 77;
    if (faults != 0) blk.atomic_add(wrong(0), faults);
  }
};

/// Everything that a shared element can do, by one thread.
struct use_elements {
  view<f64, 1> out;
  TEFF_FN void operator()(block& blk) const {
    auto tile = blk.shared<f64>(4);
    auto other = blk.shared<i32>(2);
    if (blk.thread() != 0) return;
    tile[0] = 3;
    tile[1] = tile[0];
    tile[1] += 2;
    tile[1] *= tile[0];
    tile[1] -= 1.5f;
    tile[1] /= 3;
    other[0] = 7;
    other[1u] = other[index_t{0}] / 2;
    const f64 x = tile[1] + other[1] * tile[0] - 1;
    const f64 chosen = blk.threads() > 1 ? tile[0] : 0.0;
    if (!(chosen == tile[0] && tile[1] >= 4 && other[1] << 1 == 6)) return;
    out(0) = tile[1];
    out(1) = x > tile[0] ? f64{tile[2] = x} : 0.0;
    out(2) = -tile[2];
  }
};

}  // namespace

TEST_CASE("blocks: indices of blocks, threads, warps and lanes") {
  for (const device dev : test_devices()) {
    const index_t n = 3 * 2 * 2 * 8 * 5 * 2;
    array<i64, 1> out = full(dev, {n}, i64{-1});
    launch_blocks(dev, {.blocks = {3, 2, 2}, .threads = {8, 5, 2}}, write_indices{out.view()});
    const auto h = to_host(out);
    index_t at = 0;
    int wrong = 0;
    for (i64 bz = 0; bz < 2; ++bz)
      for (i64 by = 0; by < 2; ++by)
        for (i64 bx = 0; bx < 3; ++bx)
          for (i64 t = 0; t < 80; ++t, ++at)
            wrong += h[static_cast<std::size_t>(at)] != t % 8 + 100 * (t / 8 % 5) +
                                                            10000 * (t / 40) +
                                                            1000000 * (t % 32 + 100 * (t / 32)) +
                                                            1000000000 * (bx + 10 * by + 100 * bz);
    CHECK(wrong == 0);
  }
}

TEST_CASE("blocks: shuffles of every type") {
  for (const device dev : test_devices()) {
    check_shuffles<i32>(dev);
    check_shuffles<unsigned>(dev);
    check_shuffles<f32>(dev);
    check_shuffles<f64>(dev);
    check_shuffles<i64>(dev);
    check_shuffles<u8>(dev);
    check_shuffles<bytes_value<3>>(dev);
    check_shuffles<bytes_value<12>>(dev);
    check_shuffles<bytes_value<16>>(dev);
    check_shuffles<bytes_value<24>>(dev);
    check_shuffles<bytes_value<64>>(dev);
  }
}

TEST_CASE("blocks: votes of a warp") {
  for (const device dev : test_devices()) {
    array<i64, 1> out = zeros<i64>(dev, {3});
    launch_blocks(dev, {.threads = {96}}, vote_all{out.view()});
    for (const i64 said : to_host(out))
      CHECK(said == i64{0xaaaaaaaa} + (i64{1} << 33) + (i64{1} << 35));
  }
}

TEST_CASE("blocks: atomic operations on global and shared memory") {
  for (const device dev : test_devices()) {
    check_atomics<i32>(dev);
    check_atomics<i64>(dev);
    check_atomics<f32>(dev);
    check_atomics<f64>(dev);
    array<i32, 1> counter = zeros<i32>(dev, {1}), drawn = zeros<i32>(dev, {7});
    launch_blocks(dev, {.blocks = {3}, .threads = {32}, .shared_bytes = 8},
                  draw_tickets{reinterpret_cast<unsigned*>(counter.data()), drawn.view()});
    CHECK(to_host(counter)[0] == 0);
    CHECK(to_host(drawn) == std::vector<i32>{16, 16, 16, 16, 16, 16, 0});
  }
}

namespace {

struct quad {
  f32 of[4];
};
/// Neighbouring elements in one access, there and back.
struct use_wide_elements {
  view<f32, 1> out;
  TEFF_FN void operator()(block& blk) const {
    auto tile = blk.shared<f32>(128);
    const int t = blk.thread();
    tile.write_wide(4 * t, quad{{t + 0.0f, t + 0.25f, t + 0.5f, t + 0.75f}});
    blk.sync();
    const auto other = tile.read_wide<quad>(4 * (31 - t));
    for (int u = 0; u < 4; ++u) out(4 * t + u) = other.of[u] + tile[t];
  }
};

}  // namespace

TEST_CASE("blocks: one access of neighbouring elements is one for the banks, too") {
  const array<f32, 1> out(device::cpu(), {128});
  const emulation emulated;
  launch_blocks(device::cpu(), {.threads = {32}, .shared_bytes = 512},
                use_wide_elements{out.view()});
  CHECK(emulated.report().bank_conflicts.worst == 0);
  CHECK(emulated.report().bank_conflicts.accesses == 1 + 1 + 4);
}

TEST_CASE("blocks: neighbouring elements of shared memory in one access") {
  for (const device dev : test_devices()) {
    array<f32, 1> out(dev, {128});
    launch_blocks(dev, {.threads = {32}, .shared_bytes = 512}, use_wide_elements{out.view()});
    const std::vector<f32> got = to_host(out);
    for (int t = 0; t < 32; ++t)
      for (int u = 0; u < 4; ++u)
        CHECK(got[static_cast<std::size_t>(4 * t + u)] ==
              31.0f - static_cast<f32>(t) + 0.25f * static_cast<f32>(u + t));
  }
}

TEST_CASE("blocks: shared arrays are carved one after the other, aligned") {
  for (const device dev : test_devices()) {
    array<i32, 1> wrong = zeros<i32>(dev, {1});
    launch_blocks(dev, {.blocks = {2}, .threads = {64}, .shared_bytes = 164},
                  carve_several{wrong.view()});
    CHECK(to_host(wrong)[0] == 0);
    array<f64, 1> out(dev, {3});
    launch_blocks(dev, {.threads = {2}, .shared_bytes = 40}, use_elements{out.view()});
    CHECK(to_host(out) == std::vector<f64>{4.5, 12.5, -12.5});
  }
}

namespace {

/// Passes a value from block to block, in the order of tickets.
struct relay {
  unsigned* ticket;
  i64* value;
  TEFF_FN void operator()(block& blk) const {
    if (blk.thread() != 0) return;
    const i64 place = blk.atomic_increment_wrap(*ticket, 1u << 20);
    const i64 got = blk.wait_until(*value, [place](i64 v) { return v >= place; });
    blk.publish(*value, got + 1);
  }
};

/// Publishes plain writes of the whole block by a flag.
struct tell_next_block {
  static constexpr int threads = 40;
  unsigned* ticket;
  view<i32, 1> cells;
  i32* flags;
  TEFF_FN void operator()(block& blk) const {
    auto shared = blk.shared<unsigned>(1);
    if (blk.thread() == 0) shared[0] = blk.atomic_increment_wrap(*ticket, 1u << 20);
    blk.sync();
    const int place = static_cast<int>(unsigned{shared[0]});
    if (place > 0) blk.wait_until(flags[place - 1], [](i32 flag) { return flag == 7; });
    const index_t i = index_t{threads} * place + blk.thread();
    cells(i) = place > 0 ? cells(i - threads) + 1 : blk.thread();
    blk.sync();
    if (blk.thread() == 0) blk.publish(flags[place], 7);
  }
};

}  // namespace

TEST_CASE("blocks: published values, with any number of resident blocks") {
  for (const device dev : test_devices())
    for (const int resident : {1, 3, 64}) {
      const emulation by({.seed = 5, .resident_blocks = resident});
      array<i64, 1> value = zeros<i64>(dev, {1});
      array<i32, 1> ticket = zeros<i32>(dev, {1}), cells(dev, {20 * 40}),
                    flags = zeros<i32>(dev, {20});
      auto* const count = reinterpret_cast<unsigned*>(ticket.data());
      launch_blocks(dev, {.blocks = {100}, .threads = {32}}, relay{count, value.data()});
      CHECK(to_host(value)[0] == 100);
      fill(ticket, 0);
      launch_blocks(dev, {.blocks = {20}, .shared_bytes = 4},
                    tell_next_block{count, cells.view(), flags.data()});
      const auto h = to_host(cells);
      for (std::size_t i = 0; i < h.size(); ++i) CHECK(h[i] == static_cast<i32>(i % 40 + i / 40));
    }
}

TEST_CASE("blocks: a lambda, a stream, more dims than one") {
  for (const device dev : test_devices()) {
    array<i32, 2> A = zeros<i32>(dev, {40, 6});
    const auto a = A.view();
    const int factor = 3;
    launch_blocks(stream(dev), {.blocks = {5, 2}, .threads = {8, 3}}, [=] TEFF_FN(block & blk) {
      const index_t i = blk.index(0) * blk.threads(0) + blk.thread(0);
      const index_t j = blk.index(1) * blk.threads(1) + blk.thread(1);
      a(i, j) = factor * static_cast<i32>(i + 100 * j);
    });
    const auto h = to_host(A);
    for (std::size_t i = 0; i < h.size(); ++i)
      CHECK(h[i] == 3 * static_cast<i32>(i % 40 + 100 * (i / 40)));
  }
}

// SPDX-License-Identifier: MIT
#include <algorithm>
#include <numeric>

#include "block_cases.hpp"

using namespace teff;
using namespace teff::test;

/// Kernels as they should be, whose blocks work together by atomic operations and published values,
/// or share borders. With every seed the emulator has nothing to say, and the result is right.
namespace {

constexpr int width = 64;  // threads of a block

/// Each block counts in shared memory, then adds to the counts of all.
struct histogram {
  static constexpr int bins = 10;
  view<i32, 1> in, count;
  TEFF_FN void operator()(block& blk) const {
    auto mine = blk.shared<i32>(bins);
    const int t = blk.thread();
    if (t < bins) mine[t] = 0;
    blk.sync();
    const index_t step = blk.blocks() * width;
    for (index_t i = blk.index() * width + t; i < in.extent(0); i += step)
      blk.atomic_add(mine[in(i) / 100], 1);
    blk.sync();
    if (t < bins) blk.atomic_add(count(t), mine[t]);
  }
};

/// Sum of all: the block that comes last adds up what the others left.
struct last_block_sums {
  view<i32, 1> in;
  view<i64, 1> partial, out;
  unsigned* arrived;
  TEFF_FN void operator()(block& blk) const {
    auto tile = blk.shared<i64>(width);
    auto is_last = blk.shared<i32>(1);
    const int t = blk.thread();
    const index_t i = blk.index() * width + t;
    const auto add_tile = [&](block& b) {
      b.sync();
      for (int half = width / 2; half > 0; half /= 2) {
        if (t < half) tile[t] += tile[t + half];
        b.sync();
      }
    };
    tile[t] = i < in.extent(0) ? in(i) : 0;
    add_tile(blk);
    if (t == 0) {
      partial(blk.index()) = tile[0];
      blk.fence();
      const auto last = static_cast<unsigned>(blk.blocks()) - 1;
      is_last[0] = blk.atomic_increment_wrap(*arrived, last) == last;
    }
    blk.sync();
    if (is_last[0] == 0) return;
    blk.fence();
    i64 sum = 0;
    for (index_t b = t; b < blk.blocks(); b += width) sum += partial(b);
    tile[t] = sum;
    add_tile(blk);
    if (t == 0) out(0) = tile[0];
  }
};

/// Inclusive sums: each block waits for the total of the one before. Its place is a ticket, so the
/// one before has started.
struct chained_scan {
  view<i32, 1> in, out;
  unsigned* ticket;
  i32* total;      // up to the end of each block
  i32* published;  // whether it is known
  TEFF_FN void operator()(block& blk) const {
    auto shared = blk.shared<i32>(width + 2);
    const int t = blk.thread();
    if (t == 0)
      shared[width] = static_cast<i32>(
          blk.atomic_increment_wrap(*ticket, static_cast<unsigned>(blk.blocks()) - 1));
    blk.sync();
    const int place = shared[width];
    const index_t i = index_t{place} * width + t;
    shared[t] = in(i);
    blk.sync();
    if (t == 0) {
      i32 sum = 0;
      if (place > 0) {
        blk.wait_until(published[place - 1], [](i32 is) { return is == 1; });
        sum = total[place - 1];
      }
      for (int k = 0; k < width; ++k) {
        sum += shared[k];
        shared[k] = sum;
      }
      total[place] = sum;
      blk.publish(published[place], 1);
    }
    blk.sync();
    out(i) = shared[t];
  }
};

/// State and value in one word of 8 or 16 bytes, so that they are published together.
template <class V>
struct alignas(2 * sizeof(V)) status {
  V state;  // 0: nothing yet; 1: sum of this block alone; 2: of all up to it
  V sum;
};

/// Inclusive sums by looking back: a warp reads the states of 32 blocks before at once.
template <class V>
struct looking_back {
  view<i32, 1> in, out;
  unsigned* ticket;
  status<V>* states;
  TEFF_FN void operator()(block& blk) const {
    const warp w = blk.warp();
    const int lane = w.lane();
    unsigned drawn = 0;
    if (lane == 0)
      drawn = blk.atomic_increment_wrap(*ticket, static_cast<unsigned>(blk.blocks()) - 1);
    const int place = static_cast<int>(w.shuffle(drawn, 0));
    const index_t i = index_t{place} * 32 + lane;
    V sum = in(i);
    for (int d = 1; d < 32; d *= 2) {
      const V below = w.shuffle_up(sum, d);
      if (lane >= d) sum += below;
    }
    const V all = w.shuffle(sum, 31);
    if (lane == 0) blk.publish(states[place], {place == 0 ? V{2} : V{1}, all});
    V before = 0;
    for (int last = place - 1; last >= 0; last -= 32) {
      status<V> seen{2, 0};  // before the first block there is nothing
      if (last - lane >= 0)
        seen = blk.wait_until(states[last - lane], [](const status<V>& s) { return s.state != 0; });
      const unsigned complete = w.ballot(seen.state == 2);
      // Lanes up to the first that knows the sum of all before it.
      const unsigned wanted = complete ^ (complete - 1);
      V part = (wanted >> lane & 1u) != 0 ? seen.sum : V{0};
      for (int mask = 1; mask < 32; mask *= 2) part += w.shuffle_xor(part, mask);
      before += part;
      if (complete != 0) break;
    }
    if (lane == 0 && place > 0) blk.publish(states[place], {V{2}, before + all});
    out(i) = static_cast<i32>(before + sum);
  }
};

/// Rounds in which all blocks must have come before any goes on; all of them are resident.
struct barrier_of_all_blocks {
  view<i32, 1> a, b;
  i32* arrived;
  TEFF_FN void operator()(block& blk) const {
    const index_t n = a.extent(0), i = blk.index() * width + blk.thread();
    for (int round = 1; round <= 3; ++round) {
      const view<i32, 1>& from = round % 2 == 1 ? a : b;
      const view<i32, 1>& to = round % 2 == 1 ? b : a;
      to(i) = from((i + 1) % n) + 1;
      blk.fence();
      blk.sync();
      const int all = round * static_cast<int>(blk.blocks());
      if (blk.thread() == 0) {
        blk.atomic_add(*arrived, 1);
        while (blk.read_published(*arrived) < all) {
        }
      }
      blk.sync();
    }
  }
};

/// Sums of rows of any lengths, a warp a row, and the largest of them.
struct ragged_sums {
  view<i32, 1> in, first, out;  // row r is first(r) to first(r + 1)
  i32* largest;
  TEFF_FN void operator()(block& blk) const {
    const warp w = blk.warp();
    const index_t row = blk.index() * (blk.threads() / 32) + w.index();
    if (row >= out.extent(0)) return;  // all lanes of the warp, and no barrier follows
    i32 sum = 0;
    for (index_t i = first(row) + w.lane(); i < first(row + 1); i += 32) sum += in(i);
    for (int d = 16; d > 0; d /= 2) sum += w.shuffle_down(sum, d);
    if (w.lane() != 0) return;
    out(row) = sum;
    blk.atomic_max(*largest, sum);
  }
};

/// Mean of three neighbours; a block's tile has one more cell at each side.
struct smooth {
  view<i32, 1> in, out;
  TEFF_FN void operator()(block& blk) const {
    auto tile = blk.shared<i32>(width + 2);
    const int t = blk.thread();
    const index_t n = in.extent(0), i = blk.index() * width + t;
    if (i < n) tile[t + 1] = in(i);
    if (t == 0) tile[0] = i > 0 ? in(i - 1) : 0;
    if (i < n && (t == width - 1 || i == n - 1)) tile[t + 2] = i + 1 < n ? in(i + 1) : 0;
    blk.sync();
    if (i < n) out(i) = (tile[t] + tile[t + 1] + tile[t + 2]) / 3;
  }
};

/// Sum of the five cells around, by tiles of 16 x 8 and a border.
struct five_points {
  view<i32, 2> in, out;
  TEFF_FN void operator()(block& blk) const {
    auto tile = blk.shared<i32>(18 * 10);
    const index_t nx = in.extent(0), ny = in.extent(1);
    const index_t i0 = blk.index(0) * 16 - 1, j0 = blk.index(1) * 8 - 1;
    for (int cell = blk.linear_thread(); cell < 18 * 10; cell += 16 * 8) {
      const index_t i = i0 + cell % 18, j = j0 + cell / 18;
      tile[cell] = i >= 0 && i < nx && j >= 0 && j < ny ? in(i, j) : 0;
    }
    blk.sync();
    const index_t i = i0 + 1 + blk.thread(0), j = j0 + 1 + blk.thread(1);
    const int at = blk.thread(0) + 1 + 18 * (blk.thread(1) + 1);
    if (i < nx && j < ny)
      out(i, j) = tile[at] + tile[at - 1] + tile[at + 1] + tile[at - 18] + tile[at + 18];
  }
};

std::vector<i32> prefix_sums(const std::vector<i32>& in) {
  std::vector<i32> sums(in.size());
  std::partial_sum(in.begin(), in.end(), sums.begin());
  return sums;
}

template <class V>
void check_looking_back(device dev) {
  const std::vector<i32> numbers = some_numbers(70 * 32);
  const auto in = placed_on(dev, numbers), out = placed_on(dev, std::vector<i32>(70 * 32, -1));
  const auto ticket = placed_on(dev, std::vector<i32>(1));
  const auto states = placed_on(dev, std::vector<i64>(70 * 2));
  for (int again = 0; again < 2; ++again) {
    assign(states, from_host(std::vector<i64>(70 * 2)));
    launch_blocks(dev, {.blocks = {70}, .threads = {32}},
                  looking_back<V>{in.view(), out.view(), reinterpret_cast<unsigned*>(ticket.data()),
                                  reinterpret_cast<status<V>*>(states.data())});
    CHECK(to_host(out) == prefix_sums(numbers));
  }
}

}  // namespace

TEST_CASE("correct: histogram") {
  everywhere([](device dev) {
    const std::vector<i32> numbers = some_numbers(1001);
    std::vector<i32> expected(10);
    for (const i32 n : numbers) ++expected[static_cast<std::size_t>(n / 100)];
    const auto in = placed_on(dev, numbers), count = placed_on(dev, std::vector<i32>(10));
    launch_blocks(dev, {.blocks = {6}, .threads = {width}, .shared_bytes = 40},
                  histogram{in.view(), count.view()});
    CHECK(to_host(count) == expected);
  });
}

TEST_CASE("correct: the last block adds up") {
  everywhere([](device dev) {
    const std::vector<i32> numbers = some_numbers(1500);
    const auto in = placed_on(dev, numbers), arrived = placed_on(dev, std::vector<i32>(1));
    const auto partial = placed_on(dev, std::vector<i64>(24, -1)),
               out = placed_on(dev, std::vector<i64>(1));
    for (int again = 0; again < 2; ++again) {  // the counter is ready for the next launch
      launch_blocks(dev, {.blocks = {24}, .threads = {width}, .shared_bytes = 8 * width + 4},
                    last_block_sums{in.view(), partial.view(), out.view(),
                                    reinterpret_cast<unsigned*>(arrived.data())});
      CHECK(to_host(out)[0] == std::accumulate(numbers.begin(), numbers.end(), i64{0}));
    }
  });
}

TEST_CASE("correct: scans over blocks, chained by tickets, with any number of resident blocks") {
  const std::vector<i32> numbers = some_numbers(30 * width);
  for (const int resident : {1, 2, 4, 50})
    everywhere(
        [&](device dev) {
          const auto in = placed_on(dev, numbers),
                     out = placed_on(dev, std::vector<i32>(30 * width));
          const auto state = placed_on(dev, std::vector<i32>(1 + 30 + 30));
          i32* const first = state.data();
          launch_blocks(dev, {.blocks = {30}, .threads = {width}, .shared_bytes = 4 * (width + 2)},
                        chained_scan{in.view(), out.view(), reinterpret_cast<unsigned*>(first),
                                     first + 1, first + 31});
          CHECK(to_host(out) == prefix_sums(numbers));
        },
        resident);
}

TEST_CASE("correct: scans that look back, with states of 8 and 16 bytes") {
  everywhere([](device dev) { check_looking_back<i32>(dev); });
  everywhere([](device dev) { check_looking_back<i64>(dev); }, 7);
}

TEST_CASE("correct: a barrier of all blocks, where all are resident") {
  everywhere([](device dev) {
    const auto a = placed_on(dev, some_numbers(4 * width)),
               b = placed_on(dev, std::vector<i32>(4 * width));
    const auto arrived = placed_on(dev, std::vector<i32>(1));
    launch_blocks(dev, {.blocks = {4}, .threads = {width}},
                  barrier_of_all_blocks{a.view(), b.view(), arrived.data()});
    std::vector<i32> expected = some_numbers(4 * width);
    std::rotate(expected.begin(), expected.begin() + 3, expected.end());
    for (i32& value : expected) value += 3;
    CHECK(to_host(b) == expected);
  });
}

TEST_CASE("correct: sums of ragged rows, a warp a row") {
  everywhere([](device dev) {
    const std::vector<i32> numbers = some_numbers(400), first{0, 0, 1, 33, 97, 97, 230, 400};
    std::vector<i32> expected;
    for (std::size_t r = 0; r + 1 < first.size(); ++r)
      expected.push_back(
          std::accumulate(numbers.begin() + first[r], numbers.begin() + first[r + 1], 0));
    const auto in = placed_on(dev, numbers), rows = placed_on(dev, first);
    const auto out = placed_on(dev, std::vector<i32>(7, -1)),
               largest = placed_on(dev, std::vector<i32>(1, -1));
    launch_blocks(dev, {.blocks = {2}, .threads = {128}},
                  ragged_sums{in.view(), rows.view(), out.view(), largest.data()});
    CHECK(to_host(out) == expected);
    CHECK(to_host(largest)[0] == *std::max_element(expected.begin(), expected.end()));
  });
}

TEST_CASE("correct: stencils with borders in shared memory") {
  everywhere([](device dev) {
    const std::vector<i32> numbers = some_numbers(200);
    const auto in = placed_on(dev, numbers), out = placed_on(dev, std::vector<i32>(200, -1));
    launch_blocks(dev, {.blocks = {4}, .threads = {width}, .shared_bytes = 4 * (width + 2)},
                  smooth{in.view(), out.view()});
    std::vector<i32> expected(200);
    for (std::size_t i = 0; i < 200; ++i)
      expected[i] =
          ((i > 0 ? numbers[i - 1] : 0) + numbers[i] + (i < 199 ? numbers[i + 1] : 0)) / 3;
    CHECK(to_host(out) == expected);
  });
  everywhere([](device dev) {
    constexpr index_t nx = 37, ny = 21;
    const std::vector<i32> cells = some_numbers(nx * ny);
    const array<i32, 2> in(dev, {nx, ny}), out(dev, {nx, ny});
    assign(in, from_host(cells));
    launch_blocks(
        dev,
        {.blocks = {ceil_div(nx, 16), ceil_div(ny, 8)}, .threads = {16, 8}, .shared_bytes = 720},
        five_points{in.view(), out.view()});
    const auto cell = [&](index_t i, index_t j) {
      return i < 0 || j < 0 || i >= nx || j >= ny ? 0 : cells[static_cast<std::size_t>(i + nx * j)];
    };
    std::vector<i32> expected;
    for (index_t j = 0; j < ny; ++j)
      for (index_t i = 0; i < nx; ++i)
        expected.push_back(cell(i, j) + cell(i - 1, j) + cell(i + 1, j) + cell(i, j - 1) +
                           cell(i, j + 1));
    CHECK(to_host(out) == expected);
  });
}

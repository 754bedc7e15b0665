// SPDX-License-Identifier: MIT
#include <algorithm>
#include <numeric>

#include "block_cases.hpp"

using namespace teff;
using namespace teff::test;

/// Kernels as they should be, whose threads work together within a block: with every seed the
/// emulator has nothing to say, and the result is right. Others: test_correct_chains.cpp.
namespace {

constexpr int width = 128;  // threads of a block

/// Sum by a tree in shared memory.
struct tree_sum {
  view<i32, 1> in;
  view<i64, 1> out;
  TEFF_FN void operator()(block& blk) const {
    const int t = blk.thread();
    auto tile = blk.shared<i64>(width);
    const index_t i = blk.index() * width + t;
    tile[t] = i < in.extent(0) ? in(i) : 0;
    blk.sync();
    for (int half = width / 2; half > 0; half /= 2) {
      if (t < half) tile[t] += tile[t + half];
      blk.sync();
    }
    if (t == 0) out(blk.index()) = tile[0];
  }
};

/// The same, by shuffles in each warp and one value of each warp in shared memory.
struct shuffle_sum {
  static constexpr int threads = width, least_blocks = 2;
  view<i32, 1> in;
  view<i64, 1> out;
  TEFF_FN void operator()(block& blk) const {
    const warp w = blk.warp();
    auto of_warp = blk.shared<i64>(width / 32);
    const index_t i = blk.index() * width + blk.thread();
    i64 sum = i < in.extent(0) ? in(i) : 0;
    for (int d = 16; d > 0; d /= 2) sum += w.shuffle_down(sum, d);
    if (w.lane() == 0) of_warp[w.index()] = sum;
    blk.sync();
    if (blk.thread() == 0) {
      for (int other = 1; other < width / 32; ++other) sum += of_warp[other];
      out(blk.index()) = sum;
    }
  }
};

/// Largest of each warp, known to all of its lanes.
struct butterfly_max {
  view<i32, 1> in, out;
  TEFF_FN void operator()(block& blk) const {
    const index_t i = blk.index() * width + blk.thread();
    i32 most = in(i);
    for (int mask = 1; mask < 32; mask *= 2) {
      const i32 other = blk.warp().shuffle_xor(most, mask);
      most = most < other ? other : most;
    }
    out(i) = most;
  }
};

/// Inclusive sums in a block: scans of warps, then of their totals.
struct warp_scans {
  view<i32, 1> in, out;
  TEFF_FN void operator()(block& blk) const {
    const warp w = blk.warp();
    auto total = blk.shared<i32>(width / 32);
    const index_t i = blk.index() * width + blk.thread();
    i32 sum = in(i);
    for (int d = 1; d < 32; d *= 2) {
      const i32 below = w.shuffle_up(sum, d);
      if (w.lane() >= d) sum += below;
    }
    if (w.lane() == 31) total[w.index()] = sum;
    blk.sync();
    for (int before = 0; before < w.index(); ++before) sum += total[before];
    out(i) = sum;
  }
};

/// Inclusive sums by doubling distances, in two buffers by turns: one barrier a step.
struct two_buffer_scan {
  view<i32, 1> in, out;
  TEFF_FN void operator()(block& blk) const {
    const int t = blk.thread();
    auto tile = blk.shared<i32>(2 * width);
    const index_t i = blk.index() * width + t;
    int from = 0;
    tile[t] = in(i);
    blk.sync();
    for (int d = 1; d < width; d *= 2) {
      const int to = width - from;
      const i32 below = t >= d ? i32{tile[from + t - d]} : 0;
      tile[to + t] = tile[from + t] + below;
      from = to;
      blk.sync();
    }
    out(i) = tile[from + t];
  }
};

/// The same in one buffer: a barrier between all reads and all writes.
struct in_place_scan {
  view<i32, 1> in, out;
  TEFF_FN void operator()(block& blk) const {
    const int t = blk.thread();
    auto tile = blk.shared<i32>(width);
    const index_t i = blk.index() * width + t;
    tile[t] = in(i);
    blk.sync();
    for (int d = 1; d < width; d *= 2) {
      const i32 below = t >= d ? i32{tile[t - d]} : 0;
      blk.sync();
      tile[t] += below;
      blk.sync();
    }
    out(i) = tile[t];
  }
};

/// Tiles of 32 x 32 by 32 x 8 threads. Without the padding column, columns lie in one bank.
template <class T, int Padding>
struct tiled_transpose {
  view<T, 2> in, out;
  TEFF_FN void operator()(block& blk) const {
    const int x = blk.thread(0), y = blk.thread(1);
    auto tile = blk.shared<T>(32 * (32 + Padding));
    const index_t i0 = blk.index(0) * 32, j0 = blk.index(1) * 32;
    for (int row = y; row < 32; row += 8)
      if (i0 + x < in.extent(0) && j0 + row < in.extent(1))
        tile[row * (32 + Padding) + x] = in(i0 + x, j0 + row);
    blk.sync();
    for (int row = y; row < 32; row += 8)
      if (j0 + x < out.extent(0) && i0 + row < out.extent(1))
        out(j0 + x, i0 + row) = tile[x * (32 + Padding) + row];
  }
};

/// Each element of the tile written and read by other lanes of one warp: its sync is enough.
struct warp_transpose {
  view<i32, 1> in, out;
  TEFF_FN void operator()(block& blk) const {
    const warp w = blk.warp();
    auto tile = blk.shared<i32>(width / 32 * 33 * 32);
    const int mine = w.index() * 33 * 32, lane = w.lane();
    const index_t first = (blk.index() * (width / 32) + w.index()) * 1024;
    for (int round = 0; round < 2; ++round) {
      for (int row = 0; row < 32; ++row)
        tile[mine + 33 * row + lane] = round == 0 ? in(first + 32 * row + lane) : -1;
      w.sync();
      for (int row = 0; row < 32; ++row) {
        const i32 value = tile[mine + 33 * lane + row];
        if (round == 0) out(first + 32 * row + lane) = value;
      }
      w.sync();
    }
  }
};

/// Pieces of x shared by the block; rows beyond the last come to the barriers too.
struct gemv_with_shared_x {
  view<i32, 2> A;
  view<i32, 1> x, y;
  TEFF_FN void operator()(block& blk) const {
    const int t = blk.thread();
    auto shared_x = blk.shared<i32>(width);
    const index_t i = blk.index() * width + t, n = A.extent(1);
    i32 product = 0;
    for (index_t j0 = 0; j0 < n; j0 += width) {
      if (j0 + t < n) shared_x[t] = x(j0 + t);
      blk.sync();
      if (i < A.extent(0))
        for (int j = 0; j < width && j0 + j < n; ++j) product += A(i, j0 + j) * shared_x[j];
      blk.sync();
    }
    if (i < A.extent(0)) y(i) = product;
  }
};

/// A product of matrices by tiles of 8 x 8.
struct tiled_product {
  view<i32, 2> A, B, C;
  TEFF_FN void operator()(block& blk) const {
    auto a = blk.shared<i32>(64);
    auto b = blk.shared<i32>(64);
    const int x = blk.thread(0), y = blk.thread(1);
    const index_t i = blk.index(0) * 8 + x, j = blk.index(1) * 8 + y;
    i32 sum = 0;
    for (index_t k = 0; k < A.extent(1); k += 8) {
      a[8 * y + x] = A(i, k + y);
      b[8 * y + x] = B(k + x, j);
      blk.sync();
      for (int l = 0; l < 8; ++l) sum += a[8 * l + x] * b[8 * y + l];
      blk.sync();
    }
    C(i, j) = sum;
  }
};

/// Sorts a block's values; partners change at each step.
struct bitonic_sort {
  view<i32, 1> in, out;
  TEFF_FN void operator()(block& blk) const {
    const int t = blk.thread();
    auto tile = blk.shared<i32>(width);
    const index_t i = blk.index() * width + t;
    tile[t] = in(i);
    blk.sync();
    for (int size = 2; size <= width; size *= 2)
      for (int d = size / 2; d > 0; d /= 2) {
        const int other = t ^ d;
        if (other > t) {
          const i32 a = tile[t], b = tile[other];
          if ((a > b) == ((t & size) == 0)) {
            tile[t] = b;
            tile[other] = a;
          }
        }
        blk.sync();
      }
    out(i) = tile[t];
  }
};

/// Even numbers of a warp, moved to its front by the bits of a ballot.
struct compact_even {
  view<i32, 1> in, out;
  TEFF_FN void operator()(block& blk) const {
    const warp w = blk.warp();
    const index_t i = blk.index() * width + blk.thread();
    const i32 value = in(i);
    unsigned evens = w.ballot(value % 2 == 0);
    const bool is_even = (evens >> w.lane() & 1u) != 0;
    evens &= (1u << w.lane()) - 1;
    int before = 0;
    for (; evens != 0; evens &= evens - 1) ++before;
    if (is_even) out(i - w.lane() + before) = value;
  }
};

std::vector<i32> prefix_sums_by_block(const std::vector<i32>& in) {
  std::vector<i32> sums(in);
  for (std::size_t i = 0; i < in.size(); ++i)
    if (i % width != 0) sums[i] += sums[i - 1];
  return sums;
}

/// A kernel of one array in, one of the same size out.
template <class F>
void check_block_kernel(device dev, index_t shared_bytes, const std::vector<i32>& expected) {
  const auto in = placed_on(dev, some_numbers(5 * width));
  const auto out = placed_on(dev, std::vector<i32>(5 * width, -1));
  launch_blocks(dev, {.blocks = {5}, .threads = {width}, .shared_bytes = shared_bytes},
                F{in.view(), out.view()});
  CHECK(to_host(out) == expected);
}

template <class F>
void check_sums(device dev, index_t shared_bytes) {
  for (const index_t n : {index_t{1}, index_t{width}, index_t{1000}}) {
    const std::vector<i32> numbers = some_numbers(n);
    const index_t blocks = ceil_div(n, width);
    const auto in = placed_on(dev, numbers);
    const auto out = placed_on(dev, std::vector<i64>(static_cast<std::size_t>(blocks), -1));
    launch_blocks(dev, {.blocks = {blocks}, .threads = {width}, .shared_bytes = shared_bytes},
                  F{in.view(), out.view()});
    const auto sums = to_host(out);
    CHECK(std::accumulate(sums.begin(), sums.end(), i64{0}) ==
          std::accumulate(numbers.begin(), numbers.end(), i64{0}));
  }
}

template <class T, int Padding>
void check_transpose(device dev, index_t nx, index_t ny) {
  const array<T, 2> in(dev, {nx, ny}), out(dev, {ny, nx});
  std::vector<T> cells(static_cast<std::size_t>(nx * ny)), expected(cells.size());
  std::iota(cells.begin(), cells.end(), T{});
  for (index_t i = 0; i < nx; ++i)
    for (index_t j = 0; j < ny; ++j)
      expected[static_cast<std::size_t>(j + ny * i)] = static_cast<T>(i + nx * j);
  assign(in, from_host(cells));
  launch_blocks(dev,
                {.blocks = {ceil_div(nx, 32), ceil_div(ny, 32)},
                 .threads = {32, 8},
                 .shared_bytes = 32 * (32 + Padding) * static_cast<index_t>(sizeof(T))},
                tiled_transpose<T, Padding>{in.view(), out.view()});
  CHECK(to_host(out) == expected);
}

}  // namespace

TEST_CASE("correct: sums by a tree and by shuffles") {
  everywhere([](device dev) { check_sums<tree_sum>(dev, 8 * width); });
  everywhere([](device dev) { check_sums<shuffle_sum>(dev, 8 * width / 32); });
}

TEST_CASE("correct: scans, maxima, sorting and compaction in a block") {
  const std::vector<i32> numbers = some_numbers(5 * width);
  const std::vector<i32> sums = prefix_sums_by_block(numbers);
  everywhere([&](device dev) { check_block_kernel<warp_scans>(dev, 16, sums); });
  everywhere([&](device dev) { check_block_kernel<two_buffer_scan>(dev, 8 * width, sums); });
  everywhere([&](device dev) { check_block_kernel<in_place_scan>(dev, 4 * width, sums); });
  std::vector<i32> most, sorted(numbers), evens(numbers.size(), -1);
  for (auto at = numbers.begin(); at != numbers.end(); at += 32) {
    most.insert(most.end(), 32, *std::max_element(at, at + 32));
    std::copy_if(at, at + 32, evens.begin() + (at - numbers.begin()),
                 [](i32 value) { return value % 2 == 0; });
  }
  for (auto at = sorted.begin(); at != sorted.end(); at += width) std::sort(at, at + width);
  everywhere([&](device dev) { check_block_kernel<butterfly_max>(dev, 0, most); });
  everywhere([&](device dev) { check_block_kernel<bitonic_sort>(dev, 4 * width, sorted); });
  everywhere([&](device dev) { check_block_kernel<compact_even>(dev, 0, evens); });
}

TEST_CASE("correct: transposes by tiles, and their bank conflicts") {
  everywhere([](device dev) {
    check_transpose<f32, 1>(dev, 64, 96);
    check_transpose<f64, 1>(dev, 70, 33);
    check_transpose<i32, 0>(dev, 1, 40);
  });
  const auto conflicts_of = [](auto check) {
    const emulation by({.seed = 3});
    check(device::cpu(), index_t{64}, index_t{64});
    return by.report().bank_conflicts;
  };
  const auto padded = conflicts_of(check_transpose<f32, 1>),
             bare = conflicts_of(check_transpose<f32, 0>);
  CHECK(padded.worst == 0);
  CHECK(padded.total == 0);
  CHECK(padded.accesses == 4 * 64);  // blocks; 8 warps, 4 rows each, written and read
  CHECK(bare.worst == 31);
  CHECK(bare.total == 4 * 32 * 31);
  // 8 bytes: 16 lanes a pass; a column lies in one bank, two words wide.
  CHECK(conflicts_of(check_transpose<f64, 0>).worst == 30);
  CHECK(conflicts_of(check_transpose<f64, 1>).worst == 0);
  everywhere([](device dev) {
    const auto in = placed_on(dev, some_numbers(2 * 4096));
    const auto out = placed_on(dev, std::vector<i32>(2 * 4096, -1));
    launch_blocks(dev, {.blocks = {2}, .threads = {width}, .shared_bytes = 4 * 33 * 32 * 4},
                  warp_transpose{in.view(), out.view()});
    const auto a = to_host(in), b = to_host(out);
    int wrong = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
      wrong += b[i] != a[i / 1024 * 1024 + i % 32 * 32 + i % 1024 / 32];
    CHECK(wrong == 0);
  });
}

TEST_CASE("correct: matrix products with shared operands") {
  everywhere([](device dev) {
    const index_t m = 150, n = 200;
    const array<i32, 2> A(dev, {m, n});
    const std::vector<i32> a = some_numbers(m * n), x = some_numbers(n);
    assign(A, from_host(a));
    const auto on_x = placed_on(dev, x), y = placed_on(dev, std::vector<i32>(m, -1));
    launch_blocks(dev, {.blocks = {2}, .threads = {width}, .shared_bytes = 4 * width},
                  gemv_with_shared_x{A.view(), on_x.view(), y.view()});
    std::vector<i32> expected(m);
    for (std::size_t j = 0; j < x.size(); ++j)
      for (std::size_t i = 0; i < expected.size(); ++i) expected[i] += a[i + j * m] * x[j];
    CHECK(to_host(y) == expected);
  });
  everywhere([](device dev) {
    const array<i32, 2> A(dev, {16, 24}), B(dev, {24, 8}), C(dev, {16, 8});
    const std::vector<i32> a = some_numbers(16 * 24), b = some_numbers(24 * 8);
    assign(A, from_host(a));
    assign(B, from_host(b));
    launch_blocks(dev, {.blocks = {2, 1}, .threads = {8, 8}, .shared_bytes = 512},
                  tiled_product{A.view(), B.view(), C.view()});
    std::vector<i32> expected(16 * 8);
    for (std::size_t j = 0; j < 8; ++j)
      for (std::size_t k = 0; k < 24; ++k)
        for (std::size_t i = 0; i < 16; ++i) expected[i + 16 * j] += a[i + 16 * k] * b[k + 24 * j];
    CHECK(to_host(C) == expected);
  });
}

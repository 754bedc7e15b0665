// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>

#include <omp.h>

#include <teff/algo/fill.hpp>
#include <teff/algo/gemv.hpp>
#include <teff/algo/gemv/blocks.hpp>
#include <teff/algo/random.hpp>

#include "../layout.hpp"
#include "../message.hpp"
#include "ways_taken.hpp"

using namespace teff;
using namespace teff::test;

namespace {

/// The block kernels on any device: on the CPU in the emulator.
struct gemv_in_blocks {
  template <class T, class Y>
  void run(const stream& on, const runtime::gemv_operands<T>& of, const runtime::gemv_target<Y>& to,
           const runtime::gemv_plan& plan) const {
    detail::gemv_by_blocks(on, of, to, plan);
  }
};

/// Extents around those at which the plan changes, now and then 0 or 1; about `cells` in all.
extents<2> gemv_extents(generator& g, index_t cells) {
  const auto near_power_of_two = [&](index_t low, index_t high) {
    return std::max((index_t{1} << g.between(low, high)) + g.between(-1, 1), index_t{1});
  };
  if (g.chance(50)) {  // few rows; columns up to a few pieces of way march, or of way dot
    const index_t m = near_power_of_two(0, 8), step = 8192 / m;
    const index_t n =
        g.chance(50) ? g.between(1, 3 * std::min(step, index_t{2048})) : near_power_of_two(2, 13);
    return {m, std::min(n, std::max(cells / m, index_t{1}))};
  }
  index_t most = 0;
  while ((index_t{2} << most) <= cells) ++most;
  const auto extent = [&](index_t left) {
    return g.chance(2)   ? index_t{0}
           : g.chance(8) ? index_t{1}
                         : std::min(left, near_power_of_two(0, most));
  };
  extents<2> e;
  const int first = g.chance(50) ? 0 : 1;
  e[first] = extent(cells);
  e[1 - first] = extent(cells / std::max(e[first], index_t{1}));
  return e;
}

/// One random product.
template <class T>
struct product {
  placed<T, 2> A;
  placed<T, 1> x, y;
  T alpha, beta;

  product(generator& g, const stream& on, index_t cells, bool is_whole)
      : product(g, on, gemv_extents(g, cells), is_whole, g.chance(20)) {}
  product(generator& g, const stream& on, const extents<2>& e, bool is_whole, bool is_contiguous)
      : A(is_contiguous ? contiguous(g, on, e) : random_placed<T, 2>(g, on, e, role::source)),
        x(random_placed<T, 1>(g, on, extents<1>(A.cells.extent(1)), role::source, is_contiguous)),
        y(random_placed<T, 1>(g, on, extents<1>(A.cells.extent(0)), role::target, is_contiguous)),
        alpha(g.chance(50) ? T{1} : static_cast<T>(g.between(-3, 3))),
        beta(g.chance(50) ? T{0} : static_cast<T>(g.between(-3, 3))) {
    if (is_whole) {
      for (T& v : A.host) v = static_cast<T>(g.between(-100, 100));
      for (T& v : x.host) v = static_cast<T>(g.between(-100, 100));
    }
    if (alpha == 0) A.host.assign(A.host.size(), std::numeric_limits<T>::quiet_NaN());
    if (beta != 0)  // else it stays not-a-number
      for (T& v : y.host) v = static_cast<T>(g.between(-100, 100));
    A.memory = from_host(A.host);
    x.memory = from_host(x.host);
    y.memory = from_host(y.host);
  }
  /// Row-major or column-major, often of rows (columns) that whole accesses make up.
  static placed<T, 2> contiguous(generator& g, const stream& on, extents<2> e) {
    const bool is_row_major = g.chance(50);
    if (is_row_major) std::swap(e[0], e[1]);
    if (g.chance(70)) e[0] = ceil_div(e[0], index_t{4}) * 4;
    placed<T, 2> a = random_placed<T, 2>(g, on, e, role::source, true);
    if (!is_row_major) return a;
    std::swap(a.where.n[0], a.where.n[1]);
    std::swap(a.where.stride[0], a.where.stride[1]);
    return {std::move(a.memory), a.cells.t(), a.where, std::move(a.host)};
  }
  /// y's block after the product, by a loop. Whole numbers: exact in any order.
  std::vector<T> expected() const {
    std::vector<T> result = y.host;
    const index_t n = alpha == 0 ? 0 : A.cells.extent(1);
    for (index_t i = 0; i < A.cells.extent(0); ++i) {
      f64 sum = 0;
      for (index_t j = 0; j < n; ++j)
        sum += static_cast<f64>(A.at(i, j)) * static_cast<f64>(x.at(j));
      T& v = result[y.where.at(i, 0, 0)];
      const f64 scaled = n == 0 ? 0 : static_cast<f64>(alpha) * sum;
      v = static_cast<T>(beta == 0 ? scaled
                                   : scaled + static_cast<f64>(beta) * static_cast<f64>(v));
    }
    return result;
  }
  std::string text() const {
    const auto v = A.cells.view();
    return extents_text(A.cells.shape()) + " " + type_name<T>() + " of strides " +
           std::to_string(v.strides[0]) + ", " + std::to_string(v.strides[1]) + " on " +
           A.cells.dev().name();
  }
  std::string way() const {
    const runtime::gemv_plan how = plan();
    return std::string(how.how == runtime::gemv_plan::way::dot ? "dot " : "march ") +
           std::to_string(how.lanes) + (how.pieces > 1 ? " in pieces" : "");
  }
  runtime::gemv_plan plan() const {
    return runtime::plan_gemv(A.cells.extent(0), A.cells.extent(1), A.cells.stride(0),
                              A.cells.stride(1), sizeof(T));
  }
};

template <class T>
void check_products(generator& g, device dev, index_t cells, int rounds, ways_taken& taken) {
  for (int round = 0; round < generator::rounds(rounds); ++round) {
    const product<T> p(g, dev, cells, true);
    gemv(p.alpha, p.A.cells, p.x.cells, p.beta, p.y.cells);
    const std::string wrong = p.y.differs(p.expected());
    if (!wrong.empty()) FAIL_CHECK("gemv of " << p.text() << ": " << wrong);
    taken.count(std::string("gemv of ") + type_name<T>(), p.way());
    g.count();
  }
}

/// The same cells in another block of memory, which starts as p's did.
template <class T, int N>
array_ref<T, N> elsewhere(const placed<T, N>& p, const array<T, 1>& block) {
  assign(block, from_host(p.host));
  auto v = p.cells.view();
  v.data = block.data() + (p.cells.data() - p.memory.data());
  return {block.on(), block.block(), v, nullptr};
}

/// The CPU's own code, and block kernels, emulated and on a GPU, give the same bits for numbers
/// that do round.
template <class T>
void check_bits(generator& g, const product<T>& p) {
  gemv(p.alpha, p.A.cells, p.x.cells, p.beta, p.y.cells);
  const std::vector<T> on_cpu = to_host(p.y.memory);
  for (const device dev : test_devices()) {
    const auto block = [&](const auto& of) { return array<T, 1>(dev, of.memory.shape()); };
    const array<T, 1> a = block(p.A), b = block(p.x), c = block(p.y);
    detail::gemv_checked<T>(p.alpha, elsewhere(p.A, a), elsewhere(p.x, b), p.beta,
                            elsewhere(p.y, c), gemv_in_blocks{});
    const std::string wrong = difference(to_host(c), on_cpu);
    if (!wrong.empty())
      FAIL_CHECK("gemv of " << p.text() << ", in blocks on " << dev.name() << ", "
                            << p.plan().text(p.A.cells.extent(0), p.A.cells.extent(1)) << ": "
                            << wrong);
  }
  g.count();
}
template <class T>
void check_bits(generator& g, index_t cells, int rounds) {
  for (int round = 0; round < generator::rounds(rounds); ++round)
    check_bits(g, product<T>(g, device::cpu(), cells, false));
}
/// Few columns side by side, or rows: those that are loaded by whole accesses.
template <class T>
void check_bits_of_few_columns(generator& g, int rounds) {
  for (int round = 0; round < generator::rounds(rounds); ++round) {
    const extents<2> e(g.between(256, 800), g.between(1, 40));
    check_bits(g, product<T>(g, device::cpu(), e, false, true));
  }
}

}  // namespace

TEST_CASE("gemv of any strides against loops (generated)") {
  generator g("gemv");
  ways_taken taken;
  for (const device dev : test_devices())
    for (const index_t cells : {200, 6000, 30000}) {
      const int rounds = cells < 10000 ? 1500 : 7000;
      check_products<f64>(g, dev, cells, dev.is_cpu() ? rounds : rounds / 5, taken);
      check_products<f32>(g, dev, cells, dev.is_cpu() ? rounds : rounds / 5, taken);
    }
  // dot: 1, 2, 4, 8, 16, 32 and 256 threads a row, the last with pieces or not; march: 1 to 128,
  // each with pieces or not.
  const int fewest = taken.fewest(8 + 2 * 8);
  CHECK((is_quick() || fewest >= 100));
}

TEST_CASE("gemv: CPU and block kernels give the same bits (generated)") {
  generator g("bits of gemv");
  for (const index_t cells : {200, 3000, 20000}) {
    check_bits<f64>(g, cells, cells < 10000 ? 100 : 20);
    check_bits<f32>(g, cells, cells < 10000 ? 100 : 20);
  }
  check_bits_of_few_columns<f64>(g, 200);
  check_bits_of_few_columns<f32>(g, 200);
}

TEST_CASE("gemv: tiny exact cases") {
  for (const device dev : test_devices()) {
    array<f64, 2> A(dev, {2, 3}, "A");
    A = from_host(std::vector<f64>{1, 2, 3, 4, 5, 6});
    array<f64, 1> x(dev, {3}), y(dev, {2}), z(dev, {3});
    x = from_host(std::vector<f64>{1, 10, 100});
    y = std::numeric_limits<f64>::quiet_NaN();
    gemv(y, A, x);
    CHECK(to_host(y) == std::vector<f64>{531, 642});
    gemv(2.0, A, x, -1.0, y);
    CHECK(to_host(y) == std::vector<f64>{531, 642});
    gemv(z, A.t(), y);
    CHECK(to_host(z) == std::vector<f64>{1815, 4161, 6507});
    gemv(1.0, transposed(A), y, 0.0, z);
    CHECK(to_host(z) == std::vector<f64>{1815, 4161, 6507});
    y = std::numeric_limits<f64>::quiet_NaN();
    gemv(0.0, A, x, 0.0, y);
    CHECK(to_host(y) == std::vector<f64>{0, 0});
    y = 3.0;
    gemv(5.0, A(whole, range(1, 1)), x(range(0, 0)), 2.0, y);  // no columns
    CHECK(to_host(y) == std::vector<f64>{6, 6});
    gemv(5.0, array<f64, 2>(dev, {2, 0}), array<f64, 1>(dev, {0}), 0.5, y);
    CHECK(to_host(y) == std::vector<f64>{3, 3});
    gemv(y(range(0, 0)), A(range(0, 0), whole), x);  // no rows
  }
}

TEST_CASE("gemv: what is not a number stays visible, wherever it is") {
  for (const device dev : test_devices())
    for (const bool is_row_major : {false, true}) {
      const index_t n = 300;
      array<f32, 2> memory(dev, {n, n});
      memory = 1.0F;
      const auto A = is_row_major ? memory.t() : memory(whole, whole);
      const auto x = full(dev, {n}, 1.0F);
      array<f32, 1> y(dev, {n});
      A(17, n - 1) = std::numeric_limits<f32>::quiet_NaN();
      gemv(y, A, x);
      const std::vector<f32> h = to_host(y);
      for (index_t i = 0; i < n; ++i)
        CHECK(std::isnan(h[static_cast<std::size_t>(i)]) == (i == 17));
    }
}

TEST_CASE("gemv: f64 and f32 are within the error bound of their sums") {
  for (const device dev : test_devices()) {
    const auto check = [&](auto example, index_t n) {
      using T = decltype(example);
      const auto A = random<T>(dev, {3, n}, 1);
      const auto x = random<T>(dev, {n}, 2);
      array<T, 1> y(dev, {3});
      gemv(y, A, x);
      const std::vector<T> a = to_host(A), b = to_host(x), got = to_host(y);
      for (std::size_t i = 0; i < 3; ++i) {
        long double sum = 0;
        for (std::size_t j = 0; j < b.size(); ++j)
          sum += static_cast<long double>(a[i + 3 * j]) * static_cast<long double>(b[j]);
        // All are positive. A sum passes through at most 32 roundings of f64 in a row of this
        // length, and one to T.
        const long double bound = sum * (64 * 0x1p-53L + std::numeric_limits<T>::epsilon() / 2);
        CHECK(std::abs(static_cast<long double>(got[i]) - sum) <= bound);
      }
    };
    check(f64{}, 100003);
    check(f32{}, 100003);
  }
}

TEST_CASE("gemv: a row so long that the sums of its pieces are cut up too") {
  const index_t n = 17000003;
  CHECK(runtime::plan_piece_sums(1, runtime::plan_gemv(1, n, 1, 0, 8).pieces).pieces == 2);
  for (const device dev : test_devices()) {
    const array<f64, 1> cell = full(dev, {1}, 1.0), y(dev, {1});
    gemv(y, wrap(dev, cell.data(), {1, n}, {1, 0}), wrap(dev, cell.data(), {n}, {0}));
    CHECK(to_host(y) == std::vector<f64>{static_cast<f64>(n)});
  }
}

TEST_CASE("gemv: the same bits with any number of threads") {
  const auto A = random<f64>(device::cpu(), {700, 5000}, 3);
  const auto x = random<f64>(device::cpu(), {5000}, 4);
  const auto z = random<f64>(device::cpu(), {700}, 5);
  array<f64, 1> y(device::cpu(), {700}), w(device::cpu(), {5000});
  std::vector<f64> first[2];
  const int threads = omp_get_max_threads();
  for (const int n : {1, 2, 5}) {
    omp_set_num_threads(n);
    gemv(y, A, x);
    gemv(w, A.t(), z);
    if (n == 1) first[0] = to_host(y), first[1] = to_host(w);
    CHECK(difference(to_host(y), first[0]) == "");
    CHECK(difference(to_host(w), first[1]) == "");
  }
  omp_set_num_threads(threads);
}

namespace {

/// Rows of a matrix beyond many caches, in one piece each, and four of them at a time.
template <class T>
void check_far_rows() {
  const device dev = device::cpu();
  const index_t m = 600, n = 32768 / index_t{sizeof(T)} - 5;
  const auto M = random<T>(dev, {n, m}, 4);
  const auto x = random<T>(dev, {n}, 5);
  array<T, 1> y(dev, {m}), z(dev, {m});
  gemv(y, M.t(), x);
  for (index_t i = 0; i < m; i += 4) gemv(z(range(i, i + 4)), M(whole, range(i, i + 4)).t(), x);
  CHECK(to_host(y) == to_host(z));
}

}  // namespace

TEST_CASE("gemv: rows from memory have the bits of rows in the caches") {
  check_far_rows<f64>();
  check_far_rows<f32>();
}

TEST_CASE("gemv: errors") {
  array<f64, 2> A(device::cpu(), {4, 5}, "A");
  array<f64, 1> x(device::cpu(), {5}, "x"), y(device::cpu(), {4}, "y");
  A = 1.0;
  x = 1.0;
  CHECK(message_of([&] { gemv(x, A, y); }) ==
        "gemv: A is array 'A' of 4x5 f64, so x must have 5 cells and y 4; x is array 'y' of 4 f64, "
        "y is array 'x' of 5 f64");
  CHECK(contains(message_of([&] { gemv(y, A.t(), x); }), "so x must have 4 cells and y 5"));
  CHECK(
      message_of([&] { gemv(A(whole, 2), A, x); }) ==
      "gemv: the target, array 'A' of 4 f64, overlaps an operand, array 'A' of 4x5 f64; write to a "
      "second array");
  CHECK(
      contains(message_of([&] { gemv(x(range(1, 5)), A, x); }), "overlaps an operand, array 'x'"));
  const auto square = A(whole, range(0, 4));
  CHECK(contains(message_of([&] { gemv(y, square, y); }), "overlaps an operand, array 'y'"));
}

TEST_CASE("gemv: how products are cut up") {
  const auto column_major = [](index_t m, index_t n) {
    return runtime::plan_gemv(m, n, 1, m, 8).text(m, n);
  };
  const auto row_major = [](index_t m, index_t n) {
    return runtime::plan_gemv(m, n, n, 1, 8).text(m, n);
  };
  CHECK(row_major(20000, 20000) ==
        "dot, 20000 rows of 20000 columns in 2 pieces of 10240, 256 threads a row");
  CHECK(column_major(20000, 20000) ==
        "march, 20000 rows of 20000 columns in 49 pieces of 416, 1 thread a row");
  CHECK(row_major(1000000, 32) == "dot, 1000000 rows of 32 columns, 16 threads a row");
  CHECK(column_major(4000000, 8) == "march, 4000000 rows of 8 columns, 1 thread a row");
  CHECK(row_major(8, 4000000) ==
        "dot, 8 rows of 4000000 columns in 977 pieces of 4096, 256 threads a row");
  CHECK(column_major(32, 1000000) ==
        "march, 32 rows of 1000000 columns in 3907 pieces of 256, 8 threads a row");
  // One row has no neighbour.
  CHECK(runtime::plan_gemv(1, 100, 1, 1000, 4).how == runtime::gemv_plan::way::dot);
}

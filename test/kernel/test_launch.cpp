// SPDX-License-Identifier: MIT
#include <numeric>

#include <teff/algo/fill.hpp>
#include <teff/kernel/launch.hpp>

#include "../layout.hpp"
#include "../message.hpp"

using namespace teff;
using namespace teff::test;

namespace {

/// Adds 1 to its own cell and writes down which cell it was called for.
struct mark_cell {
  view<i32, 3> calls;
  view<i64, 3> numbers;
  TEFF_FN void operator()(index_t i) const { (*this)(i, 0, 0); }
  TEFF_FN void operator()(index_t i, index_t j) const { (*this)(i, j, 0); }
  TEFF_FN void operator()(index_t i, index_t j, index_t k) const {
    calls(i, j, k) += 1;
    numbers(i, j, k) = i + 1000 * j + 1000000 * k;
  }
};

template <int N>
void check_launches(generator& g, device dev, int rounds) {
  for (int round = 0; round < generator::rounds(rounds); ++round) {
    const extents<N> e = random_extents<N>(g);
    extents<3> room(1, 1, 1);
    for (int d = 0; d < N; ++d) room[d] = e[d] + 1;  // one more cell, which must stay untouched
    array<i32, 3> calls = zeros<i32>(dev, {room[0], room[1], room[2]});
    array<i64, 3> numbers = full(dev, {room[0], room[1], room[2]}, i64{-1});
    const mark_cell f{calls.view(), numbers.view()};
    if (g.chance(50)) {
      launch(dev, e, f);
    } else {
      const index_t x = index_t{1} << g.between(0, 5), y = g.between(1, 4), z = g.between(1, 3);
      launch(dev, e, {.threads = {x, N > 1 ? y : 1, N > 2 ? z : 1}}, f);
    }
    const auto h = to_host(calls);
    const auto n = to_host(numbers);
    std::size_t cell = 0;
    for (index_t k = 0; k < room[2]; ++k)
      for (index_t j = 0; j < room[1]; ++j)
        for (index_t i = 0; i < room[0]; ++i, ++cell) {
          const bool inside =
              i < e[0] && (N < 2 || j < e[N > 1 ? 1 : 0]) && (N < 3 || k < e[N - 1]);
          if (h[cell] != (inside ? 1 : 0) || n[cell] != (inside ? i + 1000 * j + 1000000 * k : -1))
            FAIL_CHECK("cell " << cell << " of a launch over " << extents_text(e));
        }
    g.count();
  }
}

}  // namespace

TEST_CASE("launch: once for every cell of one, two and three dims (generated)") {
  generator g("launches");
  for (const device dev : test_devices()) {
    check_launches<1>(g, dev, 200);
    check_launches<2>(g, dev, 200);
    check_launches<3>(g, dev, 100);
  }
}

TEST_CASE("launch: a lambda that captures views") {
  for (const device dev : test_devices()) {
    array<f64, 2> A = zeros<f64>(dev, {300, 70}), B = full(dev, {300, 70}, 2.0);
    const auto a = A.view(), b = B.view();
    launch(dev, {300, 70}, [=] TEFF_FN(index_t i, index_t j) {
      a(i, j) = b(i, j) + static_cast<f64>(i + 1000 * j);
    });
    const auto h = to_host(A);
    CHECK(h[0] == 2);
    CHECK(h[299] == 301);
    CHECK(h[300 * 69 + 7] == 69009);
    launch(stream::create(dev), {300}, [=] TEFF_FN(index_t i) { a(i, 0) = -1; });
  }
}

TEST_CASE("launch: negative extents and shapes beyond the limits are refused") {
  for (const device dev : test_devices()) {
    const array<i32, 3> calls(dev, {1, 1, 1});
    const array<i64, 3> numbers(dev, {1, 1, 1});
    const mark_cell f{calls.view(), numbers.view()};
    CHECK(message_of([&] {
            launch(dev, {5, -1}, f);
          }) == "negative extent: a launch over 5x-1 cells; every extent must be 0 or more");
    launch(dev, {0}, f);
    launch(dev, {7, 0, 2}, f);
    if (dev.is_cuda())
      CHECK(contains(message_of([&] {
                       launch(dev, {5, 5}, {.threads = {64, 64}}, f);
                     }),
                     "at most 1024 threads a block, asked for 4096"));
  }
}

TEST_CASE("launch: any integer types, rows longer than a chunk") {
  for (const device dev : test_devices()) {
    const unsigned nx = 10007;
    const short ny = 3;
    array<f32, 2> A(dev, {nx, ny});
    const auto a = A.view();
    launch(dev, {nx, ny}, [=] TEFF_FN(index_t i, index_t j) { a(i, j) = static_cast<f32>(i - j); });
    const auto h = to_host(A);
    CHECK(h[10006] == 10006);
    CHECK(h[2 * 10007] == -2);
    CHECK(h.back() == 10004);
  }
}

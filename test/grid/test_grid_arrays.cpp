// SPDX-License-Identifier: MIT
#include <atomic>
#include <cmath>
#include <doctest/doctest.h>
#include <limits>
#include <string>
#include <vector>

#include <teff/grid/grid.hpp>
#include <teff/grid/grid_random.hpp>
#include <teff/grid/grid_reduce.hpp>

#include "../generator.hpp"
#include "../message.hpp"

namespace teff::inline TEFF_MODE::test {
namespace {

/// How often `check` holds, of all ranks of a job. (A test's macros are not for many threads.)
template <class F>
int true_on(int count, const F& check) {
  std::atomic<int> held = 0;
  run_on(cpu_ranks(count), [&](const ranks& r) { held += check(r) ? 1 : 0; });
  return held;
}

TEST_CASE("statements over grid arrays count in the whole grid") {
  for (const int count : {1, 2, 3, 6}) {
    const int held = true_on(count, [](const ranks& r) {
      grid g({13, 12}, {.on = r});
      auto T = g.array<double>("T"), C = g.array<double>("C");
      auto V = g.array<float>("Vx", {1, 0});
      T = 3.0 * ix + 100.0 * iy;
      C = 0.5;
      C += T * 2.0;
      C -= 1;
      V = ix - iy;
      auto D = C;  // a copy of the cells
      C *= 2;
      const array<double, 2> all = gather(D);
      const array<float, 2> staggered = gather(V);
      if (!r.is_root()) return all.size() == 0 && staggered.size() == 0;
      bool are_right = all.shape() == extents<2>{13, 12} && staggered.shape() == extents<2>{14, 12};
      const std::vector<double> cells = to_host(all);
      const std::vector<float> faces = to_host(staggered);
      for (index_t j = 0; j < 12; ++j) {
        for (index_t i = 0; i < 13; ++i)
          are_right =
              are_right &&
              cells[static_cast<std::size_t>(i + 13 * j)] ==
                  0.5 + 2 * (3.0 * static_cast<double>(i) + 100.0 * static_cast<double>(j)) - 1;
        for (index_t i = 0; i < 14; ++i)
          are_right =
              are_right && faces[static_cast<std::size_t>(i + 14 * j)] == static_cast<float>(i - j);
      }
      return are_right;
    });
    CHECK(held == count);
  }
}

TEST_CASE("a cell's random numbers are those of an array") {
  const extents<2> n{23, 19};
  const array<double, 2> A = random<double>(device::cpu(), {n[0], n[1]}, 42);
  const array<float, 2> B = random_normal<float>(device::cpu(), {n[0], n[1]}, 7);
  const int held = true_on(4, [&](const ranks& r) {
    const grid<2> g(n, {.on = r, .cuts = {2, 2}});
    const array<double, 2> uniform = gather(random<double>(g, 42));
    const array<float, 2> normal = gather(random_normal<float>(g, 7));
    return !r.is_root() || (to_host(uniform) == to_host(A) && to_host(normal) == to_host(B));
  });
  CHECK(held == 4);
}

TEST_CASE("what is scattered is gathered, and a rank sees its own part") {
  const int held = true_on(4, [](const ranks& r) {
    grid g({5, 6, 9}, {.on = r, .cuts = {2, 1, 2}});
    auto T = g.array<i32>("T", {0, 1, 0});
    array<i32, 3> all(device::cpu(), {5, 7, 9});
    all = ix + 10 * iy + 100 * iz;
    scatter(T, all);
    const array_ref<i32, 3> own = T.own();
    const extents<3> first = T.first();
    const bool is_there =
        static_cast<i32>(own(1, 2, 3)) ==
        static_cast<i32>(first[0] + 1 + 10 * (first[1] + 2) + 100 * (first[2] + 3));
    const array<i32, 3> back = gather(T);
    return is_there && (r.is_root() ? to_host(back) == to_host(all) : back.size() == 0);
  });
  CHECK(held == 4);
}

TEST_CASE("reductions over a grid have the bits of one rank") {
  generator g("reductions over grids");
  for (int round = 0; round < (is_long() ? 200 : generator::rounds(16)); ++round) {
    const extents<2> n{g.between(1, 150), g.between(8, 400)};
    const int count = static_cast<int>(g.between(2, 8));
    const bool cuts_x = g.chance(40) && n[0] >= 2 * count;
    std::vector<f32> given;
    for (index_t i = 0; i < n.size(); ++i) given.push_back(static_cast<f32>(g.uniform() - 0.5));
    g.count();
    array<f32, 2> A(device::cpu(), n);
    A = from_host(given);
    const f32 total = sum(A), squares = norm2(A), mean_of = mean(A), least = min(A), most = max(A);
    const double product = dot(A, 2.0 * A), largest = max_abs(A * A);
    const int held = true_on(count, [&](const ranks& r) {
      const grid<2> on(n, {.on = r, .cuts = {cuts_x ? count : 0, 0}});
      const auto B = on.array<f32>("B");
      scatter(B, A);
      return sum(B) == total && norm2(B) == squares && mean(B) == mean_of && min(B) == least &&
             max(B) == most && dot(B, 2.0 * B) == product && max_abs(B * B) == largest &&
             any(B == most) && !all(B > least) && all(B >= least);
    });
    CHECK(held == count);
  }
  // Of zeros with different signs, and of what is not a number.
  for (const double planted : {-0.0, 0.0, std::numeric_limits<double>::quiet_NaN()}) {
    array<double, 1> A(device::cpu(), extents<1>{12});
    A = from_host(
        std::vector<double>{0.0, -0.0, 0.0, -0.0, -0.0, 0.0, 0.0, planted, -0.0, 0.0, -0.0, 0.0});
    const double least = min(A), most = max(A);
    const int held = true_on(3, [&](const ranks& r) {
      const grid g({12}, {.on = r});
      const auto B = g.array<double>("B");
      scatter(B, A);
      const double low = min(B), high = max(B);
      return std::signbit(low) == std::signbit(least) && std::signbit(high) == std::signbit(most) &&
             std::isnan(low) == std::isnan(planted) && std::isnan(high) == std::isnan(planted);
    });
    CHECK(held == 3);
  }
}

TEST_CASE("statements that do not fit are refused on all ranks, with whole extents") {
  const auto refused = [](const std::string& expected, const auto& act) {
    const int held = true_on(3, [&](const ranks& r) {
      grid g({10, 12}, {.on = r});
      const std::string text = message_of([&] { act(g, r); });
      if (text.find(expected) == std::string::npos) MESSAGE(text);
      return text.find(expected) != std::string::npos;
    });
    CHECK(held == 3);
  };
  refused(
      "an array of a grid: its cells must be the same on all ranks, but rank 0 has 10x12 f64 and "
      "rank 1 11x12 f64",
      [](const auto& g, const ranks& r) {
        (void)g.template array<double>("T", {r.rank() == 1 ? 1 : 0, 0});
      });
  refused("10x12", [](const auto& g, const ranks&) {
    auto T = g.template array<double>("T"), V = g.template array<double>("V", {1, 0});
    T = T + V;
  });
  refused("grid array 'T' of 10x12 f64 and grid array 'U' of 10x12 f64 are arrays of different",
          [](const auto& g, const ranks& r) {
            grid other({10, 12}, {.on = r});
            auto T = g.template array<double>("T"), U = other.template array<double>("U");
            T = T + U;
          });
  refused("scatter: grid array 'T' of 10x12 f64 can not become an array of 10x11 f64 of the root",
          [](const auto& g, const ranks&) {
            auto T = g.template array<double>("T");
            array<double, 2> A(device::cpu(), {10, 11});
            scatter(T, A);
          });
  refused("the last begins at cell 8: it would have none", [](const auto& g, const ranks&) {
    (void)g.template array<double>("q", {0, -4});
  });
  refused("can not be cut into one part for each of 3 ranks; 2 could be given cells",
          [](const auto&, const ranks& r) {
            grid small({1, 2}, {.on = r});
          });
  refused(
      "grid: the grid must be the same on all ranks, but rank 0 has 10x10 cells and rank 1 10x11 "
      "cells",
      [](const auto&, const ranks& r) {
        grid other({10, 10 + r.rank()}, {.on = r});
      });
  refused("timeout_s must be more than 0", [](const auto&, const ranks& r) {
    grid other({10, 10}, {.on = r, .timeout_s = 0});
  });
}

TEST_CASE("where one rank has no memory for its part, all say so and the grid goes on") {
  const index_t huge = index_t{1} << 50, small = 4;
  std::vector<std::string> texts(6);
  const int are_right = true_on(3, [&](const ranks& r) {
    const index_t begin = r.rank() * small, end = r.rank() == 2 ? huge : begin + small;
    const grid<1> g({huge}, {.on = r, .own = own_cells{.x = {begin, end}}});
    const auto mine = static_cast<std::size_t>(2 * r.rank());
    for (const std::size_t again : {0, 1})
      texts[mine + again] = message_of([&] { (void)g.array<double>("T"); });
    const bool is_kind = kind_of([&] { (void)g.array<double>("T"); }) == failure::out_of_memory;
    const grid<1> other({12}, {.on = r});
    const auto U = other.array<double>("U");
    U = 0.5;
    return is_kind && sum(U) == 6;
  });
  CHECK(are_right == 3);
  for (const std::string& text : texts) {
    INFO(text);
    CHECK(text.starts_with("out of memory on the CPU: asked 9.01 PB for array 'T', free "));
    CHECK(text.ends_with("; use smaller extents or f32, said by rank 2"));
  }
}

}  // namespace
}  // namespace teff::inline TEFF_MODE::test

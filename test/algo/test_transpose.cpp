// SPDX-License-Identifier: MIT
#include <teff/algo/fill.hpp>
#include <teff/algo/random.hpp>
#include <teff/algo/transpose.hpp>
#include <teff/algo/transpose/tiles.hpp>

#include "../layout.hpp"
#include "../message.hpp"
#include "ways_taken.hpp"

using namespace teff;
using namespace teff::test;

namespace {

template <int N>
void shuffle(generator& g, int (&order)[N]) {
  for (int d = 0; d < N; ++d) order[d] = d;
  for (int d = N - 1; d > 0; --d) std::swap(order[d], order[g.between(0, d)]);
}

/// Extents around the sizes of lines, tiles and boxes.
template <int N>
extents<N> permute_extents(generator& g) {
  if (g.chance(50)) return random_extents<N>(g);
  extents<N> e;
  if (g.chance(55)) {  // enough for tiles
    for (int d = 0; d < N; ++d) e[d] = g.between(60, 90);
    if (N == 3) e[static_cast<int>(g.between(0, 2))] = g.between(1, 3);
    return e;
  }
  for (int d = 0; d < N; ++d) e[d] = N == 3 ? g.between(1, 40) : g.between(1, 150);
  if (g.chance(50)) e[static_cast<int>(g.between(0, N - 1))] = g.between(1, 5);
  if (g.chance(30)) e[static_cast<int>(g.between(0, N - 1))] = g.between(200, N == 3 ? 400 : 1500);
  return e;
}

const char* name_of(runtime::transpose_way way) {
  return way == runtime::transpose_way::plain   ? "plain copies"
         : way == runtime::transpose_way::tiles ? "in tiles"
                                                : "in boxes";
}

/// Permutations between arrays that lie anyhow, against loops; what is around the target stays as
/// it is.
template <class T, int N>
void check_permutations(generator& g, ways_taken& taken, const stream& on, int rounds) {
  for (int round = 0; round < generator::rounds(rounds); ++round) {
    const extents<N> e = permute_extents<N>(g);
    const auto source = random_placed<T, N>(g, on, e, role::source);
    int order[N];
    shuffle(g, order);
    extents<N> to;
    for (int d = 0; d < N; ++d) to[d] = e[order[d]];
    const auto target = random_placed<T, N>(g, on, to, role::target);
    const auto count_way = [&](const dim_order<N>& dims) {
      const auto plan =
          runtime::plan_transpose(detail::copy_of(target.cells, permuted(source.cells, dims)));
      if (plan.way != runtime::transpose_way::nothing)
        taken.count(std::string("permutations of ") + type_name<T>(), name_of(plan.way));
    };
    std::string asked;
    if constexpr (N == 2) {
      const dim_order<2> dims(order[0], order[1]);
      count_way(dims);
      asked = dims.text();
      if (order[0] == 1 && g.chance(50))
        transpose(target.cells, source.cells);
      else
        permute(target.cells, source.cells, dims);
    } else {
      const dim_order<3> dims(order[0], order[1], order[2]);
      count_way(dims);
      asked = dims.text();
      permute(target.cells, source.cells, dims);
    }
    std::vector<T> expected = target.host;
    target.where.each([&](index_t i, index_t j, index_t k) {
      const index_t at[3] = {i, j, k};
      index_t from[3] = {0, 0, 0};
      for (int d = 0; d < N; ++d) from[order[d]] = at[d];
      expected[target.where.at(i, j, k)] = source.at(from[0], from[1], from[2]);
    });
    const std::string bad = target.differs(expected);
    if (!bad.empty())
      FAIL_CHECK("permutation " << asked << " of " << extents_text(e) << " "
                                << std::string(type_name<T>()) << " on " << on.dev().name() << ": "
                                << bad);
    g.count();
  }
}

}  // namespace

TEST_CASE("transpose, permute: tiny cases by hand") {
  for (const device dev : test_devices()) {
    array<i32, 2> A(dev, {3, 2}, "A"), B(dev, {2, 3}, "B");
    A = from_host(std::vector<i32>{1, 2, 3, 4, 5, 6});
    transpose(B, A);
    CHECK(to_host(B) == std::vector<i32>{1, 4, 2, 5, 3, 6});
    array<i32, 3> C(dev, {2, 3, 2}, "C"), D(dev, {3, 2, 2}, "D"), E(dev, {2, 3, 2}, "E");
    C = from_host(std::vector<i32>{0, 1, 10, 11, 20, 21, 100, 101, 110, 111, 120, 121});
    permute(D, C, {1, 2, 0});  // D(i, j, k) = C(k, i, j)
    CHECK(to_host(D) == std::vector<i32>{0, 10, 20, 100, 110, 120, 1, 11, 21, 101, 111, 121});
    permute(E, D, {2, 0, 1});  // and back
    CHECK(to_host(E) == to_host(C));
  }
}

namespace {

/// The CPU's loops, past the caches or not whatever the size, at any alignment of the rows.
template <class T>
void check_cpu(generator& g, int rounds) {
  const stream on = device::cpu();
  for (int round = 0; round < generator::rounds(rounds); ++round) {
    extents<3> e = permute_extents<3>(g);
    if (g.chance(15)) {  // longer than the pieces in which the loops work
      for (index_t& n : e.n) n = g.between(1, 9);
      e[static_cast<int>(g.between(0, 2))] = g.between(500, 2500);
    }
    const auto source = random_placed<T, 3>(g, on, e, role::source);
    int order[3];
    shuffle(g, order);
    const array_ref<T, 3> seen = permuted(source.cells, dim_order<3>(order[0], order[1], order[2]));
    const auto target = random_placed<T, 3>(g, on, seen.shape(), role::target);
    const runtime::transpose_plan plan =
        runtime::plan_transpose(detail::copy_of(target.cells, seen));
    if (plan.way == runtime::transpose_way::nothing || plan.way == runtime::transpose_way::plain)
      continue;
    runtime::transpose_cpu(plan, target.cells.data(), seen.data(), sizeof(T), g.chance(80));
    std::vector<T> expected = target.host;
    target.where.each([&](index_t i, index_t j, index_t k) {
      const index_t at[3] = {i, j, k};
      index_t from[3] = {0, 0, 0};
      for (int d = 0; d < 3; ++d) from[order[d]] = at[d];
      expected[target.where.at(i, j, k)] = source.at(from[0], from[1], from[2]);
    });
    const std::string bad = target.differs(expected);
    if (!bad.empty()) FAIL_CHECK("transposing on the CPU, " << extents_text(e) << ": " << bad);
    g.count();
  }
}

}  // namespace

TEST_CASE("transpose_cpu: lines past the caches, at any alignment (generated)") {
  generator g("transposes past the caches");
  check_cpu<f64>(g, 1000);
  check_cpu<f32>(g, 1000);
  check_cpu<u8>(g, 700);
}

TEST_CASE("permute: any strides, types and permutations (generated)") {
  generator g("permutations");
  ways_taken taken;
  for (const device dev : test_devices()) {
    const int rounds = dev.is_cpu() ? 800 : 150;
    check_permutations<f64, 2>(g, taken, dev, rounds);
    check_permutations<f64, 3>(g, taken, dev, rounds);
    check_permutations<f32, 2>(g, taken, dev, rounds);
    check_permutations<f32, 3>(g, taken, stream::create(dev), rounds);
    check_permutations<i64, 2>(g, taken, dev, 2 * rounds);
    check_permutations<i32, 3>(g, taken, dev, 3 * rounds);
    check_permutations<u8, 2>(g, taken, dev, rounds);
    check_permutations<u8, 3>(g, taken, dev, rounds);
  }
  const int fewest = taken.fewest(3);
  CHECK((is_quick() || fewest >= 100));
}

namespace {

/// The kernels of a GPU in the emulator, with tiles small enough for many cases.
template <class T, int X, int Y, int Threads>
void check_emulated(generator& g, ways_taken& taken, int rounds) {
  const stream on = device::cpu();
  for (int round = 0; round < generator::rounds(rounds); ++round) {
    extents<3> e(g.between(1, 40), g.between(1, 40), g.between(1, 3));
    const bool aligned = g.chance(50);
    if (aligned)
      for (int d = 0; d < 2; ++d) e[d] = ceil_div(e[d], index_t{16}) * 16;
    const bool boxes = g.chance(40);
    if (boxes) e[static_cast<int>(g.between(0, 1))] = g.between(1, 7);
    array<T, 1> memory(on, {e.size() + 3}, "memory"), before(on, {e.size() + 3}, "before");
    memory = from_host(std::vector<T>(static_cast<std::size_t>(memory.size()), poison<T>()));
    before = memory;
    array<T, 3> A(on, e, "A");
    std::vector<T> values(static_cast<std::size_t>(A.size()));
    for (T& v : values) v = g.value<T>();
    A = from_host(values);
    const index_t skip = aligned ? 0 : g.between(0, 3);
    const auto B = wrap(on, memory.data() + skip, {e[1], e[0], e[2]}, {1, e[1], e[0] * e[1]}, "B");
    const auto source = permuted(A, dim_order<3>(1, 0, 2));
    runtime::transpose_plan plan = runtime::plan_transpose(detail::copy_of(B, source));
    if (plan.way == runtime::transpose_way::plain) continue;
    taken.count("transposes of " + std::to_string(sizeof(T)) + " bytes in the emulator",
                boxes     ? "in boxes"
                : aligned ? "in aligned tiles"
                          : "in tiles");
    if (boxes) {
      plan.box[0] = static_cast<int>(std::min<index_t>(plan.x.n, 16));
      plan.box[1] = static_cast<int>(std::min<index_t>(plan.y.n, 8));
      plan.box[2] = static_cast<int>(std::min<index_t>(plan.z.n, 2));
      if (g.chance(50))
        detail::launch_boxes_of<T, int, 32, 256>(on, plan, B.data(), A.data());
      else
        detail::launch_boxes_of<T, index_t, 32, 256>(on, plan, B.data(), A.data());
    } else {
      detail::launch_tiles<T, detail::tile_shape<sizeof(T), X, Y, Threads>>(on, plan, B.data(),
                                                                            A.data());
    }
    before(range(skip, skip + e.size())) = wrap(on, B.data(), {e.size()}, {1});
    std::string bad = difference(to_host(memory), to_host(before));
    for (index_t k = 0; k < e[2]; ++k)
      for (index_t j = 0; j < e[1]; ++j)
        for (index_t i = 0; i < e[0]; ++i)
          if (B.data()[j + e[1] * (i + e[0] * k)] !=
              values[static_cast<std::size_t>(i + e[0] * (j + e[1] * k))])
            bad = "cell " + extents_text(extents<3>(i, j, k));
    if (!bad.empty()) FAIL_CHECK("emulated transpose of " << extents_text(e) << ": " << bad);
    g.count();
  }
}

/// What the emulator counted in one transpose of 128 x 128 cells with the tiles of a GPU.
template <class T>
emulator_report report_of_tiles(index_t extent) {
  const stream on = device::cpu();
  const array<T, 2> A = zeros<T>(on, {extent, extent}, "A");
  const array<T, 2> B = zeros<T>(on, {extent, extent}, "B");
  const auto plan = runtime::plan_transpose(detail::copy_of<T, 2>(B, transposed(A)));
  const emulation emulated;
  detail::transpose_blocks(on, plan, B.data(), A.data());
  return emulated.report();
}

}  // namespace

TEST_CASE("transpose kernels in the emulator: any extents (generated)") {
  generator g("emulated transposes");
  ways_taken taken;
  check_emulated<std::uint8_t, 32, 32, 64>(g, taken, 400);
  check_emulated<i32, 32, 32, 64>(g, taken, 200);
  check_emulated<i32, 32, 16, 32>(g, taken, 200);
  check_emulated<i64, 16, 16, 64>(g, taken, 200);
  check_emulated<i64, 32, 16, 32>(g, taken, 200);
  const int fewest = taken.fewest(3);
  CHECK((is_quick() || fewest >= 100));
}

TEST_CASE("transpose kernels: lanes do not meet in a bank") {
  CHECK(report_of_tiles<f64>(128).bank_conflicts.worst == 0);  // squares
  CHECK(report_of_tiles<f32>(128).bank_conflicts.worst == 0);
  CHECK(report_of_tiles<u8>(128).bank_conflicts.worst == 0);
  CHECK(report_of_tiles<f64>(67).bank_conflicts.worst == 0);  // cell by cell
  CHECK(report_of_tiles<f32>(67).bank_conflicts.worst == 0);
  CHECK(report_of_tiles<u8>(131).bank_conflicts.worst == 0);
}

namespace {

/// B = transposed A for large arrays, A made of its indices: enough bytes that stores bypass the
/// caches.
template <class T>
void check_large(device dev, index_t nx, index_t ny, index_t skip) {
  array<T, 1> from(dev, {nx * ny + skip}, "from"), to(dev, {nx * ny + skip + 1}, "to");
  const auto A = wrap(from.on(), from.data() + skip, {nx, ny}, {1, nx}, "A");
  const auto B = wrap(to.on(), to.data() + skip, {ny, nx}, {1, ny}, "B");
  A = ix * 3 + iy * 7 + ix * iy;
  to = 1;
  transpose(B, A);
  const auto at = to_host(B);
  index_t bad = 0;
  for (index_t i = 0; i < nx; ++i)
    for (index_t j = 0; j < ny; ++j)
      bad += at[static_cast<std::size_t>(j + i * ny)] != static_cast<T>(i * 3 + j * 7 + i * j);
  CHECK(bad == 0);
  if (skip > 0) CHECK(static_cast<T>(to(0)) == 1);
  CHECK(static_cast<T>(to(nx * ny + skip)) == 1);
}

}  // namespace

TEST_CASE(
    "transpose: beyond the caches, odd extents and offset pointers, on any number of threads") {
  const index_t n = is_quick() ? 300 : 3001;
  for (const device dev : test_devices()) {
    check_large<f64>(dev, n, n + 2, 0);
    check_large<f64>(dev, n + 1, n + 5, 1);
    check_large<f32>(dev, 2 * n + 1, 2 * n - 5, 3);
    check_large<f32>(dev, 3, n * n, 1);
    check_large<f32>(dev, n * n, 5, 1);
    check_large<u8>(dev, 4 * n, 4 * n + 3, 5);
  }
}

TEST_CASE("transpose: streams are ordered, results do not depend on them") {
  for (const device dev : test_devices()) {
    const stream first = stream::create(dev), second = stream::create(dev);
    const index_t n = is_quick() ? 100 : 1000;
    array<f32, 2> A(first, {n, n + 3}, "A"), B(second, {n + 3, n}, "B"), C(first, {n, n + 3}, "C");
    for (int round = 1; round <= 5; ++round) {
      A = ix * round + iy;
      transpose(B, A);
      A = 0.0f * ix;
      transpose(C, B);
      CHECK(static_cast<f32>(C(n - 1, n + 2)) == static_cast<f32>((n - 1) * round + n + 2));
    }
  }
}

TEST_CASE("transpose, permute: errors name arguments, extents and permutation") {
  for (const device dev : test_devices()) {
    array<f64, 2> A = zeros<f64>(dev, {4, 3}, "A"), B = zeros<f64>(dev, {4, 3}, "B");
    const std::string extents = message_of([&] { transpose(B, A); });
    CHECK(contains(extents, "the transpose of array 'A' of 4x3 f64 has 3x4 cells"));
    CHECK(contains(extents, "array 'B' of 4x3 f64"));
    array<f64, 2> S = zeros<f64>(dev, {4, 4}, "S");
    CHECK(contains(message_of([&] { transpose(S, S); }), "overlaps the source, array 'S'"));
    CHECK(contains(message_of([&] { transpose(S(range(0, 2), whole), S(whole, range(0, 2))); }),
                   "overlaps"));
    array<f64, 3> C = zeros<f64>(dev, {4, 3, 2}, "C"), D = zeros<f64>(dev, {3, 2, 4}, "D");
    CHECK(contains(message_of([&] { permute(D, C, {1, 2, 1}); }), "not a permutation: {1, 2, 1}"));
    CHECK(contains(message_of([&] { permute(D, C, {1, 2, 3}); }), "each of 0 to 2"));
    CHECK(contains(message_of([&] {
                     permute(D, C, {0, 1, 2});
                   }),
                   "permutation {0, 1, 2} of array 'C' of 4x3x2 f64 has 4x3x2 cells"));
    permute(D, C, {1, 2, 0});
    if (dev.is_cuda()) {
      array<f64, 2> here = zeros<f64>(device::cpu(), {3, 4}, "here");
      CHECK(contains(message_of([&] { transpose(here, A); }), "arrays on different devices"));
      array<f64, 2> one = zeros<f64>(device::cpu(), {1, 1}, "one"),
                    there = zeros<f64>(dev, {1, 1}, "there");
      CHECK(contains(message_of([&] { transpose(one, there); }), "arrays on different devices"));
    }
  }
}

TEST_CASE("transpose: the profile shows the bytes") {
  for (const device dev : test_devices()) {
    array<f64, 2> A = zeros<f64>(dev, {1000, 500}, "A"), B(dev, {500, 1000}, "B");
    const profile p("test");
    transpose(B, A);
    CHECK(contains(p.table(), "transpose"));
  }
}

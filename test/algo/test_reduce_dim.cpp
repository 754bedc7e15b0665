// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstring>

#include <omp.h>

#include <teff/algo/fill.hpp>
#include <teff/algo/random.hpp>
#include <teff/algo/reduce.hpp>

#include "../message.hpp"
#include "along_dim.hpp"
#include "reduction_ways.hpp"
#include "ways_taken.hpp"

using namespace teff;
using namespace teff::test;

namespace {

template <class T, int N>
void check_sums(generator& g, device dev, index_t cells, int rounds) {
  using A = detail::sum_accumulator<T>;
  using R = detail::sum_result<T>;
  for (int round = 0; round < generator::rounds(rounds); ++round) {
    auto p = random_placed<T, N>(g, dev, edge_extents<N>(g, cells), role::source);
    for (T& v : p.host) v = whole_number<T>(g);
    p.memory = from_host(p.host);
    const int dim = static_cast<int>(g.between(0, N - 1));
    const extents<N> shape = p.cells.shape();
    std::vector<R> expected;
    each_column<N>(shape, dim, [&](const index_t* first, const index_t* step) {
      A total{};
      for (index_t at = 0; at < shape[dim]; ++at)
        total += static_cast<A>(
            p.at(first[0] + at * step[0], first[1] + at * step[1], first[2] + at * step[2]));
      expected.push_back(static_cast<R>(total));
    });
    const std::string wrong = difference(to_host(sum(p.cells, dim)), expected);
    if (!wrong.empty())
      FAIL_CHECK("sum of " << extents_text(shape) << " " << std::string(type_name<T>())
                           << " along dim " << dim << " on " << dev.name() << ": " << wrong);
    g.count();
  }
}

/// The CPU's own code, and the GPU's kernels, give the same bits; in the emulator these run in
/// plain C++ only. `of(cells, dim)` is the expression, `how(cells, dim)` the reduction.
template <class T, class Of, class How>
void check_bits(const char* what, generator& g, ways_taken& taken, const Of& of, const How& how) {
  for (int round = 0; round < turns_along * generator::rounds(100); ++round) {
    const long_dim chosen = long_dim_of_turn(g, round % turns_along);
    const int dim = chosen.dim;
    const auto p =
        random_placed<T, 3>(g, device::cpu(), chosen.e, role::source, chosen.is_contiguous);
    taken.count(std::string(what) + " of " + type_name<T>() + " in the emulator",
                way_along(chosen, is_contiguous(p.where)));
    taken.count(std::string(what) + " of " + type_name<T>() + " in the emulator",
                way_of_all(p.cells.size()));
    const auto e = of(p.cells);
    const auto on_cpu = detail::reduce_along(e, dim, how(p.cells, dim));
    const auto of_all = detail::reduce_all(e, how(p.cells, dim));
    if constexpr (!is_cuda_unit) {
      const auto in_blocks = detail::reduce_along(e, dim, how(p.cells, dim), reduction_in_blocks{});
      const std::string wrong = difference(to_host(in_blocks), to_host(on_cpu));
      if (!wrong.empty())
        FAIL_CHECK(std::string(what) << " of " << extents_text(p.cells.shape()) << " along dim "
                                     << dim << ": " << wrong);
      const auto of_all_in_blocks = detail::reduce_all(e, how(p.cells, dim), reduction_in_blocks{});
      const std::string wrong_all =
          difference(to_host(of_all_in_blocks.cell()), to_host(of_all.cell()));
      if (!wrong_all.empty())
        FAIL_CHECK(std::string(what)
                   << " of all " << extents_text(p.cells.shape()) << ": " << wrong_all);
    }
    if (cuda_device_count() > 0 && is_cuda_unit) {
      array<T, 1> moved(device::cuda(0), {static_cast<index_t>(p.host.size())});
      moved = from_host(p.host);
      auto v = p.cells.view();
      v.data = moved.data() + (p.cells.data() - p.memory.data());
      const array_ref<T, 3> there(moved.on(), moved.block(), v, nullptr);
      const std::string differs = difference(
          to_host(detail::reduce_along(of(there), dim, how(there, dim))), to_host(on_cpu));
      if (!differs.empty())
        FAIL_CHECK(std::string(what) << " of " << extents_text(p.cells.shape()) << " along dim "
                                     << dim << " on the GPU: " << differs);
      const std::string differs_all = difference(
          to_host(detail::reduce_all(of(there), how(there, dim)).cell()), to_host(of_all.cell()));
      if (!differs_all.empty())
        FAIL_CHECK(std::string(what) << " of all " << extents_text(p.cells.shape())
                                     << " on the GPU: " << differs_all);
    }
    g.count();
  }
}

}  // namespace

TEST_CASE("sum along any dim, of any strides, against loops (generated)") {
  generator g("sums along a dim");
  for (const device dev : test_devices()) {
    const int rounds = dev.is_cpu() ? 1000 : 200;
    for (const index_t cells : {300, 20000}) {
      check_sums<f64, 2>(g, dev, cells, rounds);
      check_sums<f64, 3>(g, dev, cells, rounds);
      check_sums<f32, 2>(g, dev, cells, rounds);
      check_sums<i64, 3>(g, dev, cells, rounds);
      check_sums<i32, 2>(g, dev, cells, rounds);
    }
  }
}

TEST_CASE(
    "reductions along a dim: CPU, emulated and native kernels give the same bits (generated)") {
  generator g("bits of reductions");
  const auto squares = [](const auto& A) { return A * A; };
  ways_taken taken;
  // Numbers that do round.
  check_bits<f64>("sum", g, taken, squares, [](const auto&, int) {
    return detail::reduction<f64, f64, ops::sum>{"sum", 0};
  });
  check_bits<f32>("mean", g, taken, squares, [](const auto& A, int dim) {
    return detail::reduction<f32, f64, ops::sum, detail::divided_by_count>{
        "mean", 0, {static_cast<f64>(A.extent(dim))}};
  });
  check_bits<i32>(
      "argmin", g, taken,
      [](const auto& A) { return detail::numbered_cells(detail::with_values_of<u8>(as_node(A))); },
      [](const auto& A, int dim) {
        index_t inner = 1;
        for (int d = 0; d < dim; ++d) inner *= A.extent(d);
        return detail::arg_reduction<true, u8>({inner, A.extent(dim)});
      });
  const int fewest = taken.fewest(ways_along + 2);
  CHECK((is_quick() || fewest >= 100));
}

#ifndef __CUDACC__  // in the emulator
TEST_CASE("sums of long columns in blocks: pieces that a march combines") {
  const auto A = random<f64>(device::cpu(), {64, 17000}, 1);
  CHECK(runtime::plan_reduction(runtime::cells_along({64, 17000, 1}, 1, true), false, true)
            .pieces.count == 67);
  const auto in_blocks = detail::reduce_along(
      as_node(A), 1, detail::reduction<f64, f64, ops::sum>{"sum", 0}, reduction_in_blocks{});
  CHECK(difference(to_host(in_blocks), to_host(sum(A, 1))) == "");
}

TEST_CASE("sums of short rows in blocks: lanes do not meet in a bank") {
  const auto worst = [](auto example, index_t length) {
    using T = decltype(example);
    const auto A = zeros<T>(device::cpu(), {length, 32});
    const emulation emulated;
    detail::reduce_along(as_node(A), 0, detail::reduction<T, f64, ops::sum>{"sum", 0},
                         reduction_in_blocks{});
    return emulated.report().bank_conflicts.worst;
  };
  for (const index_t length : {33, 40, 50, 77, 100, 136, 200, 255}) {
    CAPTURE(length);
    CHECK(worst(f64{}, length) == 0);
    CHECK(worst(f32{}, length) == 0);
  }
}

TEST_CASE("sum of all cells in blocks: three levels, and the counters of each are 0 again") {
  const runtime::chunk_counts counts(16 * index_t{1 << 20} + 5000);
  CHECK(counts.chunks == 4098);
  CHECK(counts.parts == 4098 + 2);
  CHECK(counts.counters == 2 + 1);
  CHECK(runtime::chunk_counts(0).chunks == 1);
  CHECK(runtime::chunk_counts(4096).room_bytes(8) == 0);
  CHECK(runtime::chunk_counts(4097).room_bytes(8) == 16 + 2 * 8);
  if (is_quick()) return;
  f64 one = 1;
  const auto ones = wrap(device::cpu(), &one, {16 * (1 << 20) + 5000}, {0});
  const detail::reduction<f64, f64, ops::sum> how{"sum", 0};
  const auto total = detail::reduce_all(as_node(ones), how, reduction_in_blocks{});
  CHECK(total == 16 * (1 << 20) + 5000.0);
  const auto* room = static_cast<const char*>(total.cell().block()->data()) + 16;
  unsigned counters[3] = {};
  std::memcpy(counters, room, sizeof counters);
  for (const unsigned left : counters) CHECK(left == 0);
}
#endif

TEST_CASE("sum along a dim: tiny exact cases") {
  for (const device dev : test_devices()) {
    array<f64, 2> A(dev, {3, 2}, "A");
    A = from_host(std::vector<f64>{1, 2, 3, 4, 5, 6});
    CHECK(to_host(sum(A, 0)) == std::vector<f64>{6, 15});
    CHECK(to_host(sum(A, 1)) == std::vector<f64>{5, 7, 9});
    CHECK(to_host(sum(A * A + iy, 1)) == std::vector<f64>{18, 30, 46});
    CHECK(to_host(max_abs(A - 3.5, 0)) == std::vector<f64>{2.5, 2.5});
    const array<f64, 1> v(dev, {4});
    v = 2.0;
    CHECK(static_cast<f64>(sum(v, 0)) == 8);
    CHECK(to_host(sum(zeros<f64>(dev, {0, 3}), 0)) == std::vector<f64>{0, 0, 0});
    CHECK(to_host(sum(zeros<f64>(dev, {0, 3}), 1)).empty());
    // Long enough for several levels of both orders; whole numbers, so exact.
    const auto ones = full(dev, {70000, 3}, 1.0);
    CHECK(to_host(sum(ones, 0)) == std::vector<f64>{70000, 70000, 70000});
    CHECK(to_host(sum(full(dev, {3, 70000}, 1.0), 1)) == std::vector<f64>{70000, 70000, 70000});
  }
}

TEST_CASE("sum along a dim: the same bits with any number of threads") {
  const auto A = random<f64>(device::cpu(), {900, 700}, 3);
  std::vector<f64> first[2];
  const int threads = omp_get_max_threads();
  for (const int n : {1, 2, 5}) {
    omp_set_num_threads(n);
    for (int dim = 0; dim < 2; ++dim) {
      const std::vector<f64> s = to_host(sum(A, dim));
      if (n == 1) first[dim] = s;
      CHECK(difference(s, first[dim]) == "");
    }
  }
  omp_set_num_threads(threads);
}

TEST_CASE("sum along a dim: errors") {
  array<f64, 2> A(device::cpu(), {4, 5}, "A");
  A = 1.0;
  CHECK(message_of([&] { (void)sum(A, 2); }) ==
        "sum: A of 4x5 cells has dims 0 to 1, asked for dim 2");
  CHECK(contains(message_of([&] { (void)max_abs(A, -1); }), "asked for dim -1"));
}

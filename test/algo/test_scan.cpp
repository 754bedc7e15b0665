// SPDX-License-Identifier: MIT
#include <algorithm>

#include <teff/algo/scan/sector_march.hpp>

#include "along_dim.hpp"
#include "ways_taken.hpp"

using namespace teff;
using namespace teff::test;

namespace {

/// Not commutative: x -> scale * x + shift as an operation on (scale, shift) packed in an integer,
/// modulo 251.
struct affine {
  TEFF_INLINE i64 operator()(i64 a, i64 b) const {
    const i64 a1 = a / 256, a0 = a % 256, b1 = b / 256, b0 = b % 256;
    return (a1 * b1 % 251) * 256 + (a0 * b1 + b0) % 251;
  }
};

/// Of one array into another, or in place.
template <class T, int N>
struct scan_case {
  placed<T, N> source, target;
  int dim;
  bool is_in_place;

  /// Makes `values` the source's block, which lies in the target if that is scanned in place.
  void set(const std::vector<T>& values) {
    source.host = values;
    source.memory = from_host(source.host);
    if (!is_in_place) return;
    target.where.each([&](index_t i, index_t j, index_t k) {
      target.host[target.where.at(i, j, k)] = source.at(i, j, k);
    });
    target.memory = from_host(target.host);
  }
  const array_ref<T, N>& cells() const { return is_in_place ? target.cells : source.cells; }

  /// Which kernel.
  std::string way() const {
    index_t n[3] = {1, 1, 1};
    for (int d = 0; d < N; ++d) n[d] = target.cells.extent(d);
    const bool is_flat =
        is_contiguous(target.where) && (is_in_place || is_contiguous(source.where));
    const bool is_row = detail::is_row_of_lanes(target.cells, dim);
    const runtime::dim_cells cells = runtime::cells_along(n, dim, is_flat);
    const device_target<T> to{target.cells.data(), {}};
    using leaf = device_leaf<T>;
    const runtime::scan_plan plan = is_flat ? detail::plan_scan<true, leaf>(to, cells, is_row)
                                            : detail::plan_scan<false, leaf>(to, cells, is_row);
    const bool are_pieces = plan.pieces.count > 1;
    if (plan.how == runtime::scan_plan::way::column_tiles)
      return are_pieces ? "column tiles, linked" : "column tiles";
    if (plan.how == runtime::scan_plan::way::strips) return "strips";
    return std::string(is_row ? "rows" : "march") + (are_pieces ? " in pieces" : "");
  }

  scan_case(generator& g, device dev, index_t cells, bool is_long)
      : scan_case(g, dev, is_long ? long_extents(g, cells) : edge_extents<N>(g, cells),
                  is_long && g.chance(80)) {}

  /// What the target's block must hold: `op` one by one, from `init` if has_init.
  template <class Wide, class Op>
  std::vector<T> expected(Op op, bool has_init, Wide init, bool exclusive) const {
    std::vector<T> block = target.host;
    const lattice& l = target.where;
    each_column<N>(source.cells.shape(), dim, [&](const index_t* first, const index_t* step) {
      Wide running = init;
      bool has_started = has_init;
      for (index_t at = 0; at < l.n[dim]; ++at) {
        const index_t i = first[0] + at * step[0], j = first[1] + at * step[1],
                      k = first[2] + at * step[2];
        const auto value = static_cast<Wide>(source.at(i, j, k));
        const Wide before = running;
        running = has_started ? op(running, value) : value;
        has_started = true;
        block[l.at(i, j, k)] = static_cast<T>(exclusive ? before : running);
      }
    });
    return block;
  }
  std::string text() const {
    return extents_text(source.cells.shape()) + " " + type_name<T>() + " along dim " +
           std::to_string(dim) + " on " + source.cells.dev().name() +
           (is_in_place ? " in place" : "");
  }

 private:
  /// One row of about `cells` cells, or long columns: few, some more, or for the last dim's sake
  /// several groups of few.
  static extents<N> long_extents(generator& g, index_t cells) {
    extents<N> e;
    for (int d = 0; d < N; ++d) e[d] = 1;
    const int kind = static_cast<int>(g.between(0, 9));
    if (N == 1 || kind < 3) {
      e[0] = g.between(cells / 2, cells);
      return e;
    }
    if (kind < 5) {
      e[0] = g.between(129, 132);
      e[1] = g.between(256, 300);
    } else if (kind < 7) {  // in one tile
      e[0] = g.between(8, 14);
      e[1] = g.between(256, 270);
    } else {
      e[0] = g.chance(50) ? g.between(2, 8) : g.between(9, 128);
      e[1] = std::max(g.between(256, 300), g.between(5000, 9000) / e[0]);
    }
    if (N == 3 && kind > 7) e[2] = g.between(1, 3);
    return e;
  }
  static int longest(const extents<N>& e) {
    int dim = 0;
    for (int d = 1; d < N; ++d)
      if (e[d] > e[dim]) dim = d;
    return dim;
  }
  scan_case(generator& g, device dev, const extents<N>& e, bool is_contiguous)
      : source(random_placed<T, N>(g, dev, e, role::source, is_contiguous)),
        target(random_placed<T, N>(g, dev, e, role::target, is_contiguous)),
        dim(longest(e)),
        is_in_place(g.chance(40)) {
    if (e[dim] < 256) dim = static_cast<int>(g.between(0, N - 1));
    std::vector<T> values(source.host.size());
    for (T& v : values) v = whole_number<T>(g);
    set(values);
  }
};

template <class T, int N>
void check_cumsum(generator& g, device dev, bool in_blocks, index_t cells, int rounds,
                  ways_taken* ways = nullptr) {
  using A = detail::sum_accumulator<T>;
  for (int round = 0; round < generator::rounds(rounds); ++round) {
    scan_case<T, N> c(g, dev, cells, ways != nullptr && g.chance(62));
    if (ways != nullptr)
      ways->count(type_name<T>() + std::string(" cumsum in the emulator"), c.way());
    if (in_blocks)
      detail::scan_along<ops::sum>(c.target.cells, as_node(c.cells()), c.dim, "cumsum",
                                   detail::scan_start<A, true>{},
                                   scan_in_blocks{c.target.cells.on()});
    else
      cumsum(c.target.cells, c.cells(), c.dim);
    const std::string wrong =
        c.target.differs(c.template expected<A>([](A a, A b) { return a + b; }, false, A{}, false));
    if (!wrong.empty()) FAIL_CHECK("cumsum of " << c.text() << ": " << wrong);
    g.count();
  }
}

template <int N>
void check_affine(generator& g, device dev, bool in_blocks, index_t cells, int rounds,
                  ways_taken* ways = nullptr) {
  for (int round = 0; round < generator::rounds(rounds); ++round) {
    scan_case<i64, N> c(g, dev, cells, ways != nullptr && g.chance(62));
    std::vector<i64> maps(c.source.host.size());
    for (i64& v : maps) v = g.between(0, 250) * 256 + g.between(0, 250);
    c.set(maps);
    if (ways != nullptr) ways->count("scan of affine maps in the emulator", c.way());
    const bool exclusive = g.chance(50), has_init = exclusive || g.chance(50);
    const i64 init = 3 * 256 + 5;
    if (in_blocks)
      detail::scan_along<affine>(c.target.cells, as_node(c.cells()), c.dim, "scan",
                                 detail::scan_start<i64>{init, has_init, exclusive},
                                 scan_in_blocks{c.target.cells.on()});
    else if (has_init)
      scan(c.target.cells, c.cells(), c.dim, affine{}, {.init = init, .exclusive = exclusive});
    else
      scan(c.target.cells, c.cells(), c.dim, affine{});
    const std::string wrong =
        c.target.differs(c.template expected<i64>(affine{}, has_init, init, exclusive));
    if (!wrong.empty()) FAIL_CHECK("scan of " << c.text() << ": " << wrong);
    g.count();
  }
}

}  // namespace

TEST_CASE("cumsum of any strides along any dim, against loops (generated)") {
  generator g("cumsum");
  for (const device dev : test_devices()) {
    const int rounds = dev.is_cpu() ? 1000 : 200;
    for (const index_t cells : {300, 20000}) {
      check_cumsum<f64, 1>(g, dev, false, cells, rounds);
      check_cumsum<f64, 2>(g, dev, false, cells, rounds);
      check_cumsum<f32, 3>(g, dev, false, cells, rounds);
      check_cumsum<i32, 2>(g, dev, false, cells, rounds);
      check_cumsum<i64, 3>(g, dev, false, cells, rounds);
    }
  }
}

TEST_CASE("cumsum: the GPU's kernels in the emulator (generated)") {
  generator g("cumsum in the emulator");
  ways_taken ways;
  const device dev = device::cpu();
  const int rounds = is_long() ? 1400 : 700;
  check_cumsum<f64, 1>(g, dev, true, 70000, 30);
  check_cumsum<f64, 2>(g, dev, true, 9000, rounds, &ways);
  check_cumsum<f32, 3>(g, dev, true, 16500, rounds, &ways);
  check_cumsum<i32, 2>(g, dev, true, 16500, rounds, &ways);
  check_cumsum<i64, 2>(g, dev, true, 9000, rounds, &ways);
  const int fewest = ways.fewest(6);
  CHECK((is_quick() || fewest >= rounds / 14));
}

namespace {

/// Marches that write whole sectors, whatever the number of columns, in the emulator: columns of
/// some slabs from any cell of an array on, and nothing else is written.
template <class T>
void check_sector_march(generator& g, bool in_place) {
  using A = detail::sum_accumulator<T>;
  using start = detail::scan_start<A>;
  using kernel = detail::sector_march_scan<ops::sum, start, T, device_leaf<T>>;
  const index_t columns = g.chance(50) ? g.between(1, 80) : g.between(400, 1100);
  const index_t length = g.between(1, 40), slabs = g.between(1, 3), shift = g.between(0, 9);
  const start begin{static_cast<A>(g.between(0, 9)), g.chance(50), g.chance(50)};
  const index_t cells = columns * length * slabs;
  std::vector<T> source(static_cast<std::size_t>(cells + 20), T{77}), target = source;
  for (index_t c = 0; c < cells; ++c) {
    const auto at = static_cast<std::size_t>(c + shift);
    source[at] = whole_number<T>(g);
    if (in_place) target[at] = source[at];
  }
  std::vector<T> expected = target;
  for (index_t k = 0; k < slabs; ++k)
    for (index_t i = 0; i < columns; ++i) {
      A running = begin.value;
      bool has_started = begin.has_value;
      for (index_t l = 0; l < length; ++l) {
        const auto at = static_cast<std::size_t>(shift + (k * length + l) * columns + i);
        const A value = static_cast<A>(source[at]), before = running;
        running = has_started ? before + value : value;
        has_started = true;
        expected[at] = static_cast<T>(begin.is_exclusive ? before : running);
      }
    }
  const device_target<T> to{target.data() + shift, {1, 0, 0}};
  const device_leaf<T> from{{}, (in_place ? target : source).data() + shift, {1, 0, 0}};
  const auto marched =
      kernel::of(to, from, runtime::cells_along({columns, length, slabs}, 1, true), begin);
  launch_blocks(stream(device::cpu()),
                {.blocks = {marched.blocks()},
                 .threads = {kernel::threads},
                 .shared_bytes = kernel::shared_bytes()},
                marched);
  INFO(columns << " columns of " << length << ", " << slabs << " slabs, from cell " << shift);
  CHECK(difference(target, expected) == "");
  g.count();
}

}  // namespace

TEST_CASE("cumsum: marches that write whole sectors, in the emulator (generated)") {
  generator g("sector marches");
  for (int round = 0; round < generator::rounds(60); ++round)
    for (const bool in_place : {false, true}) {
      check_sector_march<f64>(g, in_place);
      check_sector_march<f32>(g, in_place);
      check_sector_march<i32>(g, in_place);
      check_sector_march<u8>(g, in_place);
    }
}

TEST_CASE("scan with an operation that does not commute, inclusive and exclusive (generated)") {
  generator g("scans of affine maps");
  for (const device dev : test_devices()) {
    check_affine<1>(g, dev, false, 20000, 200);
    check_affine<2>(g, dev, false, 3000, 400);
    check_affine<3>(g, dev, false, 3000, 400);
  }
  ways_taken ways;
  check_affine<1>(g, device::cpu(), true, 50000, 40);
  check_affine<2>(g, device::cpu(), true, 9000, 1400, &ways);
  const int fewest = ways.fewest(6);
  CHECK((is_quick() || fewest >= 100));
}

namespace {

/// cumsum(B, e), with e's values given, on a device and by the block kernels.
template <class T, class E>
void check_other_types(device dev, const E& e, const std::vector<f64>& values, extents<2> n) {
  for (const bool in_blocks : {false, true})
    for (const int dim : {0, 1}) {
      array<T, 2> B(dev, n, "B");
      B = T{-1};
      if (in_blocks)
        detail::scan_along<ops::sum>(B, as_node(e), dim, "cumsum",
                                     detail::scan_start<detail::sum_accumulator<T>, true>{},
                                     scan_in_blocks{B.on()});
      else
        cumsum(B, e, dim);
      std::vector<f64> expected = values;
      const index_t before = dim == 0 ? 1 : n[0];
      for (index_t c = 0; c < n[0] * n[1]; ++c)
        if (dim == 0 ? c % n[0] > 0 : c >= n[0])
          expected[static_cast<std::size_t>(c)] += expected[static_cast<std::size_t>(c - before)];
      const std::vector<T> got = to_host(B);
      CHECK(std::vector<f64>(got.begin(), got.end()) == expected);
    }
}

}  // namespace

TEST_CASE("cumsum: of other types than the target's") {
  for (const device dev : test_devices())
    for (const extents<2> n : {extents<2>{3, 1001}, {41, 307}, {129, 256}, {9001, 2}, {100, 7}}) {
      array<f32, 2> A(dev, n, "A");
      A = where(ix + iy > 9, 1.0f, -2.0f);
      const std::vector<f32> a = to_host(A);
      std::vector<f64> values(a.begin(), a.end());
      check_other_types<f64>(dev, A, values, n);
      check_other_types<i32>(dev, A, values, n);
      for (f64& v : values) v = v > 0 ? 1 : 0;
      check_other_types<i32>(dev, A > 0.0f, values, n);
      check_other_types<i64>(dev, A > 0.0f, values, n);
    }
}

// SPDX-License-Identifier: MIT
#include <teff/algo/fill.hpp>
#include <teff/expr/fd2.hpp>

#include "../layout.hpp"
#include "../message.hpp"

using namespace teff;
using namespace teff::test;
using namespace teff::fd2;

TEST_CASE("racy statements are refused, and the message names the arrays") {
  for (const device dev : test_devices()) {
    array<f64, 2> T(dev, {8, 8}, "T"), other(dev, {6, 6}, "other");
    const std::string text = message_of([&] { inn(T) = inn(T) + 0.1 * (d2_xi(T) + d2_yi(T)); });
    CHECK(
        text ==
        "racy statement: it writes array 'T' of 6x6 f64 and reads the same memory at other cells "
        "through array 'T' of 8x8 f64, so the result would depend on the order; write to a second "
        "array, or use iterate() for time steps");
    const auto racy = [&](const auto& act) { return contains(message_of(act), "racy statement"); };
    CHECK(racy([&] { T = flip(T, 0); }));
    CHECK(racy([&] { T = transposed(T); }));
    CHECK(racy([&] { T(range(1, 8), whole) = T(range(0, 7), whole); }));
    CHECK(racy([&] { T = T + along<0>(T(whole, 3)); }));
    CHECK(racy([&] { T = T + along<1>(T(2, whole)); }));
    CHECK(racy([&] { T(range(0, 4), whole) = T(range(0, 8, 2), whole); }));
    CHECK(racy([&] { T = at<0, 0>(around<1>(wrap(dev, T.data(), {10, 10}, {1, 8}))); }));
    CHECK(racy([&] { T(whole, range(0, 7)) += T(whole, range(1, 8)); }));
  }
}

TEST_CASE("a target some of whose cells share memory is refused; to read it is legal") {
  const device dev = device::cpu();
  std::vector<f64> cells(100, 1.0);
  array<f64, 2> B = zeros<f64>(dev, {10, 10}, "B");
  for (const auto& strides : {std::pair<index_t, index_t>{1, 3}, {1, 0}}) {
    const auto A = wrap(dev, cells.data(), {10, 10}, {strides.first, strides.second});
    CHECK(contains(message_of([&] { A = 2.0 * B; }),
                   "some of its cells share memory: each stride must be wider than all that the "
                   "narrower ones span"));
    B = A + 1.0;
    CHECK(to_host(B) == std::vector<f64>(100, 2.0));
  }
}

TEST_CASE("legal statements on shared memory: in place, disjoint parts, red and black") {
  for (const device dev : test_devices()) {
    array<f64, 2> T = zeros<f64>(dev, {8, 4}, "T");
    T = T + 1;
    inn(T) = 2 * inn(T);
    T(range(0, 4), whole) = T(range(4, 8), whole) + 1;
    T(range(0, 8, 2), whole) = T(range(1, 8, 2), whole);
    T(whole, 0) = along<0>(T(whole, 1));
    flip(T, 0) = flip(T, 0) + 1;
    transposed(T) = transposed(T) + 1;
    T = T * T;
    const auto h = to_host(T);
    CHECK(h[0] > 0);

    // One colour of a red-black step reads only the other, along x and along y.
    array<f64, 1> u = full(dev, {9}, 1.0, "u");
    u(range(1, 8, 2)) = 0.5 * (u(range(0, 7, 2)) + u(range(2, 9, 2)));
    u(range(2, 7, 2)) = 0.5 * (u(range(1, 6, 2)) + u(range(3, 8, 2)));
    CHECK(to_host(u) == std::vector<f64>(9, 1.0));
  }
}

namespace {

/// True if some cell is written while another cell's evaluation reads it.
bool depends_on_order(const lattice& written, const lattice& read, index_t x = 0, index_t y = 0) {
  bool racy = false;
  written.each([&](index_t i, index_t j, index_t) {
    written.each([&](index_t p, index_t q, index_t) {
      if ((i != p || j != q) && written.at(i, j, 0) == read.at(p + x, q + y, 0)) racy = true;
    });
  });
  return racy;
}
/// True if a cell of the one is a cell of the other.
bool share_cells(const lattice& written, const lattice& read, index_t x = 0, index_t y = 0) {
  bool shared = false;
  written.each([&](index_t i, index_t j, index_t) {
    written.each([&](index_t p, index_t q, index_t) {
      if (written.at(i, j, 0) == read.at(p + x, q + y, 0)) shared = true;
    });
  });
  return shared;
}

/// A part of an nx x ny array, by Teff and as the oracle's lattice.
struct part {
  array_ref<f64, 2> cells;
  lattice where;
};
part random_part_of(generator& g, const array<f64, 2>& A, index_t columns, index_t rows,
                    index_t step_x, index_t step_y) {
  const index_t nx = A.extent(0), ny = A.extent(1);
  const index_t x0 = g.between(0, nx - 1 - (columns - 1) * step_x);
  const index_t y0 = g.between(0, ny - 1 - (rows - 1) * step_y);
  lattice l;
  l.first = x0 + nx * y0;
  l.n[0] = columns, l.n[1] = rows;
  l.stride[0] = step_x, l.stride[1] = step_y * nx;
  return {A(range(x0, x0 + (columns - 1) * step_x + 1, step_x),
            range(y0, y0 + (rows - 1) * step_y + 1, step_y)),
          l};
}

}  // namespace

TEST_CASE("every racy statement is refused, every other with equal strides accepted (generated)") {
  generator g("racy statements");
  int refused = 0, accepted = 0;
  for (const device dev : test_devices()) {
    for (int round = 0; round < generator::rounds(dev.is_cpu() ? 4000 : 300); ++round) {
      const index_t nx = g.between(1, 9), ny = g.between(1, 6);
      array<f64, 2> A(dev, {nx, ny}, "A");
      std::vector<f64> values(static_cast<std::size_t>(nx * ny));
      for (f64& v : values) v = g.value<f64>();
      A = from_host(values);
      const index_t step_x = g.between(1, 2), step_y = g.between(1, 2);
      const index_t columns = g.between(1, (nx - 1) / step_x + 1),
                    rows = g.between(1, (ny - 1) / step_y + 1);
      const bool same_strides = g.chance(80);
      const part to = random_part_of(g, A, columns, rows, step_x, step_y);
      const part from =
          random_part_of(g, A, columns, rows, same_strides ? step_x : 1, same_strides ? step_y : 1);
      const bool must_refuse = depends_on_order(to.where, from.where);
      const bool must_accept = same_strides && !must_refuse;
      const bool was_refused = !message_of([&] { to.cells = from.cells + 1; }).empty();
      if (must_refuse && !was_refused) FAIL_CHECK("round " << round << ": a racy statement ran");
      if (must_accept && was_refused)
        FAIL_CHECK("round " << round << ": a legal statement was refused");
      std::vector<f64> expected = values;
      if (!was_refused)
        to.where.each([&](index_t i, index_t j, index_t) {
          expected[to.where.at(i, j, 0)] = values[from.where.at(i, j, 0)] + 1;
        });
      if (!difference(to_host(A), expected).empty())
        FAIL_CHECK("round " << round << ": wrong cells");
      ++(was_refused ? refused : accepted);
      g.count();
    }
  }
  CHECK(refused > 10);
  CHECK(accepted > 10);
}

TEST_CASE("neighbours of what is written are refused wherever the parts share a cell (generated)") {
  generator g("racy neighbours");
  int refused = 0, accepted = 0;
  const device dev = device::cpu();
  for (int round = 0; round < generator::rounds(3000); ++round) {
    const index_t nx = g.between(2, 9), ny = g.between(1, 6);
    array<f64, 2> A = zeros<f64>(dev, {nx, ny}, "A");
    const index_t columns = g.between(1, nx - 1), rows = g.between(1, ny);
    const part to = random_part_of(g, A, columns, rows, 1, 1);
    const part from = random_part_of(g, A, columns + 1, rows, 1, 1);
    const bool racy =
        depends_on_order(to.where, from.where) || depends_on_order(to.where, from.where, 1);
    const bool apart = !share_cells(to.where, from.where) && !share_cells(to.where, from.where, 1);
    const bool was_refused = !message_of([&] { to.cells = d_xa(from.cells); }).empty();
    if (racy && !was_refused) FAIL_CHECK("round " << round << ": a racy statement ran");
    if (apart && was_refused) FAIL_CHECK("round " << round << ": a legal statement was refused");
    ++(was_refused ? refused : accepted);
    g.count();
  }
  CHECK(refused > 10);
  CHECK(accepted > 10);
}

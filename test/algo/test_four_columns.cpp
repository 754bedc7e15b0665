// SPDX-License-Identifier: MIT
#include <cstring>
#include <doctest/doctest.h>
#include <vector>

#include <teff/algo/scan/four_columns.hpp>

#include "../generator.hpp"

using namespace teff;
using namespace teff::test;

namespace {

/// Rows somewhere in a vector, the last one first where steps are negative.
struct place {
  index_t begin, step;

  place(generator& g, index_t rows, index_t count, index_t steps_at_most)
      : begin(g.between(0, 40)),
        step(g.chance(50) ? count + g.between(0, 9) : g.between(1024, steps_at_most)) {
    if (g.chance(80)) return;
    begin += rows * step;
    step = -step;
  }
  std::size_t at(index_t row, index_t v) const {
    return static_cast<std::size_t>(begin + row * step + v);
  }
};

}  // namespace

TEST_CASE_TEMPLATE("scan of columns by lanes: rows anywhere, past the caches, in place", T, f64,
                   f32) {
  constexpr index_t most_rows = 11, most_step = 1200;
  constexpr std::size_t most = (most_rows + 2) * most_step;
  generator g("columns by lanes");
  for (int round = 0; round < 400; ++round) {
    const bool is_exclusive = g.chance(50), streams = g.chance(50), is_in_place = g.chance(25);
    const index_t rows = g.between(0, most_rows), count = g.between(0, 130);
    const place to(g, rows, count, most_step),
        from = is_in_place ? to : place(g, rows, count, most_step);
    CAPTURE(rows);
    CAPTURE(count);
    CAPTURE(to.step);
    CAPTURE(from.step);
    CAPTURE(is_exclusive);
    CAPTURE(streams);
    CAPTURE(is_in_place);
    std::vector<T> source(most), target(most, T(-7));
    for (T& cell : source) cell = g.chance(5) ? T(-0.0) : T(g.uniform() - 0.5);
    if (is_in_place) target = source;
    std::vector<double> sums(static_cast<std::size_t>(count)), sums_now;
    for (double& sum : sums) sum = g.chance(50) ? -0.0 : g.uniform();
    sums_now = sums;
    std::vector<T> expected = target;
    for (index_t l = 0; l < rows; ++l)
      for (index_t v = 0; v < count; ++v) {
        double& sum = sums[static_cast<std::size_t>(v)];
        const double before = sum;
        sum += static_cast<double>(source[from.at(l, v)]);
        expected[to.at(l, v)] = static_cast<T>(is_exclusive ? before : sum);
      }
    const T* const first = (is_in_place ? target : source).data() + from.begin;
    runtime::scan_columns<T>(sums_now.data(), {first, from.step},
                             {target.data() + to.begin, to.step}, rows, count, is_exclusive,
                             streams);
    CHECK(std::memcmp(target.data(), expected.data(), most * sizeof(T)) == 0);
    CHECK((count == 0 || std::memcmp(sums_now.data(), sums.data(), sums.size() * 8) == 0));
  }
}

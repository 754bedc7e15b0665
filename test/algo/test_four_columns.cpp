// SPDX-License-Identifier: MIT
#include <cstring>
#include <doctest/doctest.h>
#include <vector>

#include <teff/algo/scan/four_columns.hpp>

#include "../generator.hpp"

using namespace teff;
using namespace teff::test;

TEST_CASE_TEMPLATE("scan of columns by lanes: rows anywhere, past the caches, in place", T, f64,
                   f32) {
  constexpr index_t most = 12 * 1200 + 300;
  generator g("columns by lanes");
  for (int round = 0; round < 400; ++round) {
    const bool is_exclusive = g.chance(50), streams = g.chance(50), is_in_place = g.chance(25);
    const index_t rows = g.between(0, 11), count = g.between(0, 130);
    const index_t step = g.chance(50) ? count + g.between(0, 9) : g.between(1024, 1200),
                  begin = g.between(0, 40);
    CAPTURE(rows);
    CAPTURE(count);
    CAPTURE(step);
    CAPTURE(begin);
    CAPTURE(is_exclusive);
    CAPTURE(streams);
    CAPTURE(is_in_place);
    std::vector<T> from(most), to(most, T(-7));
    for (T& cell : from) cell = g.chance(5) ? T(-0.0) : T(g.uniform() - 0.5);
    if (is_in_place) to = from;
    std::vector<double> sums(static_cast<std::size_t>(count)), sums_now;
    for (double& sum : sums) sum = g.chance(50) ? -0.0 : g.uniform();
    sums_now = sums;
    std::vector<T> expected = to;
    for (index_t v = 0; v < count; ++v)
      for (index_t l = 0; l < rows; ++l) {
        const auto at = static_cast<std::size_t>(begin + v + l * step);
        double& sum = sums[static_cast<std::size_t>(v)];
        const double before = sum;
        sum += static_cast<double>(from[at]);
        expected[at] = static_cast<T>(is_exclusive ? before : sum);
      }
    T* const target = to.data() + begin;
    const T* const source = is_in_place ? target : from.data() + begin;
    runtime::scan_columns<T>(sums_now.data(), {source, step}, {target, step}, rows, count,
                             is_exclusive, streams);
    CHECK(std::memcmp(to.data(), expected.data(), to.size() * sizeof(T)) == 0);
    CHECK((count == 0 || std::memcmp(sums_now.data(), sums.data(), sums.size() * 8) == 0));
  }
}

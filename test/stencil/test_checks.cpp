// SPDX-License-Identifier: MIT
#include <teff/algo/fill.hpp>

#include "formula_check.hpp"
#include "generated/formulas_1.hpp"

using namespace teff;
using namespace teff::test;

// The comparisons that the other tests of this room rest on must be able to fail.

TEST_CASE("a wrong bit, a wrong step, a wrong neighbour, a wrong rounding: each is seen") {
  generator g("planted faults in time steps");
  const formula_fields<f64> f(g, 9, 7, 2);
  for (const device dev : test_devices()) {
    const iterate_options five{.steps = 5, .schedule = schedule::temporal, .depth = 3};
    const iterate_options four{.steps = 4, .schedule = schedule::temporal, .depth = 3};
    const std::vector<f64> right = naive_steps<formula_08>(f, 5);
    CHECK(difference(run_steps<formula_08>(dev, f, five, "formula 8"), right) == "");
    CHECK(difference(run_steps<formula_08>(dev, f, four, "formula 8"), right) != "");
    CHECK(difference(run_steps<formula_10>(dev, f, five, "formula 10"), right) != "");

    std::vector<f64> wrong = right;
    reinterpret_cast<unsigned char*>(&wrong[f.at(8, 6)])[0] ^= 1;  // the last bit of the last cell
    CHECK(difference(run_steps<formula_08>(dev, f, five, "formula 8"), wrong) != "");
    wrong = right;
    wrong[f.at(9, 3)] = 0;  // a cell between two rows, outside the field
    CHECK(difference(run_steps<formula_08>(dev, f, five, "formula 8"), wrong) != "");

    formula_fields<f64> other = f;
    other.whole[0][f.at(4, 3)] = std::nextafter(other.whole[0][f.at(4, 3)], 2.0);
    CHECK(difference(naive_steps<formula_08>(other, 1), naive_steps<formula_08>(f, 1)) != "");
    g.count();
  }
}

TEST_CASE("a value that is not finite is found wherever it is, and nothing else is") {
  for (const device dev : test_devices())
    for (const index_t n : {1, 2, 7, 8, 9, 17, 70}) {
      array<f64, 2> A = full(dev, {2 * n, 3}, 1e300);
      const auto part = A(range(0, 2 * n, 2), whole);
      CHECK(detail::all_finite(part));
      CHECK(detail::all_finite(A));
      for (index_t i = 0; i < n; ++i) {
        A(2 * i, 1) = i % 2 == 0 ? HUGE_VAL : std::nan("");
        CHECK(!detail::all_finite(part));
        CHECK(!detail::all_finite(A));
        A(2 * i, 1) = -1e300;
        A(2 * i + 1, 1) = HUGE_VAL;
        CHECK(detail::all_finite(part));
        A(2 * i + 1, 1) = -1e300;
      }
    }
}

TEST_CASE("the oracle's own rules of rounding") {
  const f64 a = 1 + 0x1p-27, b = 1 - 0x1p-27;
  CHECK(value(times(a, b)) == 1);
  CHECK(plus(times(a, b), -1.0) == -0x1p-54);
  CHECK(plus(-1.0, times(a, b)) == -0x1p-54);
  CHECK(minus(times(a, b), 1.0) == -0x1p-54);
  CHECK(minus(1.0, times(a, b)) == 0x1p-54);
  CHECK(plus(times(a, b), times(-1.0, 1.0)) == -0x1p-54);
  CHECK(times_value(a, b) == 1);
  CHECK(scaled_sum(0.25, 1.0, 2.0, 3.0, 6.0) == 3);
  CHECK(inverse_sum(2.0, 1.0, 4.0) == 1.6);
  CHECK(largest(1.0, 3.0, 2.0) == 3);
  CHECK(smallest(1.0, 3.0, 0.5) == 0.5);
}

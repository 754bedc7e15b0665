// SPDX-License-Identifier: MIT
#include <cmath>
#include <doctest/doctest.h>
#include <vector>

#include <teff/base/error.hpp>
#include <teff/lab/statistics.hpp>

using namespace teff::lab;

TEST_CASE("summary: exact values") {
  const summary five = summarize(std::vector<double>{5, 1, 4, 2, 3});
  CHECK(five.min == 1);
  CHECK(five.lower_quartile == 2);
  CHECK(five.median == 3);
  CHECK(five.upper_quartile == 4);
  CHECK(five.max == 5);
  CHECK(five.iqr() == 2);
  CHECK(five.spread() == doctest::Approx(2.0 / 3));

  const summary four = summarize(std::vector<double>{4, 1, 3, 2});
  CHECK(four.lower_quartile == 1.75);
  CHECK(four.median == 2.5);
  CHECK(four.upper_quartile == 3.25);
}

TEST_CASE("summary: edge cases") {
  const summary one = summarize(std::vector<double>{7});
  CHECK(one.min == 7);
  CHECK(one.median == 7);
  CHECK(one.max == 7);
  CHECK(one.iqr() == 0);
  CHECK(summarize(std::vector<double>{2, 2, 2, 2}).iqr() == 0);
  CHECK(summarize(std::vector<double>{0, 0}).spread() == 0);
  CHECK_THROWS_AS((void)summarize(std::vector<double>{}), teff::error);
  CHECK_THROWS_AS((void)summarize(std::vector<double>{1, NAN}), teff::error);
}

TEST_CASE("median does not depend on the order and leaves the samples alone") {
  const std::vector<double> samples{9, 1, 8, 2};
  CHECK(median(samples) == 5);
  CHECK(samples == std::vector<double>{9, 1, 8, 2});
  CHECK(median(std::vector<double>{3}) == 3);
  CHECK(median(std::vector<double>{3, 1, 2}) == 2);
  CHECK_THROWS_AS((void)median(std::vector<double>{}), teff::error);
}

TEST_CASE("interval of the ratio of medians") {
  SUBCASE("samples that do not scatter give a point") {
    const std::vector<double> a(10, 2.0), b(10, 3.0);
    const interval range = median_ratio_interval(a, b);
    CHECK(range.lower == 1.5);
    CHECK(range.upper == 1.5);
  }
  SUBCASE("it encloses the ratio, and is the same each time") {
    const std::vector<double> a{1.00, 1.01, 1.02, 1.03, 1.04, 1.05, 1.06};
    const std::vector<double> b{1.10, 1.11, 1.12, 1.13, 1.14, 1.15, 1.16};
    const interval range = median_ratio_interval(a, b);
    CHECK(range.contains(1.13 / 1.03));
    CHECK(range.lower > 1);
    const interval again = median_ratio_interval(a, b);
    CHECK(again.lower == range.lower);
    CHECK(again.upper == range.upper);
  }
  SUBCASE("a higher level is wider") {
    const std::vector<double> a{1, 2, 3, 4, 5, 6, 7}, b{2, 3, 4, 5, 6, 7, 8};
    const interval narrow = median_ratio_interval(a, b, {.level = 0.5});
    const interval wide = median_ratio_interval(a, b, {.level = 0.99});
    CHECK(wide.lower < narrow.lower);
    CHECK(wide.upper > narrow.upper);
  }
  SUBCASE("times must be positive and finite") {
    const std::vector<double> good{1}, none, zero{0}, infinite{INFINITY};
    CHECK_THROWS_AS((void)median_ratio_interval(none, good), teff::error);
    CHECK_THROWS_AS((void)median_ratio_interval(good, zero), teff::error);
    CHECK_THROWS_AS((void)median_ratio_interval(infinite, good), teff::error);
  }
}

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

TEST_CASE("ratio of medians: samples that do not scatter give a point") {
  const std::vector<double> a(10, 2.0), b(10, 3.0);
  const ratio_estimate found = ratio_of_medians(a, b);
  CHECK(found.ratio == 1.5);
  CHECK(found.range.lower == 1.5);
  CHECK(found.range.upper == 1.5);
}

TEST_CASE("ratio of medians: Student's interval of the four parts' medians") {
  // Parts of two samples, whose medians are e^0, e^0.1, e^0.2, e^0.3.
  std::vector<double> a;
  for (const double x : {0.0, 0.1, 0.2, 0.3}) a.insert(a.end(), 2, std::exp(x));
  const std::vector<double> b(8, median(a));
  const double deviation = std::sqrt(0.05 / 3 / 4);  // of the mean of the logarithms
  const ratio_estimate found = ratio_of_medians(a, b);
  CHECK(found.ratio == doctest::Approx(1));
  // Three degrees of freedom.
  CHECK(std::log(found.range.upper) == doctest::Approx(5.841 * deviation));
  CHECK(std::log(found.range.lower) == doctest::Approx(-5.841 * deviation));
  // With the same scatter in both, six.
  CHECK(std::log(ratio_of_medians(a, a).range.upper) ==
        doctest::Approx(3.707 * std::sqrt(2.0) * deviation));
}

TEST_CASE("ratio of medians: a drift widens the interval, the same times in another order do not") {
  std::vector<double> drifting, mixed;
  for (int i = 0; i < 50; ++i) drifting.push_back(1 + 0.002 * i);
  for (int i = 0; i < 50; ++i) mixed.push_back(drifting[static_cast<std::size_t>(i * 7 % 50)]);
  const std::vector<double> steady(50, 1.0);
  const auto width = [&](const std::vector<double>& b) {
    const interval range = ratio_of_medians(steady, b).range;
    return range.upper - range.lower;
  };
  CHECK(width(drifting) > 2 * width(mixed));
}

TEST_CASE("ratio of medians: times must be positive, finite, and two") {
  const std::vector<double> good{1, 1}, one{1}, none, zero{0, 1}, infinite{INFINITY, 1};
  for (const auto& bad : {one, none, zero, infinite}) {
    CHECK_THROWS_AS((void)ratio_of_medians(bad, good), teff::error);
    CHECK_THROWS_AS((void)ratio_of_medians(good, bad), teff::error);
  }
}

TEST_CASE("ratio of pairs: the median of ratios, with the sign test's interval") {
  std::vector<double> a, b;
  for (int i = 0; i < 8; ++i) {
    a.push_back(1 << i);  // a machine that slows down, for both
    b.push_back(a.back() * (1 + 0.01 * i));
  }
  const ratio_estimate eight = ratio_of_pairs(a, b);
  CHECK(eight.ratio == doctest::Approx(1.035));
  // With 8 pairs the chance that all lie on one side is 2/256 = 0.8 %: all of them are needed.
  CHECK(eight.range.lower == doctest::Approx(1.0));
  CHECK(eight.range.upper == doctest::Approx(1.07));
  a.pop_back();
  b.pop_back();
  CHECK(std::isinf(ratio_of_pairs(a, b).range.upper));
  CHECK(ratio_of_pairs(a, b).range.lower == 0);
}

TEST_CASE("ratio of pairs: how many pairs the interval leaves out on either side") {
  // Of n tosses fewer than k are heads with at most 0.5 %: from the binomial distribution.
  struct row {
    int pairs, left_out;
  };
  for (const row r : {row{8, 0}, row{11, 0}, row{12, 1}, row{20, 3}, row{100, 36}, row{1000, 458},
                      row{1001, 458}, row{2000, 941}}) {
    std::vector<double> a(static_cast<std::size_t>(r.pairs), 1.0), b;
    for (int i = 1; i <= r.pairs; ++i) b.push_back(i);
    CAPTURE(r.pairs);
    const ratio_estimate found = ratio_of_pairs(a, b);
    CHECK(found.range.lower == r.left_out + 1);
    CHECK(found.range.upper == r.pairs - r.left_out);
  }
}

TEST_CASE("ratio of pairs: refuses what are no pairs") {
  const std::vector<double> two{1, 1}, one{1}, none, zero{0, 1};
  CHECK_THROWS_AS((void)ratio_of_pairs(two, one), teff::error);
  CHECK_THROWS_AS((void)ratio_of_pairs(none, none), teff::error);
  CHECK_THROWS_AS((void)ratio_of_pairs(two, zero), teff::error);
}

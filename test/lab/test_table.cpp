// SPDX-License-Identifier: MIT
#include <algorithm>
#include <doctest/doctest.h>
#include <sstream>

#include <teff/base/error.hpp>
#include <teff/lab/report_table.hpp>
#include <teff/lab/table.hpp>

using namespace teff::lab;

namespace {
table example() {
  table t({{"case", align::left}, {"GB/s"}, {"notes", align::left}});
  t.add_row({"copy", "4283", "best"});
  t.add_row({"a longer name", "7", ""});
  return t;
}
}  // namespace

TEST_CASE("table: aligned text, numbers to the right, no blanks at line ends") {
  CHECK(example().text() ==
        "case           GB/s  notes\n"
        "copy           4283  best\n"
        "a longer name     7  -\n");
}

TEST_CASE(
    "table: where it is too wide columns go by rank, what they say is kept, rows stay whole") {
  table t({{"case", align::left},
           {"empty", align::left, narrow::drop, 1},
           {"type", align::left, narrow::drop, 3},
           {"shape", align::left, narrow::drop, 2},
           {"GB/s"},
           {"notes", align::left, narrow::cut},
           {"why", align::left, narrow::below, 4}});
  t.add_row({"copy", "", "f64", "8x8", "42", "best, noisy", "for a reason"});
  t.add_row({"add", "", "f64", "9x9", "7", "", "for a reason"});
  CHECK(t.fitted(0).text == t.text());
  CHECK(t.fitted(0).about.empty());
  CHECK(t.fitted(200).text == t.text());
  CHECK(t.fitted(200).about.empty());
  const fitted_table wide = t.fitted(40);
  CHECK(wide.text ==
        "case  type  shape  GB/s  notes\n"
        "copy  f64   8x8      42  best, noisy\n"
        "add   f64   9x9       7  -\n"
        "\nwhy\n"
        "  copy, add: for a reason\n");
  CHECK(wide.about == "to fit 40 columns: left out empty");
  const fitted_table narrow_one = t.fitted(24);
  CHECK(narrow_one.text ==
        "case  GB/s  notes\n"
        "copy    42  best, noisy\n"
        "add      7  -\n"
        "\nwhy\n"
        "  copy, add: for a\n"
        "  reason\n");
  CHECK(narrow_one.about == "to fit 24 columns: left out empty, type (f64), shape");
  const fitted_table cut = t.fitted(21);
  CHECK(cut.text.starts_with("case  GB/s  notes\ncopy    42  best, ...\n"));
  CHECK(cut.about.ends_with("shape, cut notes"));
  table without({{"case", align::left}, {"GB/s"}, {"why", align::left, narrow::below}});
  without.add_row({"copy", "42", ""});
  const fitted_table nothing_below = without.fitted(12);
  CHECK(nothing_below.text == "case  GB/s\ncopy    42\n");
  CHECK(nothing_below.about.empty());
}

TEST_CASE("table: every table of results fits 80 columns") {
  result r;
  r.case_name = "reduce_expression";
  r.variant = "best-row-major";
  r.device = "cuda:0";
  r.type = "f64";
  r.shape = {16384, 16384};
  r.a_eff_bytes = 1'000'000'000;
  r.time = timing_of({0.123});
  r.fraction_of_ceiling = 0.0123;
  r.check.ok = true;
  r.flags = {flag::noisy, flag::fits_in_cache, flag::shared_device};
  const std::string text = table_of(std::vector{r, r}).fitted(80).text;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) CHECK(line.size() <= 80);
  CHECK(std::ranges::count(text, '\n') == 3);
  CHECK(text.find("16384x16384") != std::string::npos);
}

TEST_CASE("table: headers may be brief where it is too wide") {
  table t({{"case", align::left}, {"T_eff GB/s", align::right, narrow::drop, 1, "GB/s"}});
  t.add_row({"copy", "42"});
  CHECK(t.fitted(16).text == "case  T_eff GB/s\ncopy          42\n");
  CHECK(t.fitted(15).text == "case  GB/s\ncopy    42\n");
  CHECK(t.fitted(15).about.empty());
  CHECK(t.fitted(9).about == "to fit 9 columns: left out GB/s (42)");
}

TEST_CASE("table: words in lines") {
  CHECK(wrapped("a few words more", 0) == "a few words more");
  CHECK(wrapped("a few words more", 9, 2) == "  a few\n  words\n  more");
  CHECK(wrapped("a-very-long-word x", 4) == "a-very-long-word\nx");
  CHECK(wrapped("", 4).empty());
}

TEST_CASE("table: csv quotes what needs it, empty stays empty") {
  table t({{"a"}, {"b"}});
  t.add_row({"1,5", "say \"so\""});
  t.add_row({"two\nlines", ""});
  CHECK(t.csv() == "a,b\n\"1,5\",\"say \"\"so\"\"\"\n\"two\nlines\",\n");
}

TEST_CASE("table: markdown") {
  table t({{"case", align::left}, {"GB/s"}});
  t.add_row({"a|b", "42"});
  CHECK(t.markdown() ==
        "| case | GB/s |\n"
        "| ---- | ---: |\n"
        "| a\\|b |   42 |\n");
}

TEST_CASE("table: characters count, not bytes") {
  table t({{"x", align::left}, {"y", align::left}});
  t.add_row({"\xC2\xB5s", "1"});
  t.add_row({"abc", "2"});
  CHECK(t.text() == "x    y\n\xC2\xB5s   1\nabc  2\n");
}

TEST_CASE("table: a row of another length is an error") {
  table t({{"a"}, {"b"}});
  CHECK_THROWS_AS(t.add_row({"1"}), teff::error);
  CHECK(t.text() == "a  b\n");
}

TEST_CASE("significant digits") {
  CHECK(significant(4283.4, 4) == "4283");
  CHECK(significant(42834, 4) == "42834");
  CHECK(significant(0.97412, 3) == "0.974");
  CHECK(significant(2.4712, 3) == "2.47");
  CHECK(significant(9.996, 3) == "10.0");
  CHECK(significant(99.96, 3) == "100");
  CHECK(significant(0, 3) == "0.00");
  CHECK(significant(-1.234, 2) == "-1.2");
  CHECK(significant(0.00012345, 3) == "1.23e-04");
  CHECK(significant(1.0 / 0.0, 3) == "-");
  CHECK(significant(1.234e15, 3) == "1234000000000000");
  CHECK(significant(9.999e15, 3) == "1.00e+16");
  CHECK(significant(-1.234e64, 3) == "-1.23e+64");
  CHECK(significant(1.7e308, 3) == "1.70e+308");
}

TEST_CASE("times with units") {
  CHECK(time_text(1.5) == "1.50 s");
  CHECK(time_text(0.99996) == "1.00 s");
  CHECK(time_text(12.34e-3) == "12.3 ms");
  CHECK(time_text(3.33e-6) == "3.33 us");
  CHECK(time_text(5e-9) == "5.00 ns");
}

TEST_CASE("results as a table: the best is marked, the unverified can not be") {
  result fast, slow, wrong;
  fast.case_name = slow.case_name = wrong.case_name = "copy";
  fast.variant = "array";
  slow.variant = "kernel";
  wrong.variant = "broken";
  fast.type = slow.type = wrong.type = "f64";
  fast.time = timing_of({1e-3});
  slow.time = timing_of({2e-3});
  wrong.time = timing_of({1e-6});
  fast.check.ok = slow.check.ok = true;
  fast.a_eff_bytes = slow.a_eff_bytes = wrong.a_eff_bytes = 1'000'000;
  fast.fraction_of_ceiling = 0.97;
  const std::string text = table_of({slow, wrong, fast}).text();
  CHECK(text.find("array") < text.find("best"));
  CHECK(text.rfind("best") == text.find("best"));
  CHECK(text.find("FAILED") != std::string::npos);
  CHECK(text.find("0.970 copy") != std::string::npos);
  CHECK(text.find("1.000  ") != std::string::npos);  // 1 MB in 1 ms
}

TEST_CASE("results that move no bytes show operations per second") {
  result r;
  r.case_name = "peak-flop";
  r.check.ok = true;
  r.time = timing_of({0.5});
  r.flop = 3'000'000'000;
  const std::string text = table_of({r}).text();
  CHECK(text.find("best, 6.000 GFLOP/s") != std::string::npos);
  CHECK(text.find("0.000") == std::string::npos);
}

TEST_CASE("results as csv keep every digit") {
  result r;
  r.case_name = "copy";
  r.time = timing_of({1.0 / 3});
  r.a_eff_bytes = 1;
  CHECK(full_table_of({r}).csv().find("0.3333333333333333") != std::string::npos);
}

// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <string>

#include <teff/base/visible.hpp>
#include <teff/lab/table.hpp>

using namespace teff::lab;
using teff::runtime::visible;

TEST_CASE("visible: what steers a terminal is shown, all else stays") {
  CHECK(visible("copy f64 4096x4096") == "copy f64 4096x4096");
  CHECK(visible("\xC2\xB5s \xE2\x82\xAC \xF0\x9F\x98\x80") ==
        "\xC2\xB5s \xE2\x82\xAC \xF0\x9F\x98\x80");
  CHECK(visible("\x1b[2J\a\r\n\t\x7f") == "\\x1b[2J\\x07\\x0d\\x0a\\x09\\x7f");
  CHECK(visible(std::string("a\0b", 3)) == "a\\x00b");
  CHECK(visible("\xC2\x9B"
                "31m") == "\\xc2\\x9b31m");             // a control of one character
  CHECK(visible("\xE2\x80\xAE") == "\\xe2\\x80\\xae");  // from here on right to left
  CHECK(visible("\x9b \xff") == "\\x9b \\xff");         // no UTF-8
  CHECK(visible("\xC0\x9B \xE0\x80\x9B") == "\\xc0\\x9b \\xe0\\x80\\x9b");  // longer than needed
  CHECK(visible("\xED\xA0\x80") == "\\xed\\xa0\\x80");                      // half of a pair
  CHECK(visible("\xE2\x82") == "\\xe2\\x82");                               // cut
  CHECK(visible("\xF4\x90\x80\x80 \xF8") == "\\xf4\\x90\\x80\\x80 \\xf8");
  CHECK(visible("a\nb\r", "\n") == "a\nb\\x0d");
}

TEST_CASE("visible: what has no width of its own is shown") {
  for (const char* unseen :
       {"\xCD\x8F", "\xE1\xA0\x8E", "\xE3\x85\xA4", "\xEF\xB8\x80", "\xEF\xB8\x8F",
        "\xF3\xA0\x84\x80", "\xF3\xA0\x87\xAF", "\xE2\x80\xAA", "\xE2\x80\xAE", "\xE2\x81\xA6",
        "\xE2\x81\xA9", "\xE2\x80\x8B", "\xEF\xBB\xBF", "\xC2\xAD", "\xE1\x85\x9F", "\xEF\xBE\xA0",
        "\xF3\xA0\x80\xA0", "\xE2\x81\xA0"}) {
    const std::string shown = visible(unseen);
    CAPTURE(shown);
    CHECK(shown.size() == 4 * std::string(unseen).size());
    CHECK(shown.starts_with("\\x"));
  }
  // Their neighbours are seen.
  CHECK(visible("\xCD\x8E \xE3\x85\xA3 \xEF\xB8\x90") == "\xCD\x8E \xE3\x85\xA3 \xEF\xB8\x90");
}

TEST_CASE("visible: no byte alone, and no two, get through as controls") {
  for (int first = 0; first < 256; ++first)
    for (int second = 0; second < 256; ++second)
      for (const char c :
           visible(std::string{static_cast<char>(first), static_cast<char>(second)})) {
        const bool is_control = static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
        REQUIRE(!is_control);
      }
}

TEST_CASE("table: names of others can not steer a terminal, in any form") {
  table t({{"case", align::left}, {"GB/s"}});
  t.add_row({"\x1b]0;title\a", "1"});
  CHECK(t.text() == "case              GB/s\n\\x1b]0;title\\x07     1\n");
  CHECK(t.csv() == "case,GB/s\n\\x1b]0;title\\x07,1\n");
  CHECK(t.markdown().find("| \\x1b]0;title\\x07 |") != std::string::npos);
}

TEST_CASE("table: no CSV cell is a formula, and numbers stay numbers") {
  table t({{"a"}, {"b"}});
  t.add_row({"=1+1", "-1.5e-3"});
  t.add_row({"@SUM(A1)", "-"});
  t.add_row({"+1", "-1+cmd|' /C calc'!A0"});
  t.add_row({"-inf", "a=1"});
  CHECK(t.csv() ==
        "a,b\n\"'=1+1\",-1.5e-3\n\"'@SUM(A1)\",\"'-\"\n\"'+1\",\"'-1+cmd|' /C calc'!A0\"\n"
        "\"'-inf\",a=1\n");
}

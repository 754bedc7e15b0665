// SPDX-License-Identifier: MIT
#include <cstdlib>
#include <doctest/doctest.h>
#include <filesystem>
#include <limits>
#include <string>

#include <teff/base/error.hpp>
#include <teff/io/atomic_file.hpp>
#include <teff/io/chart.hpp>

#include "../message.hpp"

using namespace teff::io;
using teff::test::contains;
using teff::test::message_of;

namespace {

const chart sweep{.title = "it's `pwd` & <b>",
                  .x_label = "nx",
                  .y_label = "T_eff [GB/s]",
                  .has_log_x = true,
                  .x_ticks = {31, 63, 127},
                  .lines = {{"one_step", {{31, 2}, {63, 5}, {127, 9}}},
                            {"many_steps", {{31, 3}, {63, 8}, {127, 16}}}},
                  .levels = {{"T_peak 12 GB/s", 12}}};

std::string file_of(const char* name) {
  return (std::filesystem::temp_directory_path() / name).string();
}

std::string drawn(const chart& what, const char* name) {
  const std::string path = file_of(name);
  write_chart(path, what);
  const std::string content = read_file(path, 10'000'000);
  std::filesystem::remove(path);
  return content;
}

}  // namespace

TEST_CASE("chart: names, ticks and lines are in the picture, and texts stay texts") {
  const std::string svg = drawn(sweep, "teff_chart.svg");
  for (const char* part : {"one_step", "many_steps", "T_peak 12 GB/s", "T_eff [GB/s]", ">31<",
                           ">127<", "it's `pwd` &amp; &lt;b>"}) {
    CAPTURE(part);
    CHECK(svg.find(part) != std::string::npos);
  }
  CHECK(svg.find("</svg>") != std::string::npos);
  CHECK(svg.find(">64<") == std::string::npos);
  chart fewer = sweep;
  fewer.lines.pop_back();
  CHECK(drawn(fewer, "teff_chart.svg").find("many_steps") == std::string::npos);
  CHECK(drawn(sweep, "teff_chart.png").starts_with("\x89PNG"));
}

TEST_CASE("chart: no text is a command, whatever it begins or ends with") {
  for (const char* text : {"'", "''", "a'", "\"; print 1", "`echo ran`", "\\", "@x", "$y",
                           "a\nplot 2", "%g", "#", "\x1b[31m", "\\140echo ran\\140"}) {
    CAPTURE(std::string(text));
    chart renamed = sweep;
    renamed.title = renamed.x_label = renamed.lines[0].name = renamed.levels[0].name = text;
    renamed.x_ticks.clear();
    renamed.x_names = {text, "b"};
    const std::string svg = chart_bytes("a.svg", renamed);
    CHECK(svg.find("many_steps") != std::string::npos);
    CHECK(svg.find(">b<") != std::string::npos);
    CHECK(svg.find(">ran") == std::string::npos);
    CHECK(svg.find('\x1b') == std::string::npos);
  }
}

TEST_CASE("chart: bars with names, marks alone, and a logarithmic y axis") {
  chart bars{.lines = {{"b", {{0, 3}, {1, 5}}, drawn_as::bars}}};
  bars.x_names = {"first", "second"};
  const std::string svg = chart_bytes("a.svg", bars);
  CHECK(svg.find(">first<") != std::string::npos);
  CHECK(svg.find(">second<") != std::string::npos);
  chart decades{.has_log_y = true,
                .lines = {{"m", {{1, 1}, {2, 1000}}, drawn_as::marks},
                          {"l", {{1, 1}, {2, 9}}, drawn_as::line}}};
  const std::string logarithmic = chart_bytes("a.svg", decades);
  CHECK(logarithmic.find(">100<") != std::string::npos);
  CHECK(logarithmic.find(">200<") == std::string::npos);
  decades.has_log_y = false;
  CHECK(chart_bytes("a.svg", decades).find(">200<") != std::string::npos);
}

TEST_CASE("chart: what a logarithmic axis can not show is left out") {
  const double infinity = std::numeric_limits<double>::infinity();
  const chart odd{.has_log_x = true,
                  .x_ticks = {0, 32},
                  .x_names = {},
                  .lines = {{"some", {{0, 1}, {32, 2}, {64, infinity}}}},
                  .levels = {{"no level", infinity}}};
  const std::string svg = chart_bytes("a.svg", odd);
  CHECK(svg.find(">some<") != std::string::npos);
  CHECK(svg.find("no level") == std::string::npos);
  const chart names{.x_names = {"%z", "100%"},
                    .lines = {{"some", {{0, 1}, {1, 2}}, drawn_as::bars}}};
  CHECK(chart_bytes("a.svg", names).find(">%z<") != std::string::npos);
  CHECK(chart_bytes("a.svg", names).find(">100%<") != std::string::npos);
}

TEST_CASE("chart: what can not be drawn is said, and the old file stays") {
  CHECK(message_of([] { write_chart("a.gif", sweep); }) ==
        "a chart's file must end in .svg or .png, got 'a.gif'");
  const std::string path = file_of("teff_chart_old.svg");
  chart nothing = sweep;
  nothing.lines.clear();
  nothing.levels.clear();
  write_file(path, "old");
  CHECK(contains(message_of([&] { write_chart(path, nothing); }),
                 "gnuplot could not draw the chart: "));
  CHECK(contains(message_of([] { require_chart("/nowhere/a.svg"); }), "/nowhere/a.svg"));
  require_chart(path);
  const std::string way = std::getenv("PATH");
  setenv("PATH", "/nowhere", 1);
  CHECK(contains(message_of([&] { write_chart(path, sweep); }), "Debian: gnuplot-nox"));
  CHECK(contains(message_of([&] { require_chart(path); }), "Debian: gnuplot-nox"));
  setenv("PATH", way.c_str(), 1);
  CHECK(read_file(path, 10) == "old");
  std::filesystem::remove(path);
}

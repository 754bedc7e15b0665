// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <limits>
#include <string>
#include <vector>

#include <teff/lab/bar_rows.hpp>
#include <teff/lab/page_axis.hpp>
#include <teff/lab/page_chart.hpp>
#include <teff/lab/report_charts.hpp>

#include "../message.hpp"

using namespace teff::lab;
using teff::test::contains;

namespace {

std::vector<std::string> markup_of(const page_axis& axis) {
  std::vector<std::string> all;
  for (const axis_tick& t : axis.ticks()) all.push_back(t.markup);
  return all;
}

result on_ranks(const char* type, std::vector<teff::index_t> shape, int ranks, double time_s) {
  result r;
  r.case_name = "grid2d";
  r.variant = "deep";
  r.type = type;
  r.shape = std::move(shape);
  r.ranks = rank_use{.count = ranks};
  r.cells = static_cast<std::uint64_t>(cells_of(r.shape));
  r.check.ok = true;
  r.time = timing_of({time_s});
  return r;
}

result with_samples(std::size_t count) {
  result r;
  r.variant = "array";
  r.type = "f64";
  std::vector<double> samples;
  for (std::size_t i = 0; i < count; ++i) samples.push_back(1e-3 + 1e-6 * static_cast<double>(i));
  r.time = timing_of(samples);
  return r;
}

/// The number after the last `name` that is before `end`.
double number_before(const std::string& text, const std::string& name, const std::string& end) {
  const std::size_t at = text.rfind(name, text.find(end));
  REQUIRE(at != std::string::npos);
  return std::stod(text.substr(at + name.size()));
}

}  // namespace

TEST_CASE("page axis: round numbers from 0, at places between 0 and 1") {
  const page_axis axis = page_axis::linear(12, 43, false);
  CHECK(markup_of(axis) == std::vector<std::string>{"0", "10", "20", "30", "40", "50"});
  CHECK(axis.place_of(0) == 0);
  CHECK(axis.place_of(25) == 0.5);
  CHECK(axis.place_of(60) == 1);  // what is beyond ends at the end
  const page_axis times = page_axis::linear(507, 511, true);
  CHECK(times.place_of(507) == 0);
  CHECK(markup_of(times) == std::vector<std::string>{"507", "508", "509", "510", "511"});
  CHECK(markup_of(page_axis::linear(3, 3, true)).size() >= 1);
}

TEST_CASE("page axis: powers of two are written as such, and few enough to stand apart") {
  CHECK(markup_of(page_axis::logarithmic(1, 8, true)) ==
        std::vector<std::string>{"1", "2", "4", "8"});
  const auto power = [](int k) {
    return "2<tspan class=\"power\" dy=\"-4\">" + std::to_string(k) + "</tspan>";
  };
  CHECK(markup_of(page_axis::logarithmic(512, 2048, true)) ==
        std::vector<std::string>{power(9), power(10), power(11)});
  CHECK(page_axis::logarithmic(1, 1e300, true).ticks().size() <= 11);
  CHECK(markup_of(page_axis::logarithmic(1, 1000, false)) ==
        std::vector<std::string>{"1", "10", "100", "1000"});
  std::vector<std::string> two_decades = markup_of(page_axis::logarithmic(10, 100, false));
  CHECK(std::ranges::find(two_decades, "50") != two_decades.end());
}

TEST_CASE("page chart: lines, marks, tool tips and legend; no attribute of style") {
  const page_chart drawn{
      .x_label = "nx",
      .y_label = "T_eff [GB/s]",
      .series = {{.name = "a <b>", .points = {{0, 1, "first & tip"}, {1, 2}}, .colour = 3},
                 {.name = "f32", .points = {{0, 2}, {1, 1}}, .is_dashed = true}},
      .levels = {{"T_peak", 3}}};
  const std::string figure = figure_of(drawn, "caption");
  for (const char* part :
       {"viewBox=\"0 0 360 250\" width=\"360\" height=\"250\"", "<title>first &amp; tip</title>",
        "class=\"curve c3\"", "class=\"curve c0 second\"", "class=\"mark c0 second\"",
        "a &lt;b&gt;", "class=\"level\"", "<figcaption>caption</figcaption>", ">T_eff [GB/s]<"}) {
    CAPTURE(std::string(part));
    CHECK(contains(figure, part));
  }
  CHECK(figure.find("style=") == std::string::npos);
  CHECK(figure_of({}, "nothing").empty());
}

TEST_CASE("page chart: what can not be shown is left out") {
  const double infinity = std::numeric_limits<double>::infinity();
  const page_chart odd{.has_log_x = true,
                       .has_log_y = true,
                       .series = {{.name = "a", .points = {{0, 1, "zero"}, {2, infinity, "far"}}}},
                       .levels = {{"none", -1}}};
  CHECK(svg_of(odd).empty());
  page_chart some = odd;
  some.series[0].points.push_back({1e300, 1e-300, "seen"});
  const std::string svg = svg_of(some);
  CHECK(contains(svg, "seen"));
  for (const char* unseen : {"zero", "far", "nan", "inf"})
    CHECK(svg.find(unseen) == std::string::npos);
}

TEST_CASE("page chart: labels at points do not overlap, and one without room is left out") {
  page_chart drawn{.series = {{.name = "", .points = {}, .look = series_look::marks}}};
  for (int i = 0; i < 3; ++i)
    drawn.series[0].points.push_back({1, 1, "", "label" + std::to_string(i)});
  drawn.series[0].points.push_back({2, 2, "", std::string(200, 'x')});
  const std::string svg = svg_of(drawn);
  std::vector<std::string> places;
  for (const char* label : {">label0<", ">label1<", ">label2<"}) {
    const std::size_t end = svg.find(label);
    REQUIRE(end != std::string::npos);
    places.push_back(svg.substr(svg.rfind("<text", end), end - svg.rfind("<text", end)));
  }
  CHECK(places[0] != places[1]);
  CHECK(places[1] != places[2]);
  CHECK(places[0] != places[2]);
  CHECK(svg.find("xxx") == std::string::npos);
}

TEST_CASE("page chart: labels stay off the lines while there is room") {
  const page_chart drawn{
      .series = {{.name = "", .points = {{0, 1}, {2, 1}}, .look = series_look::line},
                 {.name = "", .points = {{1, 1, "", "here"}}, .look = series_look::marks}}};
  const std::string svg = svg_of(drawn);
  constexpr double half_a_line = 6.5, foot = 4;  // of a text's middle its foot is so much below
  const double off =
      number_before(svg, " y=\"", ">here<") - foot - number_before(svg, " cy=\"", " r=\"3.5\"");
  CHECK(std::abs(off) > half_a_line);
}

TEST_CASE("page chart: labels at the ends of lines have room beside them") {
  page_chart drawn{.series = {{.name = "f64", .points = {{1, 1}, {2, 2, "", "64x64"}}},
                              {.name = "f64", .points = {{1, 1}, {2, 1.9, "", "96x96"}}}}};
  drawn.has_room_for_ends = true;
  const std::string svg = svg_of(drawn);
  for (const char* label : {">64x64<", ">96x96<"})
    CHECK(number_before(svg, " x=\"", label) > number_before(svg, " cx=\"", "<g class"));
  // What looks alike is one entry.
  const std::string figure = figure_of(drawn, "caption");
  CHECK(figure.find("f64</li>") != std::string::npos);
  CHECK(figure.find("f64</li>") == figure.rfind("f64</li>"));
}

TEST_CASE("page chart: of thousands of points not all are labelled") {
  page_chart drawn{.series = {{.name = "", .points = {}, .look = series_look::marks}}};
  for (int i = 0; i < 2000; ++i)
    drawn.series[0].points.push_back({static_cast<double>(i % 50), i / 50.0, "", "l"});
  const std::string svg = svg_of(drawn);
  std::size_t labels = 0;
  for (std::size_t at = svg.find(">l<"); at != std::string::npos; at = svg.find(">l<", at + 1))
    ++labels;
  CHECK(labels > 0);
  CHECK(labels <= 100);
}

TEST_CASE("page bars: places are percents that stay within the row") {
  CHECK(
      svg_of({{.lane = 1, .from = 0.25, .to = 0.5, .look = "left-0", .tip = "<tip>"}}, {0.5}, 2) ==
      "<svg class=\"bars\" width=\"100%\" height=\"26\"><rect class=\"bar left-0\" x=\"25.00%\" "
      "y=\"13\" width=\"25.00%\" height=\"7\"><title>&lt;tip&gt;</title></rect><line "
      "class=\"level\" x1=\"50.00%\" x2=\"50.00%\" y1=\"0\" y2=\"100%\"/></svg>");
  const std::string beyond = svg_of({{.from = -1, .to = 7, .look = "a"}}, {}, 1);
  CHECK(contains(beyond, "x=\"0.00%\""));
  CHECK(contains(beyond, "width=\"100.00%\" height=\"7\""));
  CHECK(bar_rows({}, {}, {}, {}, 1).empty());
  CHECK(contains(bar_rows({{.name = "a", .anchor = "case-1", .bars = {}, .values = {"1"}}}, {}, {},
                          {"f64"}, 1),
                 "<a class=\"row\" href=\"#case-1\"><span>a</span>"));
}

TEST_CASE("page charts: fewer than 20 samples are points, more a histogram") {
  const variant_colours colours{report{}};
  const page_chart strip = samples_chart(with_samples(19), colours);
  REQUIRE(strip.series.size() == 1);
  CHECK(strip.series[0].look == series_look::marks);
  CHECK(strip.series[0].points.size() == 19);
  const page_chart bars = samples_chart(with_samples(20), colours);
  REQUIRE(bars.series.size() == 1);
  CHECK(bars.series[0].look == series_look::bars);
  double samples = 0;
  for (const page_point& p : bars.series[0].points) samples += p.y;
  CHECK(samples == 20);
  CHECK(samples_chart(with_samples(1), colours).is_empty());
}

TEST_CASE("page charts: one colour a variant in all cases, others beside it have another") {
  report r;
  for (const auto& [name, variant] :
       {std::pair("copy", "kernel-32x8"), std::pair("copy", "array"), std::pair("add", "kernel"),
        std::pair("add", "vectorised"), std::pair("grid2d", "deep-16")}) {
    result one;
    one.case_name = name;
    one.variant = variant;
    r.results.push_back(one);
  }
  const variant_colours colours(r);
  CHECK(colours.of("kernel") == colours.of("kernel-1024x1"));
  CHECK(colours.of("deep") == colours.of("deep-4"));
  CHECK(colours.of("kernel") != colours.of("array"));
  CHECK(colours.of("kernel") != colours.of("vectorised"));
}

TEST_CASE("page charts: launch shapes have the colour of the kernel, and a label for their rows") {
  report r;
  for (const auto& [variant, threads] :
       {std::pair("kernel-32x1", std::vector{32, 1}), std::pair("kernel-64x1", std::vector{64, 1}),
        std::pair("kernel-32x2", std::vector{32, 2}),
        std::pair("kernel-32x4", std::vector{32, 4})}) {
    result one = on_ranks("f32", {64, 64}, 1, 1e-3);
    one.ranks.reset();
    one.case_name = "copy";
    one.variant = variant;
    one.threads = threads;
    one.a_eff_bytes = 1'000'000;
    r.results.push_back(one);
  }
  result other = r.results.front();
  other.variant = "array";
  other.threads.clear();
  r.results.insert(r.results.begin(), other);
  const variant_colours colours(r);
  const page_chart drawn = launch_chart(r, r.results[1], colours);
  REQUIRE(drawn.series.size() == 3);
  for (const page_series& s : drawn.series) {
    CHECK(s.colour == colours.of("kernel"));
    CHECK(s.name == "kernel f32");
    CHECK(s.is_dashed);
  }
  CHECK(colours.of("kernel") != colours.of("array"));
  CHECK(drawn.series[0].points.back().label == "1 row");
  CHECK(drawn.series[1].points.back().label == "2 rows");
}

TEST_CASE("page charts: the roofs are of one device") {
  report r;
  r.ceilings.copy_gb_per_s = 4000;
  for (const int ranks : {1, 2}) {
    r.results.push_back(on_ranks("f64", {64, 64}, ranks, 1e-3));
    r.results.back().ranks->devices = ranks;
    r.results.back().a_eff_bytes = 1'000'000;
    r.results.back().flop = 1'000'000;
  }
  r.results.back().case_name = "grid3d";
  const page_chart drawn = roofline_chart(r, "f64", 500);
  REQUIRE(drawn.series.size() == 2);
  REQUIRE(drawn.series[1].points.size() == 1);
  CHECK(drawn.series[1].points[0].label == "grid2d");
}

TEST_CASE("page charts: speed-up and efficiency of weak and strong scaling in one report") {
  const variant_colours colours{report{}};
  const std::vector<result> all{on_ranks("f64", {64, 64}, 1, 8e-3),
                                on_ranks("f64", {64, 64}, 2, 5e-3),
                                on_ranks("f64", {64, 128}, 2, 10e-3)};
  const page_chart strong = speed_up_chart(all, scaling::strong, colours);
  REQUIRE(strong.series.size() == 2);
  CHECK(strong.series[0].name == "deep f64");
  CHECK(strong.series[0].points[1].y == doctest::Approx(1.6));
  CHECK(strong.series[0].points[1].tip ==
        "deep f64 64x64 on 2 ranks: speed-up 1.60, efficiency 0.800");
  CHECK(strong.series[0].points[1].label == "64x64");
  CHECK(strong.series[1].name == "ideal");
  CHECK(strong.series[1].points[1].y == 2);
  const page_chart weak = efficiency_chart(all, scaling::weak, colours);
  REQUIRE(weak.series.size() == 2);
  CHECK(weak.series[0].name == "deep f64");
  CHECK(weak.series[0].points[1].label == "64x64");
  CHECK(weak.series[0].points[1].y == doctest::Approx(0.8));
  CHECK(weak.series[1].points[1].y == 1);
  CHECK(efficiency_chart({all[0]}, scaling::strong, colours).is_empty());
}

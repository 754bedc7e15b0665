// SPDX-License-Identifier: MIT
#include <cstdio>
#include <doctest/doctest.h>
#include <sstream>
#include <string>
#include <vector>

#include <teff/base/bytes.hpp>
#include <teff/base/decimal.hpp>
#include <teff/io/chart.hpp>
#include <teff/io/figure.hpp>
#include <teff/io/png.hpp>
#include <teff/io/vti.hpp>
#include <teff/lab/disturbance.hpp>
#include <teff/lab/report_html.hpp>
#include <teff/lab/report_json.hpp>
#include <teff/lab/report_table.hpp>
#include <teff/solver/poisson.hpp>
#include <teff/solver/stable_dt.hpp>

#include "../comma_locale.hpp"
#include "../io/cell_bytes.hpp"
#include "../message.hpp"

using namespace teff;
using teff::test::comma_locale;
using teff::test::message_of;

namespace {

lab::report measured() {
  lab::report r;
  r.where.device = "cpu";
  r.where.nominal_gb_per_s = 4814.5;
  r.ceilings.copy_gb_per_s = 4283.25;
  lab::result one;
  one.case_name = "diffusion2d";
  one.variant = "temporal";
  one.device = "cpu";
  one.type = "f64";
  one.shape = {16384, 16383};
  one.steps_per_pass = 4;
  one.cells = 12345;
  one.a_eff_bytes = 6'442'450'944;
  one.time = lab::timing_of({0.125, 0.5, 0.25});
  one.check = {true, "serial loops", 1.5e-16, 2e-15, "", ""};
  r.results = {one};
  return r;
}

/// All kinds of texts and files with numbers.
std::vector<std::string> everything_written() {
  const lab::report r = measured();
  const std::string json = lab::to_json(r);
  const io::chart lines{.title = "t",
                        .x_label = "x",
                        .y_label = "y",
                        .has_log_x = true,
                        .x_ticks = {1023.5, 2047.5},
                        .lines = {{"a", {{1000.5, 1.25}, {2047.5, 4.75}}}},
                        .levels = {{"level", 1234.5}},
                        .y_range = io::chart_range{0.5, 2000.5}};
  const std::vector<double> field{0, 0.25, 0.5, 0.75, 1, 0.5};
  const io::heat_map_options map{.limits = {0, 1.5}, .min_pixels = 1200};
  const double limit = 0.125;
  std::ostringstream said;
  said << poisson_report{.iterations = 12345, .residual = 0.125, .tolerance = 1.5e-7};
  return {json,
          lab::to_json(lab::from_json(json)),
          lab::to_html(r, {}),
          lab::text_of(r.ceilings),
          lab::full_table_of(r.results).csv(),
          lab::table_of(r.results).text(),
          lab::significant(1234.5678, 6),
          lab::significant(1.5e-7, 3),
          lab::time_text(1.25e-3),
          io::chart_bytes("a.svg", lines),
          io::figure_png(field, 3, 2, {.map = map, .x = {"x", 0.5, 1.75}}),
          io::heat_map_png(field, 3, 2, map),
          io::vti_bytes({{0.25}, {1234.5}, {{"T", "f64", {2000}, std::string(16000, '\0')}}}),
          message_of([&] { check_stable("dt", 0.25, limit, "= 1", ""); }),
          message_of([&] {
            (void)io::draw_heat_map(field, 3, 2, {.limits = {1.5, 0.25}});
          }),
          said.str(),
          bytes_text(1'250'000),
          decimal(1234.5, 3, decimal_form::fixed)};
}

}  // namespace

TEST_CASE("locale: what is written has points, whatever locale the program has set") {
  const std::vector<std::string> plain = everything_written();
  const comma_locale set;
  std::ostringstream stream;
  stream << 1234.5;
  REQUIRE(stream.str() == "1.234,5");
  if (set.is_set_in_c()) REQUIRE(std::to_string(0.5).find(',') != std::string::npos);
  const std::vector<std::string> now = everything_written();
  REQUIRE(now.size() == plain.size());
  for (std::size_t i = 0; i < now.size(); ++i) {
    CAPTURE(i);
    CHECK(now[i] == plain[i]);
  }
  const lab::cpu_seconds read = lab::parse_cpu_line("cpu 1234 1 1 2000 0 0 0 0", 100);
  CHECK(read.busy == 12.36);
}

TEST_CASE("locale: numbers are as printf writes them in the C locale") {
  for (const double value : {0.0, -0.0, 1.0, 9.9995, 1234.5678, -1e-5, 1e300, 5e-324, 1e16}) {
    CAPTURE(value);
    char text[400];
    std::snprintf(text, sizeof text, "%.4g", value);
    CHECK(decimal(value, 4) == text);
    std::snprintf(text, sizeof text, "%.2f", value);
    CHECK(decimal(value, 2, decimal_form::fixed) == text);
    std::snprintf(text, sizeof text, "%.3e", value);
    CHECK(decimal(value, 3, decimal_form::scientific) == text);
  }
}

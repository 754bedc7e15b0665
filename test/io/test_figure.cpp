// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstdlib>
#include <doctest/doctest.h>
#include <set>
#include <vector>

#include <teff/io/figure.hpp>

#include "../message.hpp"
#include "decoded_png.hpp"

using namespace teff::io;
using teff::test::contains;
using teff::test::decode;
using teff::test::decoded;
using teff::test::message_of;

namespace {

constexpr int nx = 9, ny = 5;

std::vector<double> waves() {
  std::vector<double> field;
  for (int j = 0; j < ny; ++j)
    for (int i = 0; i < nx; ++i) field.push_back(5 + 5 * std::sin(0.7 * i + 0.3 * j));
  field[12] = NAN;
  return field;
}

const figure_options labelled{.map = {.limits = {0, 10}, .min_pixels = 90},
                              .title = "title",
                              .value = "T [K]",
                              .x = {"x [m]", 0, 1.8},
                              .y = {"y [m]", 0, 1}};

int count_differences(const decoded& figure, const decoded& map, int left, int top) {
  int different = 0;
  for (int row = 0; row < map.height; ++row)
    for (int column = 0; column < map.width; ++column)
      different += figure.at(left + column, top + row) != map.at(column, row) ? 1 : 0;
  return different;
}

}  // namespace

TEST_CASE("figure: the map's pixels are those of the plain picture") {
  const decoded map = decode(heat_map_png(waves(), nx, ny, labelled.map));
  REQUIRE(map.width == 90);
  for (const bool counts_cells : {false, true}) {
    figure_options options = labelled;
    if (counts_cells) options.x = options.y = {"cell"};
    const decoded figure = decode(figure_png(waves(), nx, ny, options));
    CHECK(figure.width > map.width);
    CHECK(count_differences(figure, map, 80, 45) == 0);
    CHECK(count_differences(figure, map, 81, 45) > 0);
  }
}

TEST_CASE("figure: there is a bar with the colours, and a frame around the map") {
  const decoded figure = decode(figure_png(waves(), nx, ny, labelled));
  const auto colours_in = [&](int from_column, int to_column) {
    std::set<int> found;
    for (int row = 0; row < figure.height; ++row)
      for (int column = from_column; column < to_column; ++column) {
        const colour c = figure.at(column, row);
        found.insert(c.red << 16 | c.green << 8 | c.blue);
      }
    return found;
  };
  CHECK(colours_in(80 + 90 + 10, figure.width).size() > 40);  // 50 rows of the bar, and texts
  CHECK(figure.at(79, 60) == colour{0, 0, 0});
  CHECK(figure_png(waves(), nx, ny, labelled) !=
        figure_png(waves(), nx, ny, {.map = labelled.map}));
}

TEST_CASE("figure: a clear one has no paper behind its axes, and the same pixels of the map") {
  figure_options clear = labelled;
  clear.is_clear = true;
  const decoded figure = decode(figure_png(waves(), nx, ny, clear));  // onto black
  CHECK(figure.at(1, 1) == colour{0, 0, 0});
  CHECK(decode(figure_png(waves(), nx, ny, labelled)).at(1, 1) == colour{255, 255, 255});
  CHECK(count_differences(figure, decode(heat_map_png(waves(), nx, ny, clear.map)), 80, 45) == 0);
}

TEST_CASE("figure: what can not be drawn is said") {
  const std::vector<double> six(6);
  CHECK(contains(message_of([&] { (void)figure_png(six, 2, 2, labelled); }), "nx*ny values"));
  const std::string way = std::getenv("PATH");
  setenv("PATH", "/nowhere", 1);
  CHECK(contains(message_of([] { (void)figure_png(waves(), nx, ny, labelled); }),
                 "Debian: gnuplot-nox"));
  setenv("PATH", way.c_str(), 1);
}

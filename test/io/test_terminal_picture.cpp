// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <vector>

#include <teff/base/error.hpp>
#include <teff/io/colour_map.hpp>
#include <teff/io/terminal_picture.hpp>

using namespace teff::io;

namespace {

std::string code(const char* layer, colour c) {
  return std::string("\033[") + layer + ";2;" + std::to_string(c.red) + ";" +
         std::to_string(c.green) + ";" + std::to_string(c.blue) + "m";
}

}  // namespace

TEST_CASE("terminal picture: in ASCII, x to the right, y up, two rows of cells a line") {
  const std::vector<double> field{0, 0, 1, 0.5,  // y = 0: the last line
                                  0, 0, 1, 0.5,  //
                                  1, 0, 0, NAN,  //
                                  1, 0, 0, 0};
  const terminal_picture_options plain{.columns = 4, .has_colours = false};
  CHECK(terminal_picture(field, 4, 4, plain) == "@  ?\n  @+\n");
  CHECK(terminal_picture(std::vector<double>{0, 5}, 2, 1, {.columns = 4, .has_colours = false}) ==
        "  @@\n");
}

TEST_CASE("terminal picture: in colours a character is two cells, the upper one its letter") {
  const std::vector<double> field{0, 1};  // 1 x 2: low below, high above
  const colour low = violet_teal_yellow().front(), high = violet_teal_yellow().back();
  CHECK(terminal_picture(field, 1, 2, {.columns = 1}) ==
        code("38", high) + code("48", low) + "\u2580\033[0m\n");
  CHECK(terminal_picture(field, 1, 2, {.lower = -1, .columns = 1}) ==
        code("38", blue_white_orange().back()) + code("48", blue_white_orange()[127]) +
            "\u2580\033[0m\n");
  const std::string nan = terminal_picture(std::vector<double>{NAN}, 1, 1, {.columns = 1});
  CHECK(nan.find(code("38", not_a_number_colour)) != std::string::npos);
}

TEST_CASE("terminal picture: any extents fit, and what makes no sense is refused") {
  for (const auto& [nx, ny] : {std::pair{1, 1000}, {1000, 1}, {511, 511}, {3, 7}}) {
    const std::vector<double> field(static_cast<std::size_t>(nx * ny), 1.0);
    const std::string text = terminal_picture(field, nx, ny, {.columns = 30, .has_colours = false});
    const auto lines = std::ranges::count(text, '\n');
    CHECK(lines >= 1);
    CHECK(lines <= 30);
    CHECK(text.size() == static_cast<std::size_t>(31 * lines));
    CHECK(std::ranges::count(text, '@') == 30 * lines);
  }
  const std::vector<double> six(6, 0.0);
  CHECK_THROWS_AS((void)terminal_picture(six, 4, 2, {}), teff::error);
  CHECK_THROWS_AS((void)terminal_picture(six, 0, 6, {}), teff::error);
  CHECK_THROWS_AS((void)terminal_picture(six, 3, 2, {.lower = 1, .upper = 1}), teff::error);
  CHECK_THROWS_AS((void)terminal_picture(six, 3, 2, {.lower = -INFINITY, .upper = INFINITY}),
                  teff::error);
}

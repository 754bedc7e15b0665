// SPDX-License-Identifier: MIT
#include <cmath>
#include <doctest/doctest.h>
#include <set>
#include <vector>

#include <teff/algo/fill.hpp>
#include <teff/base/error.hpp>
#include <teff/expr/statement.hpp>
#include <teff/io/atomic_file.hpp>
#include <teff/io/png.hpp>

#include "../message.hpp"
#include "../temp_folder.hpp"
#include "decoded_png.hpp"

using namespace teff::io;
using teff::test::decode;
using teff::test::decoded;
using teff::test::message_of;

namespace {

const colour lowest = violet_teal_yellow().front(), highest = violet_teal_yellow().back();
const heat_map_options one_to_one{.limits = {0, 1}, .min_pixels = 1};

}  // namespace

TEST_CASE("heat map: x to the right, y up") {
  //            y = 0        y = 1
  const std::vector<double> field{0, 1, 0, 0, 0, 0};  // 3 x 2, high at (1, 0)
  const decoded image = decode(heat_map_png(field, 3, 2, one_to_one));
  REQUIRE(image.width == 3);
  REQUIRE(image.height == 2);
  CHECK(image.at(1, 1) == highest);
  CHECK(image.at(0, 1) == lowest);
  CHECK(image.at(1, 0) == lowest);
}

TEST_CASE("heat map: limits hold, and what is not a number is magenta") {
  const std::vector<double> field{-5, 0, 1, 7, NAN, INFINITY, -INFINITY};
  const decoded image = decode(heat_map_png(field, 7, 1, one_to_one));
  CHECK(image.at(0, 0) == lowest);
  CHECK(image.at(1, 0) == lowest);
  CHECK(image.at(2, 0) == highest);
  CHECK(image.at(3, 0) == highest);
  CHECK(image.at(4, 0) == not_a_number_colour);
  CHECK(image.at(5, 0) == highest);
  CHECK(image.at(6, 0) == lowest);
}

TEST_CASE("heat map: the same value has the same colour in every picture") {
  const heat_map_options ten{.limits = {0, 10}, .min_pixels = 1};
  const decoded a = decode(heat_map_png(std::vector<double>{5, 0}, 2, 1, ten));
  const decoded b = decode(heat_map_png(std::vector<double>{5, 9}, 2, 1, ten));
  CHECK(a.at(0, 0) == b.at(0, 0));
  CHECK(a.at(0, 0) == violet_teal_yellow()[127]);
}

TEST_CASE("heat map: small fields are magnified by a whole factor, large ones averaged") {
  const std::vector<double> field{0, 1};
  const decoded large = decode(heat_map_png(field, 2, 1, {.limits = {0, 1}, .min_pixels = 9}));
  CHECK(large.width == 8);
  CHECK(large.height == 4);
  CHECK(large.at(3, 3) == lowest);
  CHECK(large.at(4, 0) == highest);

  const std::vector<double> fine{0, 1, 1, 1, 1, 1, 1, 1, 1, 1, NAN};  // 11 cells
  const decoded small =
      decode(heat_map_png(fine, 11, 1, {.limits = {0, 1}, .min_pixels = 1, .max_pixels = 6}));
  CHECK(small.width == 6);
  CHECK(small.at(0, 0) == violet_teal_yellow()[127]);
  CHECK(small.at(1, 0) == highest);
  CHECK(small.at(5, 0) == not_a_number_colour);
}

TEST_CASE("heat map: bad arguments are errors") {
  const std::vector<double> six(6, 0.0);
  CHECK_THROWS_AS((void)heat_map_png(six, 2, 2, {}), teff::error);
  CHECK_THROWS_AS((void)heat_map_png(six, 0, 6, {}), teff::error);
  CHECK_THROWS_AS((void)heat_map_png(six, -2, -3, {}), teff::error);
  CHECK_THROWS_AS((void)heat_map_png(six, 4, 1, {}), teff::error);
  CHECK_THROWS_AS((void)heat_map_png(six, 3, 2, {.limits = {1, 1}}), teff::error);
  CHECK_THROWS_AS((void)heat_map_png(six, 3, 2, {.limits = {0, NAN}}), teff::error);
  CHECK_THROWS_AS((void)heat_map_png(six, 3, 2, {.limits = {0, INFINITY}}), teff::error);
  CHECK_THROWS_AS((void)heat_map_png(six, 3, 2, {.limits = {-1e308, 1e308}}), teff::error);
}

TEST_CASE("heat map: limits on both sides of 0, as far from it, get the colours for a sign") {
  const std::vector<double> field{-2, 0, 2, NAN};
  const decoded image = decode(heat_map_png(field, 4, 1, {.limits = {-2, 2}, .min_pixels = 1}));
  CHECK(image.at(0, 0) == blue_white_orange().front());
  CHECK(image.at(1, 0) == blue_white_orange()[127]);
  CHECK(image.at(2, 0) == blue_white_orange().back());
  CHECK(image.at(3, 0) == not_a_number_colour);
  const decoded uneven = decode(heat_map_png(field, 4, 1, {.limits = {-2, 2.5}, .min_pixels = 1}));
  CHECK(uneven.at(0, 0) == lowest);
}

namespace {

double distance(const oklab& p, const oklab& q) {
  return std::hypot(p.lightness - q.lightness, p.a - q.a, p.b - q.b);
}

/// Over 15 steps the rounding to bytes no longer matters.
constexpr std::size_t stride = 15;

/// Lightness rises from one colour to the other, by equal steps for the eye.
void check_rise(const colour_map& map, std::size_t from, std::size_t to) {
  double shortest = 1, longest = 0;
  const int step = from < to ? 1 : -1;
  for (std::size_t i = from; i != to - step * stride; i += step) {
    const oklab here = to_oklab(map[i]), there = to_oklab(map[i + step * stride]);
    CHECK(there.lightness > here.lightness);
    shortest = std::min(shortest, distance(here, there));
    longest = std::max(longest, distance(here, there));
  }
  CHECK(longest < 1.25 * shortest);
}

}  // namespace

TEST_CASE("colour maps: equal steps look equally far apart, magenta is apart") {
  for (const colour_map* map : {&violet_teal_yellow(), &blue_white_orange()}) {
    double nearest_to_magenta = 1;
    for (const colour c : *map)
      nearest_to_magenta =
          std::min(nearest_to_magenta, distance(to_oklab(c), to_oklab(not_a_number_colour)));
    CHECK(nearest_to_magenta > 0.2);
  }
  check_rise(violet_teal_yellow(), 0, 254);
  check_rise(blue_white_orange(), 0, 127);
  check_rise(blue_white_orange(), 254, 127);
}

TEST_CASE("colour maps: for a sign the middle is neutral and both sides are alike but for hue") {
  const colour_map& map = blue_white_orange();
  const auto chroma = [](const oklab& c) { return std::hypot(c.a, c.b); };
  CHECK(chroma(to_oklab(map[127])) < 0.005);
  for (std::size_t k = 0; k < 127; ++k) {
    const oklab low = to_oklab(map[k]), high = to_oklab(map[254 - k]);
    CHECK(std::abs(low.lightness - high.lightness) < 0.01);
    CHECK(std::abs(chroma(low) - chroma(high)) < 0.01);
  }
  CHECK(distance(to_oklab(map.front()), to_oklab(map.back())) > 0.15);
  CHECK(distance(to_oklab(map[64]), to_oklab(map[190])) > 0.2);
}

TEST_CASE("heat map: of an array and its parts, of any type") {
  const teff::test::temp_folder folder;
  teff::array<teff::i32, 2> A(teff::device::cpu(), {4, 3}, "A");
  A = teff::ix + 4 * teff::iy;
  const std::string path = folder / "A.png";
  write_heat_map(path, A, {.limits = {0, 11}, .min_pixels = 1});
  const decoded whole = decode(read_file(path, 10000));
  REQUIRE(whole.width == 4);
  CHECK(whole.at(0, 2) == lowest);  // y up
  CHECK(whole.at(3, 0) == highest);
  const decoded turned =
      decode(heat_map_png(transposed(flip(A, 0)), {.limits = {0, 11}, .min_pixels = 1}));
  REQUIRE(turned.width == 3);
  CHECK(turned.at(0, 0) == lowest);
  CHECK(turned.at(2, 3) == highest);
  const auto yes = teff::full(teff::device::cpu(), {2, 1}, true);
  CHECK(decode(heat_map_png(yes, {.limits = {0, 1}})).at(0, 0) == highest);
}

TEST_CASE("heat map: without limits they are those of the finite values") {
  const std::vector<double> field{NAN, 3, 5, INFINITY};
  CHECK(with_limits(field, {}).limits.lower == 3);
  CHECK(with_limits(field, {}).limits.upper == 5);
  CHECK(with_limits(field, {.limits = {0, 7}}).limits.upper == 7);
  for (const double value : {0.0, -1e300, 1e-300, std::nan("")}) {
    const value_limits same = with_limits(std::vector<double>{value}, {}).limits;
    CHECK(same.lower < same.upper);
    CHECK(!heat_map_png(std::vector<double>{value}, 1, 1, {}).empty());
  }
}

TEST_CASE("heat map: colours by name; of other names those that there are") {
  const std::vector<double> two{0, 1};
  const decoded image =
      decode(heat_map_png(two, 2, 1, {.map = "davos", .limits = {0, 1}, .min_pixels = 1}));
  CHECK(image.at(0, 0) == colour{0x00, 0x05, 0x4a});
  CHECK(image.at(1, 0) == colour{0xfe, 0xfe, 0xfe});
  CHECK(colours_named("blue_white_orange") == blue_white_orange());
  CHECK(message_of([&] { (void)heat_map_png(two, 2, 1, {.map = "viridis"}); }) ==
        "there is no colour map 'viridis'; there are violet_teal_yellow, blue_white_orange and "
        "davos");
}

TEST_CASE("heat map: arrays of other ranks are refused") {
  const auto box = teff::full(teff::device::cpu(), {2, 3, 4}, 1.0);
  CHECK(message_of([&] { (void)heat_map_png(box); }) ==
        "heat map: expected two dims, got an array of 2x3x4 f64; A(whole, whole, 0) is a plane of "
        "it");
  const teff::array<float, 1> line(teff::device::cpu(), {5}, "q");
  CHECK(message_of([&] { (void)heat_map_png(line); }) ==
        "heat map: expected two dims, got array 'q' of 5 f32");
  const teff::array<float, 2> none(teff::device::cpu(), {0, 5}, "none");
  CHECK(message_of([&] { (void)heat_map_png(none); }).find("nx, ny >= 1") != std::string::npos);
}

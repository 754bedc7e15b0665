// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <string>
#include <vector>

#include <teff/base/bytes.hpp>
#include <teff/base/error.hpp>
#include <teff/base/index.hpp>

using namespace teff;

TEST_CASE("error: kinds are exit statuses") {
  CHECK(error("x").exit_status() == 1);
  CHECK(error(failure::usage, "x").exit_status() == 2);
  CHECK(error(failure::verification, "x").exit_status() == 3);
  CHECK(error(failure::regression, "x").exit_status() == 4);
  CHECK(error(failure::out_of_memory, "x").exit_status() == 5);
  CHECK(error(failure::non_finite, "x").exit_status() == 6);
  CHECK(error(failure::no_device, "x").exit_status() == 7);
  CHECK(std::string(error("what and where").what()) == "what and where");
  CHECK(error(failure::usage, "x").kind() == failure::usage);
}

TEST_CASE("error: the nearest name") {
  const std::vector<std::string> known{"copy", "triad", "diffusion2d", "add", "f64", "cumsum"};
  CHECK(nearest_name("cpoy", known) == "copy");
  CHECK(nearest_name("traid", known) == "triad");
  CHECK(nearest_name("diff", known) == "diffusion2d");
  CHECK(nearest_name("diffusion3d", known) == "diffusion2d");
  CHECK(nearest_name("difusion", known) == "diffusion2d");
  CHECK(nearest_name("sum", known) == "cumsum");
  CHECK(nearest_name("f46", known) == "f64");
  for (const char* far : {"zzzzzzzz", "heat", "f16", "x", ""}) {
    CAPTURE(far);
    CHECK(nearest_name(far, known) == "");
  }
  CHECK(edit_distance("", "abc") == 3);
  CHECK(edit_distance("kitten", "sitting") == 3);
  CHECK(edit_distance("same", "same") == 0);
  CHECK(edit_distance("cpoy", "copy") == 1);
  CHECK(edit_distance("ca", "abc") == 3);  // swapped letters are not edited again
}

TEST_CASE("error: the caller's place") {
  const site here = site::here();
  CHECK(here.line == __LINE__ - 1);
  CHECK(std::string(here.file).find("test_error.cpp") != std::string::npos);
}

TEST_CASE("bytes as text: units of 1000") {
  CHECK(bytes_text(0) == "0 B");
  CHECK(bytes_text(999) == "999 B");
  CHECK(bytes_text(1000) == "1 kB");
  CHECK(bytes_text(2147483648) == "2.15 GB");
  CHECK(bytes_text(999600) == "1 MB");
  CHECK(bytes_text(std::size_t{1} << 62) == "4.61 EB");
}

TEST_CASE("index: piece counts, short names of types") {
  CHECK(ceil_div(0, 8) == 0);
  CHECK(ceil_div(8, 8) == 1);
  CHECK(ceil_div(9, 8) == 2);
  CHECK(std::string(type_name<f64>()) == "f64");
  CHECK(std::string(type_name<f32>()) == "f32");
  CHECK(std::string(type_name<i64>()) == "i64");
  CHECK(std::string(type_name<i32>()) == "i32");
  CHECK(std::string(type_name<u8>()) == "u8");
  CHECK(std::string(type_name<bool>()) == "bool");
  static_assert(element<f64> && element<bool> && !element<short> && !element<long double>);
}

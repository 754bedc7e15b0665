// SPDX-License-Identifier: MIT
#include <cstdlib>
#include <doctest/doctest.h>
#include <fstream>
#include <limits>

#include <teff/array/host_copy.hpp>
#include <teff/io/atomic_file.hpp>
#include <teff/io/reference.hpp>

#include "../message.hpp"
#include "../temp_folder.hpp"

using namespace teff;
using test::contains;
using test::message_of;

namespace {

void record(const std::string& path, const std::vector<io::named_field>& fields,
            const io::reference_options& options = {}) {
  setenv("TEFF_RECORD", "1", 1);
  io::compare_with_reference(path, fields, options);
  unsetenv("TEFF_RECORD");
}

/// x + 10 y + 0.1
template <class T>
array<T, 2> ramp(index_t nx, index_t ny) {
  array<T, 2> a(device::cpu(), {nx, ny});
  for (index_t j = 0; j < ny; ++j)
    for (index_t i = 0; i < nx; ++i) a(i, j) = static_cast<T>(0.1 + i + 10 * j);
  return a;
}

}  // namespace

TEST_CASE("reference: values of a few cells are kept, all of a small field") {
  const test::temp_folder folder;
  const std::string file = folder / "small.ref";
  record(file, {{"T", ramp<f64>(2, 2)}, {"n", ramp<i32>(2, 1)}});
  CHECK(io::read_file(file, 1000) ==
        "teff reference 2\nT f64 2x2\n  0,0 0.10000000000000001\n  1,0 1.1000000000000001\n"
        "  0,1 10.1\n  1,1 11.1\nn i32 2x1\n  0,0 0\n  1,0 1\nend\n");
  io::compare_with_reference(file, {{"n", ramp<i32>(2, 1)}, {"T", ramp<f64>(2, 2)}});

  const array<f64, 2> T = ramp<f64>(300, 200);
  record(file, {{"T", T}}, {.cells = 20});
  const std::string text = io::read_file(file, 10000);
  CHECK(std::count(text.begin(), text.end(), '\n') == 23);
  CHECK(text.find("\n  0,0 0.1") != std::string::npos);
  CHECK(text.find("\n  299,199 2289.0999999999999\n") != std::string::npos);
  io::compare_with_reference(file, {{"T", T}});
}

TEST_CASE("reference: values may differ by the rounding of the steps, and no more") {
  const test::temp_folder folder;
  const std::string file = folder / "heat.ref";
  array<f64, 2> T = ramp<f64>(3, 2);
  record(file, {{"T", T}});
  const double epsilon = std::numeric_limits<double>::epsilon();
  T(1, 0) += 12.1 * 100 * epsilon;
  CHECK(message_of([&] { io::compare_with_reference(file, {{"T", T}}, {.steps = 91}); }) == "");
  CHECK(message_of([&] {
          io::compare_with_reference(file, {{"T", T}}, {.steps = 80});
        }) == "'" + file +
                  "': 'T' of 3x2 f64 differs in 1 of 6 cells, most at (1,0): expected "
                  "1.1000000000000001, got 1.1000000000002688, which may differ by 2.42e-13; if it "
                  "should, TEFF_RECORD=1 in the environment of a run writes the new values");
  CHECK(message_of([&] {
          io::compare_with_reference(file, {{"T", T}}, {.tolerance = 1e-12});
        }) == "");
  T(2, 1) = 7;
  T(0, 1) = std::numeric_limits<double>::quiet_NaN();
  CHECK(message_of([&] {
          io::compare_with_reference(file, {{"T", T}}, {.tolerance = 0.1});
        }).find("differs in 2 of 6 cells, most at (0,1): expected 10.1, got nan,") !=
        std::string::npos);
  record(file, {{"T", T}});
  io::compare_with_reference(file, {{"T", T}});  // nan where nan is kept

  record(file, {{"T", ramp<f64>(30, 20)}});
  io::compare_with_reference(file, {{"T", ramp<f32>(30, 20)}});  // to f32's rounding
  array<i32, 2> n = ramp<i32>(3, 2);
  record(file, {{"n", n}});
  n(0, 0) = 1;
  CHECK(message_of([&] {
          io::compare_with_reference(file, {{"n", n}}, {.steps = 1000});
        }).find("(0,0): expected 0, got 1, which may differ by 0;") != std::string::npos);
}

TEST_CASE("reference: what does not fit is told, with what to do") {
  const test::temp_folder folder;
  const std::string file = folder / "a.ref";
  const array<f64, 2> T = ramp<f64>(3, 2);
  const std::string record_it = "; a run with TEFF_RECORD=1 in its environment writes it";
  const auto said = [&](const std::vector<io::named_field>& fields) {
    std::string text = message_of([&] { io::compare_with_reference(file, fields); });
    if (const auto at = text.find(file); at != std::string::npos)
      text.replace(at, file.size(), "a");
    return text;
  };
  CHECK(said({{"T", T}}) == "'a': there is no such file" + record_it);
  record(file, {{"T", T}, {"q", T}});
  CHECK(said({{"P", T}}) == "'a' holds 'T', 'q', got 'P'" + record_it);
  CHECK(said({{"T", ramp<f64>(2, 3)}}) ==
        "'a' holds 'T' of 3x2 f64, got 'T' of 2x3 f64" + record_it);
  CHECK(said({{"T", ramp<i32>(3, 2)}}) ==
        "'a' holds 'T' of 3x2 f64, got 'T' of 3x2 i32" + record_it);
  CHECK(said({}) == "'a': expected fields, got none");
  CHECK(said({{"T 2", T}}) == "'a': a field's name is one word, got 'T 2'");
  CHECK(message_of([&] {
          io::compare_with_reference(file, {{"T", T}}, {.cells = 0});
        }).ends_with(".cells: expected 1 or more, got 0"));
  const auto reads = [&](const std::string& text) {
    std::ofstream(file) << text;
    return said({{"T", T}});
  };
  const std::string start = "teff reference 2\n";
  CHECK(reads("") == "'a': holds no fields" + record_it);
  CHECK(reads("PNG") == "'a': line 1: expected 'teff reference 2', got 'PNG'");
  const std::string a_field = "a field, its type and extents, as T f64 64x64, got ";
  for (const std::string line : {"T", "T f64", "T f64 3y2", "T f64 -3x2", "T f64 3x2 more"})
    CHECK(reads(start + line) == "'a': line 2: expected " + a_field + "'" + line + "'");
  CHECK(reads(start + "T f16 3x2").find("got 'f16'") != std::string::npos);
  for (const std::string line : {"  0,0", "  0 1", "  3,0 1", "  0,2 1", "  0,0,0 1", "  0,0 x",
                                 "  0,0 1 2", "  -1,0 1", "  99999999999999999999,0 1"})
    CHECK(reads(start + "T f64 3x2\n" + line) ==
          "'a': line 3: expected a cell of the field and its value, as   3,17 0.25, got '" + line +
              "'");
  CHECK(reads(start + "  0,0 1").find("line 2: expected a cell of the field") != std::string::npos);
  const std::string cut = "'a': does not end by 'end': it was cut";
  CHECK(reads(start + "T f64 3x2\n  0,0 0.1\n") == cut);
  CHECK(reads(start + "T f64 3x2\n") == cut);
  CHECK(reads(start + "T f64 3x2\nend\n") ==
        "'a': holds no cell of 'T' of 3x2 f64: it was cut" + record_it);
  CHECK(reads(start + "T f64 3x2\n  0,0 0.1\nend\nT f64 3x2\n") ==
        "'a': line 4: expected it to be the last line, got 'end'");
  CHECK(reads(start + "T f64 3x2\n  0,0 0.1\nend\n").empty());
  CHECK(reads("teff reference 1\nT f64 3x2\n  0,0 0.1\n").empty());  // of before
  using limits = std::numeric_limits<double>;
  for (const io::reference_options& options :
       {io::reference_options{.tolerance = limits::quiet_NaN()},
        io::reference_options{.tolerance = limits::infinity()}, io::reference_options{.steps = -1}})
    CHECK(contains(message_of([&] {
                     io::compare_with_reference(file, {{"T", T}}, options);
                   }),
                   ".tolerance: expected a finite number"));
}

// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <limits>

#include <teff/io/npy.hpp>

#include "../message.hpp"
#include "../temp_folder.hpp"
#include "cell_bytes.hpp"
#include "said_by_python.hpp"

using namespace teff::io;
using teff::test::cells_of;
using teff::test::message_of;
using teff::test::said_by_python;

namespace {

/// 3 x 2, the value at (ix, iy) being ix + 10 iy.
const field_bytes small{"T", "f64", {3, 2}, cells_of<double>({0, 1, 2, 10, 11, 12})};

std::string said_by_numpy(const std::string& file, const std::string& program) {
  return said_by_python("import numpy; a = numpy.load('" + file + "'); " + program);
}

}  // namespace

TEST_CASE("npy: the header and the values, byte by byte") {
  const std::string file = npy_bytes(small);
  CHECK(file.substr(0, 10) == std::string("\x93NUMPY\x01\x00\x76\x00", 10));
  CHECK(file.substr(10, 60) == "{'descr': '<f8', 'fortran_order': True, 'shape': (3, 2), }  ");
  CHECK(file[127] == '\n');
  CHECK(file.substr(128) == small.cells);
}

TEST_CASE("npy: one dim is a tuple, too; three dims; f32; values begin at a multiple of 64 bytes") {
  const std::string line = npy_bytes({"T", "f32", {2}, cells_of<float>({1, 2})});
  CHECK(line.find("'<f4', 'fortran_order': True, 'shape': (2, ), }") != std::string::npos);
  const std::string box = npy_bytes({"T", "f32", {2, 1, 1}, cells_of<float>({1, 2})});
  CHECK(box.find("'shape': (2, 1, 1), }") != std::string::npos);
  for (teff::index_t digits = 1; digits < 100'000'000'000'000; digits *= 7)
    CHECK(npy_bytes({"T", "f64", {0, digits, digits}, ""}).size() % 64 == 0);
}

TEST_CASE("npy: what does not fit is refused") {
  CHECK(message_of([] {
          npy_bytes({"T", "f64", {3, 3}, std::string(8, 'x')});
        }) == "field 'T' of 3x3 f64: expected 72 bytes, got 8");
  CHECK(message_of([] {
          npy_bytes({"T", "u16", {1}, std::string(8, 'x')});
        }) == "files hold fields of f64, f32, i64, i32, u8 or bool, got 'u16'");
  const teff::index_t half = teff::index_t{1} << 32;
  CHECK(message_of([&] {
          npy_bytes({"T", "f64", {half, half}, ""});
        }) == "a field of 4294967296x4294967296 f64 has no size that a file holds");
  CHECK(message_of([] {
          npy_bytes({"T", "f64", {-1}, ""});
        }).find("-1 f64 has no size") != std::string::npos);
}

TEST_CASE("npy: NumPy sees x first") {
  const teff::test::temp_folder folder;
  const std::string path = folder / "small.npy";
  write_npy(path, small);
  if (said_by_numpy(path, "print(1)").empty()) {
    MESSAGE("skipped: python3 has no numpy here");
  } else {
    CHECK(said_by_numpy(path, "print(a.shape, a.dtype, a[2, 0], a[1, 1])") ==
          "(3, 2) float64 2.0 11.0\n");
  }
}

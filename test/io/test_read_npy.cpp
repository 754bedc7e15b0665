// SPDX-License-Identifier: MIT
#include <algorithm>
#include <concepts>
#include <cstdint>
#include <doctest/doctest.h>
#include <fstream>
#include <string>
#include <vector>

#include <teff/algo/fill.hpp>
#include <teff/array/host_copy.hpp>
#include <teff/expr/statement.hpp>
#include <teff/io/atomic_file.hpp>
#include <teff/io/npy.hpp>

#include "../message.hpp"
#include "../temp_folder.hpp"
#include "cell_bytes.hpp"
#include "said_by_python.hpp"

using namespace teff;
using teff::test::cells_of;
using teff::test::contains;
using teff::test::message_of;
using teff::test::said_by_python;
using teff::test::temp_folder;

namespace {

/// A file with this text as its header, which ends where it does.
std::string npy_file(const std::string& header, const std::string& cells, int format = 1) {
  std::string file = "\x93NUMPY";
  file += static_cast<char>(format);
  file += '\0';
  for (int i = 0; i < (format == 1 ? 2 : 4); ++i)
    file += static_cast<char>(header.size() >> (8 * i) & 0xff);
  return file + header + cells;
}
std::string dict(const std::string& descr, const std::string& order, const std::string& shape) {
  return "{'descr': " + descr + ", 'fortran_order': " + order + ", 'shape': " + shape + ", }\n";
}
std::string refusal(const std::string& bytes) {
  return message_of([&] { (void)io::npy_header_from(bytes, bytes.size(), "x"); });
}
std::string refused_dict(const std::string& descr, const std::string& order,
                         const std::string& shape) {
  return refusal(npy_file(dict(descr, order, shape), std::string(8, 'x')));
}
/// Values in a file whose bytes are reversed one by one.
std::string reversed_cells(std::string cells, std::size_t cell_bytes) {
  for (std::size_t at = 0; at < cells.size(); at += cell_bytes)
    std::reverse(cells.begin() + static_cast<std::ptrdiff_t>(at),
                 cells.begin() + static_cast<std::ptrdiff_t>(at + cell_bytes));
  return cells;
}

template <class T>
void check_round_trip(const temp_folder& folder) {
  const std::string path = folder / "a.npy";
  const auto same = [&](const auto& part) {
    io::write_npy(path, part);
    const auto found = io::read_npy<T, std::decay_t<decltype(part)>::rank>(device::cpu(), path);
    CHECK(found.shape() == part.shape());
    CHECK(to_host(found) == to_host(part));
  };
  array<T, 3> A(device::cpu(), {5, 4, 3}, "A");
  if constexpr (std::same_as<T, bool>)
    A = ix + iy > iz + 1;
  else
    A = convert<T>(ix + 5 * iy + 20 * iz);
  same(A);
  same(A(whole, 1, whole));
  same(A(2, whole, 1));
  same(flip(A, 1));
  same(transposed(A));
  same(transposed(A(range(0, 5, 2), whole, 2)));
  same(A(range(0, 0), whole, whole));
}

}  // namespace

TEST_CASE("read_npy: every type, rank and way of strides comes back") {
  const temp_folder folder;
  check_round_trip<f64>(folder);
  check_round_trip<f32>(folder);
  check_round_trip<i64>(folder);
  check_round_trip<i32>(folder);
  check_round_trip<u8>(folder);
  check_round_trip<bool>(folder);
}

TEST_CASE("read_npy: both orders keep the places of indices; all formats; both byte orders") {
  const temp_folder folder;
  const std::string path = folder / "a.npy";
  const std::string first = cells_of<double>({0, 1, 2, 10, 11, 12});  // x contiguous
  const std::string last = cells_of<double>({0, 10, 1, 11, 2, 12});   // y contiguous
  for (const int format : {1, 2, 3})
    for (const bool is_big : {false, true})
      for (const bool is_first : {false, true}) {
        std::string cells = is_first ? first : last;
        if (is_big) cells = reversed_cells(cells, 8);
        io::write_file(
            path, npy_file(dict(is_big ? "'>f8'" : "'<f8'", is_first ? "True" : "False", "(3, 2)"),
                           cells, format));
        const auto A = io::read_npy<f64, 2>(device::cpu(), path);
        CHECK(A.shape() == extents(3, 2));
        CHECK(to_host(A) == std::vector<f64>{0, 1, 2, 10, 11, 12});
      }
  // Three dims, the last contiguous.
  std::vector<i32> values(24);
  for (int i = 0; i < 24; ++i) values[static_cast<std::size_t>(i)] = i;
  io::write_file(path, npy_file(dict("'<i4'", "False", "(2, 3, 4)"), cells_of(values)));
  const auto B = io::read_npy<i32, 3>(stream(device::cpu()), path);
  CHECK(B(1, 2, 3) == 23);
  CHECK(B(1, 0, 2) == 14);
}

TEST_CASE("read_npy: headers as other programs write them") {
  const std::string cells = cells_of<double>({1, 2});
  for (const char* header : {"{\"shape\":(2L,),\"fortran_order\":False,\"descr\":\"<f8\"}",
                             "{'descr': '<f8', 'fortran_order': False, 'shape': (2,)}   \n",
                             "{ 'fortran_order' : True , 'descr' : '<f8' , 'shape' : ( 1 , 2 ) }"})
    CHECK(refusal(npy_file(header, cells)) == "");
  // A truth is what is not 0.
  const temp_folder folder;
  io::write_file(folder / "b.npy",
                 npy_file(dict("'|b1'", "False", "(3,)"), std::string("\0\2\1", 3)));
  CHECK(to_host(io::read_npy<bool, 1>(device::cpu(), folder / "b.npy")) ==
        std::vector<bool>{false, true, true});
}

TEST_CASE("read_npy: an array of another type or rank is refused, with what reads it") {
  const temp_folder folder;
  const std::string path = folder / "T.npy";
  io::write_npy(path, full(device::cpu(), {3, 2}, 1.0F));
  const std::string named = ".npy file '" + path + "': ";
  CHECK(message_of([&] { (void)io::read_npy<f64, 2>(device::cpu(), path); }) ==
        named + "expected f64 of 2 dims, got f32 of 2 dims, 3x2; read_npy<teff::f32, 2> reads it");
  CHECK(message_of([&] { (void)io::read_npy<f32, 1>(device::cpu(), path); }) ==
        named + "expected f32 of 1 dim, got f32 of 2 dims, 3x2; read_npy<teff::f32, 2> reads it");
  io::write_npy(path, full(device::cpu(), {2}, true));
  CHECK(message_of([&] { (void)io::read_npy<u8, 1>(device::cpu(), path); }) ==
        named + "expected u8 of 1 dim, got bool of 1 dim, 2; read_npy<bool, 1> reads it");
  io::write_file(path, npy_file(dict("'<f8'", "False", "()"), cells_of<double>({1})));
  CHECK(message_of([&] { (void)io::read_npy<f64, 1>(device::cpu(), path); }) ==
        named + "expected f64 of 1 dim, got f64 of 0 dims; arrays have one to three dims");
  io::write_file(path, npy_file(dict("'<f8'", "False", "(1, 1, 1, 1)"), cells_of<double>({1})));
  CHECK(contains(message_of([&] { (void)io::read_npy<f64, 3>(device::cpu(), path); }),
                 "got f64 of 4 dims, 1x1x1x1; arrays have one to three dims"));
  CHECK(contains(message_of([] { (void)io::read_npy<f64, 1>(device::cpu(), "/nowhere/T.npy"); }),
                 "cannot read '/nowhere/T.npy'"));
  CHECK(contains(message_of([] { (void)io::read_npy<f64, 1>(device::cpu(), "/tmp"); }),
                 "cannot read '/tmp'"));
}

TEST_CASE("read_npy: values that are no numbers of an array are refused") {
  CHECK(refused_dict("'|O'", "False", "(1,)") ==
        ".npy file 'x': it holds Python objects ('|O'), which only Python reads");
  CHECK(contains(refused_dict("[('a', '<f8'), ('b', '<i4')]", "False", "(1,)"),
                 "it holds structures of several values a cell"));
  for (const char* type : {"'<c16'", "'<i2'", "'<u8'", "'|S8'", "'<M8[s]'", "'f8'", "''", "'<'",
                           "'|f8'", "'=f8'", "'<f88'", "'<f'"})
    CHECK(contains(refused_dict(type, "False", "(1,)"), "got NumPy's type " + std::string(type)));
  // What NumPy can make f64 of without a loss of meaning is told how.
  const auto is_told = [](const char* type) {
    return contains(refused_dict(type, "False", "(1,)"), "a.astype('float64') converts it");
  };
  CHECK((is_told("'<i2'") && is_told("'<f2'") && is_told("'>u4'")));
  CHECK(!(is_told("'<c16'") || is_told("'<U2'") || is_told("'<M8[D]'")));
  CHECK(contains(refusal("PK\x03\x04 and so on"), "archive of several arrays (.npz)"));
}

TEST_CASE("read_npy: hostile headers are refused, with the position") {
  const std::string good = npy_file(dict("'<f8'", "False", "(1,)"), std::string(8, 'x'));
  REQUIRE(refusal(good) == "");
  for (std::size_t length = 0; length < good.size(); ++length) {
    CAPTURE(length);
    CHECK(contains(refusal(good.substr(0, length)), "it was cut"));
  }
  CHECK(contains(refusal(good + "x"), "and 9 follow; it holds more than one array"));
  CHECK(contains(refusal("\x89PNG, a picture"), "byte 0: it does not begin with"));
  for (const int format : {0, 4, 255}) {
    std::string other = good;
    other[6] = static_cast<char>(format);
    CHECK(contains(refusal(other), "byte 6: format " + std::to_string(format)));
  }
  // Lengths and extents that lie.
  std::string length = npy_file("{}", "", 2);
  length.replace(8, 4, "\xff\xff\xff\xff");
  CHECK(contains(refusal(length), "byte 8: a header of 4294967295 bytes"));
  for (const char* shape : {"(9223372036854775807,)", "(4294967296, 4294967296)",
                            "(2, 9223372036854775807)", "(3037000500, 3037000500, 8)"})
    CHECK(contains(refused_dict("'<f8'", "False", shape), "has no size that a file holds"));
  CHECK(contains(refused_dict("'<f8'", "False", "(9223372036854775808,)"), "more than 63 bits"));
  CHECK(contains(refused_dict("'<f8'", "False", "(-1,)"), "a negative extent"));
  CHECK(contains(refused_dict("'<f8'", "False", "(1000000,)"), "8000000 bytes, and 8 follow"));
  std::string ones = "(";
  for (int i = 0; i < 65; ++i) ones += "1,";
  CHECK(contains(refused_dict("'<f8'", "False", ones + ")"), "more dims than NumPy has"));
  // What is no such dict.
  for (const char* header :
       {"", "{", "}", "{}", "[]", "{'descr'}", "{'descr': '<f8', 'fortran_order': False}",
        "{'descr': '<f8', 'descr': '<f8', 'fortran_order': False, 'shape': (1,)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (1,), 'more': (1,)}",
        "{'descr': '<f8', 'fortran_order': 0, 'shape': (1,)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (1)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': [1]}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (1.0,)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (,)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (1,)} x",
        "{'descr': '<f8\\'', 'fortran_order': False, 'shape': (1,)}",
        "{'descr': '\x1b[2J', 'fortran_order': False, 'shape': (1,)}",
        "{'descr': 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'}",
        "__import__('os').system('true')"}) {
    CAPTURE(header);
    const std::string said = refusal(npy_file(header, std::string(8, 'x')));
    CHECK(said.starts_with(".npy file 'x': byte "));
    CHECK(said.find('\x1b') == std::string::npos);
  }
}

TEST_CASE("read_npy: what NumPy wrote, in both orders, and NumPy reads what Teff writes") {
  const temp_folder folder;
  if (said_by_python("import numpy; print(1)").empty()) {
    MESSAGE("skipped: python3 has no numpy here (Debian: python3-numpy)");
    return;
  }
  const std::string path = folder / "a.npy";
  const auto saved = [&](const std::string& values) {
    REQUIRE(said_by_python("import numpy as np; np.save('" + path + "', " + values +
                           "); print(1)") == "1\n");
    return path;
  };
  const std::string six = "np.array([[0, 10], [1, 11], [2, 12]]";
  for (const char* type : {"', '<f8')", "', '>f8')"}) {
    const std::string values = six + ", dtype=" + std::string(type).substr(3);
    for (const std::string& ordered :
         {values, "np.asfortranarray(" + values + ")", values + "[:, :]"}) {
      const auto A = io::read_npy<f64, 2>(device::cpu(), saved(ordered));
      CHECK(A.shape() == extents(3, 2));
      CHECK(to_host(A) == std::vector<f64>{0, 1, 2, 10, 11, 12});
    }
  }
  CHECK(io::read_npy<i64, 3>(device::cpu(), saved("np.arange(24).reshape(2, 3, 4)"))(1, 2, 3) ==
        23);
  CHECK(to_host(io::read_npy<bool, 1>(device::cpu(), saved("np.array([True, False])"))) ==
        std::vector<bool>{true, false});
  CHECK(contains(
      message_of([&] { (void)io::read_npy<f64, 1>(device::cpu(), saved("np.array([{}, None])")); }),
      "it holds Python objects"));

  array<u8, 2> T(device::cpu(), {3, 2}, "T");
  T = convert<u8>(ix + 10 * iy);
  io::write_npy(path, T);
  const std::string shown = "import numpy as np; a = np.load('" + path +
                            "'); print(a.dtype, a.shape, a[2, 1], a.flags.f_contiguous)";
  CHECK(said_by_python(shown) == "uint8 (3, 2) 12 True\n");
  io::write_npy(path, transposed(T));
  CHECK(said_by_python(shown.substr(0, shown.find("a[2")) + "a[1, 2])") == "uint8 (2, 3) 12\n");
}

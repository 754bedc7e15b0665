// SPDX-License-Identifier: MIT
#include <cstdint>
#include <cstring>
#include <doctest/doctest.h>
#include <limits>

#include <teff/algo/fill.hpp>
#include <teff/expr/statement.hpp>
#include <teff/io/atomic_file.hpp>
#include <teff/io/vti.hpp>

#include "../message.hpp"
#include "../temp_folder.hpp"
#include "cell_bytes.hpp"
#include "said_by_python.hpp"

using namespace teff::io;
using teff::test::cells_of;
using teff::test::message_of;
using teff::test::said_by_python;

namespace {

vti_image two_fields() {
  return {{0.25, 0.1},
          {0.5, 0.2},
          {{"T", "f32", {3, 2}, cells_of<float>({0, 1, 2, 3, 4, 5})},
           {"C", "f32", {3, 2}, cells_of<float>({5, 4, 3, 2, 1, 0})}}};
}

/// The value of an attribute, the `nth` of its name.
std::string attribute(const std::string& file, const std::string& name, int nth = 0) {
  std::size_t at = 0;
  for (int i = 0; i <= nth; ++i) at = file.find(" " + name + "=\"", at) + name.size() + 3;
  return file.substr(at, file.find('"', at) - at);
}

}  // namespace

TEST_CASE("vti: what a reader finds by following the header") {
  const vti_image image = two_fields();
  const std::string file = vti_bytes(image);
  CHECK(attribute(file, "type") == "ImageData");
  CHECK(attribute(file, "byte_order") == "LittleEndian");
  CHECK(attribute(file, "header_type") == "UInt64");
  CHECK(attribute(file, "WholeExtent") == "0 2 0 1 0 0");
  CHECK(attribute(file, "Extent") == "0 2 0 1 0 0");
  CHECK(attribute(file, "Origin") == "0.25 0.10000000000000001 0");
  CHECK(attribute(file, "Spacing") == "0.5 0.20000000000000001 1");
  CHECK(attribute(file, "Scalars") == "T");
  const std::string mark = "<AppendedData encoding=\"raw\">\n_";
  const std::size_t begin = file.find(mark) + mark.size();
  for (int i = 0; i < 2; ++i) {
    const field_bytes& f = image.fields[static_cast<std::size_t>(i)];
    CHECK(attribute(file, "Name", i) == f.name);
    CHECK(attribute(file, "type", i + 1) == "Float32");
    CHECK(attribute(file, "format", i) == "appended");
    const std::size_t at = begin + std::stoul(attribute(file, "offset", i));
    std::uint64_t size = 0;
    std::memcpy(&size, &file[at], sizeof size);
    CHECK(size == f.cells.size());
    CHECK(file.substr(at + sizeof size, size) == f.cells);
  }
  CHECK(file.ends_with("\n  </AppendedData>\n</VTKFile>\n"));
}

TEST_CASE("vti: f64 in three dims") {
  const std::string file =
      vti_bytes({{0, 0, 0}, {1, 2, 3}, {{"P", "f64", {1, 2, 2}, cells_of<double>({1, 2, 3, 4})}}});
  CHECK(attribute(file, "WholeExtent") == "0 0 0 1 0 1");
  CHECK(attribute(file, "Spacing") == "1 2 3");
  CHECK(attribute(file, "type", 1) == "Float64");
}

TEST_CASE("vti: what is no image is refused") {
  CHECK(message_of([] { vti_bytes({{}, {}, {}}); }) == "a .vti file needs a field, got none");
  vti_image other = two_fields();
  other.fields[1].shape = {2, 3};
  CHECK(message_of([&] { vti_bytes(other); }) ==
        "the fields of a .vti file have one shape; 'T' has 3x2, 'C' 2x3");
  vti_image name = two_fields();
  name.fields[1].name = "C\"/><x";
  CHECK(message_of([&] { vti_bytes(name); }) ==
        "a field's name in a .vti file is a plain word, got 'C\"/><x'");
  name.fields[1].name = name.fields[0].name;
  CHECK(message_of([&] { vti_bytes(name); }) == "two fields of a .vti file are named 'T'");
  vti_image origin = two_fields();
  origin.origin = {0};
  CHECK(message_of([&] { vti_bytes(origin); }).find("an origin and a spacing each") !=
        std::string::npos);
}

TEST_CASE("vti: arrays and their parts, each of its type; where they lie") {
  const teff::test::temp_folder folder;
  const std::string path = folder / "a.vti";
  teff::array<teff::i32, 2> T(teff::device::cpu(), {3, 2}, "T");
  T = teff::ix + 10 * teff::iy;
  const auto C = teff::full(teff::device::cpu(), {2, 3}, 0.5);
  const double dx = 0.5, dy = 0.25;
  write_vti(path, {{"T", flip(T, 0)}, {"C", transposed(C)}}, {.spacings = {dx, dy}});
  CHECK(read_file(path, 10000) ==
        vti_bytes({{0, 0},
                   {0.5, 0.25},
                   {{"T", "i32", {3, 2}, cells_of<teff::i32>({2, 1, 0, 12, 11, 10})},
                    {"C", "f64", {3, 2}, cells_of<double>({.5, .5, .5, .5, .5, .5})}}}));
  write_vti(path, {{"T", T}});
  CHECK(attribute(read_file(path, 10000), "Spacing") == "1 1 1");
  CHECK(attribute(read_file(path, 10000), "type", 1) == "Int32");
  CHECK(message_of([&] {
          write_vti(path, {{"T", T}}, {.spacings = {1}});
        }) == "'" + path + "': expected 2 numbers in .spacings, one for each dim of 'T', got 1");
  CHECK(message_of([&] {
          write_vti(path, {{"T", T}}, {.spacings = {1, -0.5}});
        }) == "'" + path + "': expected finite numbers above 0 in .spacings, got -0.5");
  CHECK(message_of([&] {
          write_vti(path, {{"T", T}}, {.origin = {0, std::numeric_limits<double>::infinity()}});
        }) == "'" + path + "': expected finite numbers in .origin, got inf");
  CHECK(message_of([&] {
          write_vti(path, {{"T", T}, {"C", C}});
        }) == "the fields of a .vti file have one shape; 'T' has 3x2, 'C' 2x3");
  CHECK(message_of([&] { write_vti(path, {}, {}); }) == "a .vti file needs a field, got none");
}

TEST_CASE("vti: VTK reads the grid and the values") {
  const std::string import = "from vtkmodules.vtkIOXML import vtkXMLImageDataReader as reader; ";
  if (said_by_python(import + "print(1)").empty()) {
    MESSAGE("skipped: python3 has no vtk here (Debian: python3-vtk9)");
    return;
  }
  const teff::test::temp_folder folder;
  const std::string path = folder / "two.vti";
  write_vti(path, two_fields());
  CHECK(said_by_python(import + "r = reader(); r.SetFileName('" + path +
                       "'); r.Update(); i = r.GetOutput(); d = i.GetPointData(); "
                       "print(i.GetExtent(), i.GetOrigin(), i.GetSpacing()); "
                       "print(d.GetScalars().GetName(), d.GetNumberOfArrays()); "
                       "a = [d.GetArray(k) for k in (0, 1)]; "
                       "print([[x.GetValue(k) for k in range(6)] for x in a])") ==
        "(0, 2, 0, 1, 0, 0) (0.25, 0.1, 0.0) (0.5, 0.2, 1.0)\nT 2\n"
        "[[0.0, 1.0, 2.0, 3.0, 4.0, 5.0], [5.0, 4.0, 3.0, 2.0, 1.0, 0.0]]\n");
}

TEST_CASE("vti: VTK reads arrays of every type") {
  const std::string import = "from vtkmodules.vtkIOXML import vtkXMLImageDataReader as reader; ";
  if (said_by_python(import + "print(1)").empty()) {
    MESSAGE("skipped: python3 has no vtk here (Debian: python3-vtk9)");
    return;
  }
  const teff::test::temp_folder folder;
  const std::string path = folder / "types.vti";
  const teff::device cpu = teff::device::cpu();
  write_vti(path, {{"a", teff::full(cpu, {2, 1, 2}, 1.5)},
                   {"b", teff::full(cpu, {2, 1, 2}, 2.5F)},
                   {"c", teff::full(cpu, {2, 1, 2}, teff::i64{-3})},
                   {"d", teff::full(cpu, {2, 1, 2}, -4)},
                   {"e", teff::full(cpu, {2, 1, 2}, teff::u8{5})},
                   {"f", teff::full(cpu, {2, 1, 2}, true)}});
  CHECK(said_by_python(import + "r = reader(); r.SetFileName('" + path +
                       "'); r.Update(); d = r.GetOutput().GetPointData(); "
                       "a = [d.GetArray(k) for k in range(6)]; "
                       "print([(x.GetName(), x.GetDataTypeSize(), x.GetTuple1(3)) for x in "
                       "a])") ==
        "[('a', 8, 1.5), ('b', 4, 2.5), ('c', 8, -3.0), ('d', 4, -4.0), "
        "('e', 1, 5.0), ('f', 1, 1.0)]\n");
}

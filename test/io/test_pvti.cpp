// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <filesystem>
#include <string>
#include <vector>

#include <teff/grid/gather.hpp>
#include <teff/grid/grid.hpp>
#include <teff/grid/grid_statement.hpp>
#include <teff/io/atomic_file.hpp>
#include <teff/io/pvti.hpp>

#include "../message.hpp"
#include "../temp_folder.hpp"
#include "said_by_python.hpp"

namespace teff::inline TEFF_MODE::test {
namespace {

/// All values of an attribute, in their order.
std::vector<std::string> attributes(const std::string& file, const std::string& name) {
  const std::string mark = " " + name + "=\"";
  std::vector<std::string> all;
  for (std::size_t at = file.find(mark); at != std::string::npos; at = file.find(mark, at)) {
    at += mark.size();
    all.push_back(file.substr(at, file.find('"', at) - at));
  }
  return all;
}

void write_two(const std::string& path, const ranks& r) {
  const grid<2> g({5, 7}, {.on = r, .cuts = {2, 2, 0}});
  const auto T = g.array<double>("T");
  const auto n = g.array<i32>("n");
  T = 1.0 * ix + 10.0 * iy;
  n = ix * iy;
  io::write_pvti(path, {{"T", T}, {"n", n}}, {.origin = {0.25, 1}, .spacings = {0.5, 2}});
}

TEST_CASE("pvti: parts meet at the faces of cells, and each has its own") {
  const temp_folder folder;
  const std::string path = folder / "a.pvti";
  run_on(cpu_ranks(4), [&](const ranks& r) { write_two(path, r); });
  const std::string whole = io::read_file(path, 10000);
  CHECK(attributes(whole, "WholeExtent") == std::vector<std::string>{"0 5 0 7 0 0"});
  CHECK(attributes(whole, "Origin") == std::vector<std::string>{"0 0 0"});
  CHECK(attributes(whole, "Spacing") == std::vector<std::string>{"0.5 2 1"});
  CHECK(attributes(whole, "Source") ==
        std::vector<std::string>{"a_0.vti", "a_1.vti", "a_2.vti", "a_3.vti"});
  const std::vector<std::string> extents = attributes(whole, "Extent");
  CHECK(extents ==
        std::vector<std::string>{"0 3 0 4 0 0", "3 5 0 4 0 0", "0 3 4 7 0 0", "3 5 4 7 0 0"});
  CHECK(attributes(whole, "Name") == std::vector<std::string>{"T", "n"});
  for (std::size_t rank = 0; rank < 4; ++rank) {
    const std::string part = io::read_file(folder / ("a_" + std::to_string(rank) + ".vti"), 10000);
    CHECK(attributes(part, "Extent") == std::vector<std::string>{extents[rank]});
    CHECK(attributes(part, "WholeExtent") == std::vector<std::string>{extents[rank]});
    CHECK(attributes(part, "Origin") == std::vector<std::string>{"0 0 0"});
    CHECK(contains(part, "<CellData Scalars=\"T\">"));
  }
}

TEST_CASE("pvti: VTK reads the parts as one") {
  const std::string import = "from vtkmodules.vtkIOXML import vtkXMLPImageDataReader as reader; ";
  if (said_by_python(import + "print(1)").empty()) {
    MESSAGE("skipped: python3 has no vtk here (Debian: python3-vtk9)");
    return;
  }
  const temp_folder folder;
  const std::string path = folder / "a.pvti";
  run_on(cpu_ranks(4), [&](const ranks& r) { write_two(path, r); });
  CHECK(said_by_python(import + "r = reader(); r.SetFileName('" + path +
                       "'); r.Update(); i = r.GetOutput(); d = i.GetCellData(); "
                       "print(i.GetExtent(), i.GetOrigin(), i.GetSpacing()); "
                       "a = [d.GetArray(k) for k in (0, 1)]; cells = range(35); "
                       "print([x.GetNumberOfTuples() for x in a], "
                       "all(a[0].GetTuple1(k) == k % 5 + k // 5 * 10 for k in cells), "
                       "all(a[1].GetTuple1(k) == k % 5 * (k // 5) for k in cells))") ==
        "(0, 5, 0, 7, 0, 0) (0.0, 0.0, 0.0) (0.5, 2.0, 1.0)\n[35, 35] True True\n");
}

TEST_CASE("pvti: a staggered field has a file of its own; one and three dims; one rank") {
  const temp_folder folder;
  run_on(cpu_ranks(3), [&](const ranks& r) {
    const grid<3> g({4, 3, 9}, {.on = r});
    const auto V = g.array<float>("V", {0, 0, 1});
    V = 1.0f * iz;
    io::write_pvti(folder / "v.pvti", {{"V", V}});
  });
  CHECK(attributes(io::read_file(folder / "v.pvti", 10000), "Extent") ==
        std::vector<std::string>{"0 4 0 3 0 3", "0 4 0 3 3 6", "0 4 0 3 6 10"});
  const grid<1> line(extents<1>{6});
  const auto u = line.array<u8>();
  u = ix;
  io::write_pvti(folder / "u.pvti", {{"u", u}});
  CHECK(attributes(io::read_file(folder / "u.pvti", 10000), "Extent") ==
        std::vector<std::string>{"0 6 0 0 0 0"});
}

TEST_CASE("pvti: what does not fit, or can not be written, is said on all ranks alike") {
  const temp_folder folder;
  const std::string path = folder / "a.pvti";
  const auto refusal = [&](const auto& write) {
    std::vector<std::string> texts(3);
    run_on(cpu_ranks(3), [&](const ranks& r) {
      const grid<2> g({6, 9}, {.on = r});
      const auto T = g.array<double>("T"), V = g.array<double>("V", {1, 0});
      T = 1.0;
      V = 1.0;
      texts[static_cast<std::size_t>(r.rank())] = message_of([&] { write(T, V); });
    });
    CHECK(texts[0] == texts[1]);
    CHECK(texts[0] == texts[2]);
    return texts[0];
  };
  CHECK(refusal([&](const auto& T, const auto& V) {
          io::write_pvti(path, {{"T", T}, {"V", V}});
        }) == "the fields of a .vti file have one shape; 'T' has 6x9, 'V' 7x9");
  CHECK(refusal([&](const auto& T, const auto&) {
          io::write_pvti(folder / "a.vti", {{"T", T}});
        }) == "the name of a file with parts ends in .pvti, got '" + (folder / "a.vti") + "'");
  CHECK(refusal([&](const auto& T, const auto&) {
          io::write_pvti(path, {{"T", T}}, {.spacings = {1}});
        }) == "'" + path + "': expected 2 numbers in .spacings, one for each dim of 'T', got 1");
  CHECK(refusal([&](const auto& T, const auto&) {
          io::write_pvti(folder / "no/a.pvti", {{"T", T}});
        }) == "cannot write '" + (folder / "no/a.pvti") + "': No such file or directory");
  std::filesystem::create_directory(folder / "a_1.vti");  // in one rank's way
  CHECK(refusal([&](const auto& T, const auto&) {
          io::write_pvti(path, {{"T", T}});
        }) == "cannot write '" + (folder / "a_1.vti") + "': Is a directory, said by rank 1");
  CHECK(!std::filesystem::exists(path));
  CHECK(!std::filesystem::exists(folder / "a_0.vti"));
}

}  // namespace
}  // namespace teff::inline TEFF_MODE::test

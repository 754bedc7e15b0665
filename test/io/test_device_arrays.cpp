// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <string>
#include <vector>

#include <teff/algo/fill.hpp>
#include <teff/array/host_copy.hpp>
#include <teff/expr/statement.hpp>
#include <teff/io.hpp>
#include <teff/io/atomic_file.hpp>

#include "../devices.hpp"
#include "../temp_folder.hpp"

/// Compiled as CUDA too: files of arrays on a GPU are those of the same arrays on the CPU.
using namespace teff;
using namespace teff::test;

namespace {

/// What is in the files that are written of parts of an array.
std::vector<std::string> files_of(device dev) {
  const temp_folder folder;
  const std::string path = folder / "file";
  array<f32, 3> A(dev, {40, 30, 20}, "A");
  A = convert<f32>(ix + 100 * iy + 10000 * iz);
  std::vector<std::string> files;
  const auto keep = [&] { files.push_back(io::read_file(path, 10'000'000)); };
  const auto write = [&](const auto& part) {
    io::write_npy(path, part);
    keep();
  };
  write(A);
  write(A(range(1, 39), range(0, 30, 2), whole));
  write(A(range(0, 40, 13), whole, range(0, 20, 19)));
  write(A(3, whole, whole));
  write(A(3, 4, whole));
  write(flip(transposed(A), 1));
  write(A(range(0, 0), whole, whole));
  io::write_vti(path, {{"A", A}, {"B", flip(A, 0)}});
  keep();
  io::write_heat_map(path, A(whole, whole, 3), {.map = "davos"});
  keep();
  io::write_checkpoint(path, 7, {{"A", transposed(A)}, {"a", A(whole, 0, 0)}});
  keep();
  return files;
}

}  // namespace

TEST_CASE("io: an array has the same files on every device") {
  const std::vector<std::string> expected = files_of(device::cpu());
  for (const device dev : test_devices()) CHECK(files_of(dev) == expected);
}

TEST_CASE("io: files are read into arrays on every device") {
  const temp_folder folder;
  for (const device dev : test_devices()) {
    array<i64, 2> A(dev, {33, 17}, "A");
    A = ix + 100 * iy;
    const std::vector<i64> expected = to_host(A);
    io::write_npy(folder / "A.npy", A);
    const auto read = io::read_npy<i64, 2>(dev, folder / "A.npy");
    CHECK(read.dev() == dev);
    CHECK(to_host(read) == expected);
    CHECK(to_host(io::read_npy<i64, 2>(stream::create(dev), folder / "A.npy")) == expected);

    // Into parts, between whose cells nothing changes.
    io::write_checkpoint(folder / "A.ckpt", 3, {{"A", A}});
    array<i64, 2> B(dev, {70, 18}, "B");
    B = -1;
    const auto part = flip(B(range(1, 67, 2), range(1, 18)), 1);
    CHECK(io::read_checkpoint(folder / "A.ckpt", {{"A", part}}) == 3);
    CHECK(to_host(part) == expected);
    CHECK(to_host(B(range(0, 70, 2), whole)) == std::vector<i64>(35 * 18, -1));
  }
}

TEST_CASE("io: a file whose last index is contiguous is read on every device") {
  const temp_folder folder;
  for (const device dev : test_devices()) {
    std::string header = "{'descr': '<i4', 'fortran_order': False, 'shape': (2, 3), }\n";
    std::string file = std::string("\x93NUMPY\1\0", 8) + static_cast<char>(header.size()) + '\0';
    file += header;
    for (const char value : {0, 10, 20, 1, 11, 21}) file += std::string{value, 0, 0, 0};
    io::write_file(folder / "A.npy", file);
    CHECK(to_host(io::read_npy<i32, 2>(dev, folder / "A.npy")) ==
          std::vector<i32>{0, 1, 10, 11, 20, 21});
  }
}

// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <memory>
#include <string>
#include <vector>

#include <teff/array/array.hpp>
#include <teff/kernel/block.hpp>
#include <teff/kernel/launch.hpp>
#include <teff/kernel/profile.hpp>

using namespace teff;

/// Sectors of global memory that the emulator counts. CPU only.
namespace {

/// One warp of a block reads a cell a lane: cell `first + stride * lane`.
template <class T>
struct read_cells {
  view<T, 1> of;
  index_t first, stride;
  T* out;
  TEFF_FN void operator()(block& blk) const {
    const int t = blk.thread();
    out[t] = of(first + stride * t);
  }
};

template <class T>
emulator_report sectors_of(index_t first, index_t stride, index_t threads = 32) {
  const array<T, 1> cells(device::cpu(), {4096}, "cells");
  REQUIRE(reinterpret_cast<std::uintptr_t>(cells.data()) % 32 == 0);
  for (index_t i = 0; i < cells.size(); ++i) cells.data()[i] = T{};
  std::vector<T> out(static_cast<std::size_t>(threads));
  const emulation by;
  launch_blocks(device::cpu(), {.threads = {threads}},
                read_cells<T>{cells.view(), first, stride, out.data()});
  return by.report();
}

template <class T>
index_t asked(index_t first, index_t stride) {
  const emulator_report counted = sectors_of<T>(first, stride);
  CHECK(counted.sectors.accesses == 1);
  return counted.sectors.asked;
}

/// Lanes of the first half of a warp read one cell more, then all meet, and read again.
struct read_unevenly {
  view<f64, 1> of;
  f64* out;
  TEFF_FN void operator()(block& blk) const {
    const int t = blk.thread();
    if (t < 16) out[t] = of(t);
    blk.sync();
    out[t] += of(t);
  }
};

struct copy_cell {
  view<f64, 1> x, y;
  TEFF_FN void operator()(index_t i) const { y(i) = x(i); }
};
struct down_the_rows {
  view<f64, 2> a;
  view<f64, 1> y;
  TEFF_FN void operator()(index_t i) const {
    f64 sum = 0;
    for (index_t j = 0; j < a.extent(1); ++j) sum += a(i, j);
    y(i) = sum;
  }
};
struct set_cell {
  view<f64, 1> x;
  TEFF_FN void operator()(index_t i) const { x(i) = 1; }
};
struct set_cell_2d {
  view<f64, 2> x;
  TEFF_FN void operator()(index_t i, index_t j) const { x(i, j) = 1; }
};
struct does_nothing {
  TEFF_FN void operator()(index_t) const {}
};
struct throws_at {
  index_t cell;
  TEFF_FN void operator()(index_t i, index_t j) const {
#ifdef __CUDA_ARCH__  // which throws nothing
    (void)i, (void)j;
#else
    if (i == cell && j == 1) throw error("this is cell 5");
#endif
  }
};
/// A block kernel that launches.
struct launches {
  TEFF_FN void operator()(block&) const {
#ifndef __CUDA_ARCH__
    launch(device::cpu(), extents<1>{1}, does_nothing{});
#endif
  }
};

}  // namespace

TEST_CASE("sectors: neighbours share them, strides do not, one cell for all takes one") {
  CHECK(asked<f64>(0, 1) == 8);
  CHECK(asked<f64>(0, 2) == 16);
  CHECK(asked<f64>(0, 4) == 32);
  CHECK(asked<f64>(0, 64) == 32);
  CHECK(asked<f64>(0, 0) == 1);
  CHECK(asked<f64>(1, 1) == 9);  // not aligned: one more
  CHECK(asked<f64>(4, 1) == 8);
  CHECK(asked<f32>(0, 1) == 4);
  CHECK(asked<f32>(0, 2) == 8);
  CHECK(asked<f32>(0, 8) == 32);
  CHECK(asked<f32>(1, 1) == 5);
  CHECK(asked<u8>(0, 1) == 1);
  CHECK(asked<u8>(1, 1) == 2);
  CHECK(asked<f64>(31, -1) == 8);  // order does not matter
}

TEST_CASE("sectors: what is needed follows from the bytes, each once") {
  CHECK(sectors_of<f64>(0, 1).sectors.needed == 8);
  CHECK(sectors_of<f64>(1, 1).sectors.needed == 8);
  CHECK(sectors_of<f64>(0, 64).sectors.needed == 8);
  CHECK(sectors_of<f64>(0, 0).sectors.needed == 1);
  CHECK(sectors_of<f32>(0, 9).sectors.needed == 4);
  CHECK(sectors_of<f64>(0, 1, 33).sectors.needed == 9);  // two warps
  CHECK(sectors_of<f64>(0, 1, 33).sectors.accesses == 2);
  CHECK(sectors_of<f64>(0, 1, 33).sectors_text() == "9 sectors asked for, 9 needed");
}

TEST_CASE("sectors: a barrier parts what lanes count") {
  const array<f64, 1> cells(device::cpu(), {32}, "cells");
  for (index_t i = 0; i < 32; ++i) cells.data()[i] = 1;
  std::vector<f64> out(32);
  const emulation by;
  launch_blocks(device::cpu(), {.threads = {32}}, read_unevenly{cells.view(), out.data()});
  CHECK(by.report().sectors.accesses == 2);
  CHECK(by.report().sectors.asked == 4 + 8);
  CHECK(by.report().sectors.needed == 4 + 8);
}

TEST_CASE("sectors: nobody counts where nothing is to be checked, and after the emulation") {
  const array<f64, 1> x(device::cpu(), {32}, "x"), y(device::cpu(), {32}, "y");
  const emulation by({.check = false});
  launch(device::cpu(), {32}, copy_cell{x.view(), y.view()});
  CHECK(by.report().threads == 32);
  CHECK(by.report().sectors.accesses == 0);
  CHECK(by.report().sectors_text() == "");
  CHECK(runtime::listener() == nullptr);
}

TEST_CASE("sectors: a launch in an emulation is counted by the warps of its shape") {
  const array<f64, 2> a(device::cpu(), {64, 3}, "A");
  const array<f64, 1> y(device::cpu(), {64}, "y");
  for (index_t i = 0; i < a.size(); ++i) a.data()[i] = static_cast<f64>(i);
  const auto rows = wrap(device::cpu(), a.data(), {64, 3}, {3, 1});
  const emulation by;
  launch(device::cpu(), {64}, down_the_rows{a.view(), y.view()});
  CHECK(y.data()[1] == 1 + 65 + 129);
  CHECK(by.report().blocks == 1);
  CHECK(by.report().threads == 64);
  CHECK(by.report().sectors.accesses == 2 * 4);  // three cells of A and one of y, two warps
  CHECK(by.report().sectors.asked == 2 * 4 * 8);
  CHECK(by.report().sectors.needed == 2 * 4 * 8);

  launch(device::cpu(), {64}, down_the_rows{rows.view(), y.view()});
  CHECK(y.data()[1] == 3 + 4 + 5);
  CHECK(by.report().sectors.needed == 2 * 4 * 8);
  CHECK(by.report().sectors.asked == 2 * (3 * 24 + 8));  // 32 cells that are 24 bytes apart

  launch(device::cpu(), {64}, {.threads = {16}}, copy_cell{y.view(), y.view()});
  CHECK(by.report().blocks == 4);
  CHECK(by.report().sectors.accesses == 8);  // half warps
  CHECK(by.report().sectors.asked == 2 * 16);
}

TEST_CASE("sectors: of a 2-D launch 32x1 and 1x32 threads differ") {
  const array<f64, 2> a(device::cpu(), {32, 32}, "A");
  const auto asked_by = [&](launch_shape shape) {
    const emulation by;
    launch(device::cpu(), {32, 32}, {.threads = shape}, set_cell_2d{a.view()});
    CHECK(by.report().sectors.needed == 32 * 8);
    return by.report().sectors.asked;
  };
  CHECK(asked_by({32, 1}) == 32 * 8);
  CHECK(asked_by({32, 8}) == 32 * 8);
  CHECK(asked_by({1, 32}) == 32 * 32);
  CHECK(asked_by({8, 4}) == 32 * 8);
  CHECK(asked_by({}) == 32 * 8);  // Teff chooses
}

TEST_CASE("sectors: an emulated launch names the cell that throws, and refuses to be nested") {
  const emulation by;
  CHECK_THROWS_WITH_AS(launch(device::cpu(), {7, 3}, throws_at{5}),
                       doctest::Contains("cell (5, 1)"), error);
  CHECK_THROWS_WITH_AS(launch_blocks(device::cpu(), {.threads = {1}}, launches{}),
                       doctest::Contains("launch inside of a block kernel"), error);
  CHECK_THROWS_WITH_AS(launch(device::cpu(), {7}, {.threads = {2048}}, copy_cell{}),
                       doctest::Contains("nearest legal shape is 1024"), error);
  CHECK(runtime::listener() == nullptr);
}

TEST_CASE("sectors: the profile tells them of launches and of block kernels") {
  const array<f64, 1> cells(device::cpu(), {64}, "cells");
  const auto x = cells.view();
  std::vector<f64> out(32);
  const auto p = std::make_unique<profile>("emulated");
  {
    const emulation by;
    launch(device::cpu(), {64}, set_cell{x});
    launch_blocks(device::cpu(), {.threads = {32}}, read_cells<f64>{x, 1, 1, out.data()});
  }
  launch(device::cpu(), {64}, set_cell{x});
  const std::string table = p->table();
  CHECK(table.find("launch, emulated -> 64 cells") != std::string::npos);
  CHECK(table.find("64; 16 sectors asked for, 16 needed") != std::string::npos);
  CHECK(table.find("launch_blocks, emulated -> 1 blocks") != std::string::npos);
  CHECK(table.find("32; 9 sectors asked for, 8 needed") != std::string::npos);
  CHECK(table.find("launch -> 64 cells") != std::string::npos);
}

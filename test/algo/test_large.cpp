// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <string>

#include <teff/algo/fill.hpp>
#include <teff/algo/gemv.hpp>
#include <teff/algo/reduce.hpp>
#include <teff/algo/scan.hpp>
#include <teff/algo/transpose.hpp>

#include "../devices.hpp"

/// Arrays of more than 2^31 cells, whose numbers, and offsets in bytes, 32 bits do not hold. They
/// need 40 GB of a GPU; elsewhere the test says that it did not run.
using namespace teff;
using namespace teff::test;

namespace {

bool has_room(device dev) {
  constexpr std::size_t wanted = std::size_t{40} << 30;
  if (!dev.is_cpu() && !is_quick() && describe(dev).free_bytes > wanted) return true;
  MESSAGE("not run on " << dev.name() << ": it needs a GPU with 40 GB free");
  return false;
}

/// Ones along a dim: every cell knows its sum.
void check_ones(device dev, const extents<3>& n) {
  array<f32, 3> A(dev, n), B(dev, n);
  A = 1.0f;
  for (int dim = 0; dim < 3; ++dim) {
    if (n[dim] == 1) continue;
    INFO(A.extent(0) << "x" << A.extent(1) << "x" << A.extent(2) << " along dim " << dim);
    const auto length = static_cast<f32>(n[dim]);
    const auto sums = sum(A, dim);
    CHECK(static_cast<f32>(max_abs(sums - length)) == 0.0f);
    if (n[dim] > (1 << 24)) continue;  // f32 counts no further one by one
    B = -1.0f;
    cumsum(B, A, dim);
    if (dim == 0) CHECK(static_cast<f32>(max_abs(B - (ix + 1))) == 0.0f);
    if (dim == 1) CHECK(static_cast<f32>(max_abs(B - (iy + 1))) == 0.0f);
    if (dim == 2) CHECK(static_cast<f32>(max_abs(B - (iz + 1))) == 0.0f);
  }
  CHECK(static_cast<f32>(sum(A)) ==
        static_cast<f32>(static_cast<f64>(n[0]) * static_cast<f64>(n[1]) * static_cast<f64>(n[2])));
}

}  // namespace

TEST_CASE("more than 2^31 cells: scans and reductions along any dim") {
  for (const device dev : test_devices()) {
    if (!has_room(dev)) continue;
    check_ones(dev, {(index_t{1} << 31) + 7, 1, 1});
    check_ones(dev, {65539, 32771, 1});
    check_ones(dev, {1031, 1033, 2029});
    check_ones(dev, {129, 16777213, 1});
    check_ones(dev, {3, 1, 715827901});
    array<f64, 1> C(dev, {(index_t{1} << 31) + 7});
    C = 1.0;
    cumsum(C, C, 0);
    CHECK(static_cast<f64>(max_abs(C - (ix + 1))) == 0.0);
  }
}

TEST_CASE("more than 2^31 cells: transposes and matrix-vector products") {
  for (const device dev : test_devices()) {
    if (!has_room(dev)) continue;
    const index_t nx = 46349, ny = 46351;
    array<f32, 2> A(dev, {nx, ny}), B(dev, {ny, nx});
    A = ix + 3 * iy;
    transpose(B, A);
    CHECK(static_cast<f32>(max_abs(B - (iy + 3 * ix))) == 0.0f);
    A = 1.0f;
    const auto x = full<f32>(dev, {ny}, 1.0f), z = full<f32>(dev, {nx}, 1.0f);
    array<f32, 1> y(dev, {nx}), u(dev, {ny});
    gemv(y, A, x);
    CHECK(static_cast<f32>(max_abs(y - static_cast<f32>(ny))) == 0.0f);
    gemv(u, A.t(), z);
    CHECK(static_cast<f32>(max_abs(u - static_cast<f32>(nx))) == 0.0f);
  }
}

// SPDX-License-Identifier: MIT
#include <cmath>

#include <teff/algo/fill.hpp>
#include <teff/expr/fd1.hpp>
#include <teff/expr/fd3.hpp>
#include <teff/expr/statement_tuning.hpp>

#include "../layout.hpp"

using namespace teff;
using namespace teff::test;

namespace {

/// Lengths about the pieces that the backends work in: packs of 16 bytes, warps, blocks, chunks.
std::vector<index_t> lengths() {
  std::vector<index_t> all;
  for (index_t n = 0; n <= 40; ++n) all.push_back(n);
  for (const index_t about : {64, 128, 256, 512, 1024, 2048, 4096, 32768})
    for (index_t n = about - 1; n <= about + 1; ++n) all.push_back(n);
  if (!is_quick()) all.insert(all.end(), {65537, 262147, 1000003});
  return all;
}

/// A = B + 3 C for every length, with targets and sources that start at any remainder modulo 16
/// bytes.
template <class T>
void check_alignments(generator& g, device dev) {
  for (const index_t n : lengths()) {
    const index_t most = n > 5000 ? 1 : 8;
    for (index_t start = 0; start < most; ++start) {
      const index_t of_b = g.between(0, 15), of_c = g.between(0, 15), size = n + 16;
      std::vector<T> a(static_cast<std::size_t>(size), poison<T>()), b(a.size()), c(a.size());
      for (T& v : b) v = g.value<T>();
      for (T& v : c) v = g.value<T>();
      array<T, 1> A(dev, {size}), B(dev, {size}), C(dev, {size});
      A = from_host(a);
      B = from_host(b);
      C = from_host(c);
      A(range(start, start + n)) = B(range(of_b, of_b + n)) + 3 * C(range(of_c, of_c + n));
      for (index_t i = 0; i < n; ++i) {
        const T x = b[static_cast<std::size_t>(of_b + i)],
                y = c[static_cast<std::size_t>(of_c + i)];
        T& to = a[static_cast<std::size_t>(start + i)];
        if constexpr (std::is_floating_point_v<T>)
          to = std::fma(T(3), y, x);
        else
          to = static_cast<T>(x + 3 * y);
      }
      const std::string bad = difference(to_host(A), a);
      if (!bad.empty())
        FAIL_CHECK(n << " cells from " << start << " of " << std::string(type_name<T>()) << " on "
                     << dev.name() << ": " << bad);
      g.count();
    }
  }
}

}  // namespace

TEST_CASE("statements of any length and alignment (generated)") {
  generator g("lengths and alignments");
  for (const device dev : test_devices()) {
    check_alignments<f64>(g, dev);
    check_alignments<f32>(g, dev);
    check_alignments<u8>(g, dev);
  }
}

TEST_CASE("rows of odd pitch, and many rows (generated)") {
  generator g("odd pitches");
  for (const device dev : test_devices())
    for (int round = 0; round < generator::rounds(40); ++round) {
      const index_t nx = g.chance(50) ? g.between(1, 5) : g.between(500, 2100);
      const index_t ny = nx < 6 ? g.between(1, is_quick() ? 300 : 70000) : g.between(1, 40);
      const index_t pitch = nx + g.between(0, 3);
      std::vector<f32> b(static_cast<std::size_t>(pitch * ny)), a(b.size(), poison<f32>());
      for (f32& v : b) v = g.value<f32>();
      array<f32, 2> A(dev, {pitch, ny}), B(dev, {pitch, ny});
      A = from_host(a);
      B = from_host(b);
      A(range(0, nx), whole) = 2 * B(range(pitch - nx, pitch), whole);
      for (index_t j = 0; j < ny; ++j)
        for (index_t i = 0; i < nx; ++i)
          a[static_cast<std::size_t>(i + j * pitch)] =
              2 * b[static_cast<std::size_t>(pitch - nx + i + j * pitch)];
      const std::string bad = difference(to_host(A), a);
      if (!bad.empty()) FAIL_CHECK(nx << "x" << ny << " of pitch " << pitch << ": " << bad);
      g.count();
    }
}

TEST_CASE("statements larger than the CPU's caches use stores past them") {
  const device dev = device::cpu();
  const auto cache = static_cast<index_t>(describe(dev).cache_bytes);
  const index_t n = cache / 16 + 12345;  // more than half the cache, in f64
  if (is_quick() || cache == 0 || cache > (index_t{1} << 29)) return;
  array<f64, 1> A = full(dev, {n + 2}, -1.0), B(dev, {n + 2});
  B = 0.5 * ix;
  A(range(1, n + 1)) = B(range(0, n)) + 1;
  const f64* a = A.data();
  index_t wrong = a[0] != -1 || a[n + 1] != -1 ? 1 : 0;
  for (index_t i = 0; i < n; ++i) wrong += a[i + 1] != 0.5 * static_cast<f64>(i) + 1 ? 1 : 0;
  CHECK(wrong == 0);
  array<f64, 1> D(dev, {n});
  D = fd1::inn(B);
  CHECK(D.data()[n - 1] == 0.5 * static_cast<f64>(n));
}

TEST_CASE("planes of more than a fifth of the cache are taken in bands") {
  using teff::detail::rows_of_band;
  CHECK(rows_of_band(1000, 16, 24000000, 48000000) == 250);
  CHECK(rows_of_band(1001, 16, 24000001, 48000000) == 201);
  CHECK(rows_of_band(750, 16, 9600000, 48000000) == 750);
  CHECK(rows_of_band(750, 16, 9600001, 48000000) == 250);
  CHECK(rows_of_band(2, 16, 24000000, 48000000) == 1);
  CHECK(rows_of_band(1000, 15, 24000000, 48000000) == 1000);
  CHECK(rows_of_band(1000, 16, 24000000, 0) == 1000);

  if (is_quick()) return;
  for (const device dev : test_devices()) {
    constexpr index_t nx = 601, row_bytes = nx * sizeof(f64);
    const auto cache = static_cast<index_t>(describe(dev).cache_bytes);
    // On a CPU all of it exceeds half the cache, so rows are fetched ahead and taken in bands, too.
    const index_t ny = dev.is_cuda() ? cache / 5 / (2 * row_bytes) + 203 : 203;
    const bool is_banded = dev.is_cpu() && cache <= index_t{1} << 29;
    const index_t nz = is_banded ? cache / 2 / ((ny - 2) * row_bytes) + 19 : 19;
    if (dev.is_cuda())
      CHECK(rows_of_band(ny - 2, nz - 2, 2 * (nx - 2) * (ny - 2) * index_t{sizeof(f64)}, cache) <
            ny - 2);
    array<f64, 3> A(dev, {nx, ny, nz}), B(dev, A.shape());
    A = -1.0;
    B = ix + 2.0 * iy + 5.0 * (iz * iz);
    for (const bool shares : {false, true}) {  // values, which cells then share
      if (shares)
        fd3::inn(A) = fd3::inn(B) + fd3::d2_zi(B * exp(0.0 * B));
      else
        fd3::inn(A) = fd3::inn(B) + fd3::d2_zi(B);
      const std::vector<f64> a = to_host(A);
      index_t wrong = 0, at = 0;
      for (index_t k = 0; k < nz; ++k)
        for (index_t j = 0; j < ny; ++j)
          for (index_t i = 0; i < nx; ++i, ++at) {
            const bool is_inner = i > 0 && i < nx - 1 && j > 0 && j < ny - 1 && k > 0 && k < nz - 1;
            const auto value = static_cast<f64>(i + 2 * j + 5 * k * k + 10);
            wrong += a[static_cast<std::size_t>(at)] != (is_inner ? value : -1) ? 1 : 0;
          }
      CHECK(wrong == 0);
      A = -1.0;
    }
  }
}

TEST_CASE("extents beyond 2^31 cells") {
  const char* asked = std::getenv("TEFF_TEST_LARGE");
  for (const device dev : test_devices()) {
    const bool wanted = !is_quick() && (dev.is_cuda() || (asked != nullptr && *asked == '1'));
    if (!wanted || describe(dev).free_bytes < (std::size_t{8} << 30)) continue;
    const index_t n = (index_t{1} << 31) + 12347;
    array<u8, 1> A(dev, {n}, "A"), B(dev, {n}, "B");
    B = ix - 251 * (ix / 251);
    A = 255 - B;
    for (const index_t i : {index_t{0}, n / 2, (index_t{1} << 31) - 1, index_t{1} << 31, n - 1})
      CHECK(static_cast<int>(static_cast<u8>(A(i))) == 255 - static_cast<int>(i % 251));
  }
}

TEST_CASE("neighbours in 3-D: 32-bit indices only where they reach every cell") {
  array<u8, 1> memory(device::cpu(), {8}, "memory");
  const auto is_short = [&](index_t nx, index_t ny, index_t nz, index_t plane) {
    // No cell of it is ever read.
    const view<u8, 3> cells{memory.data(), {nx, ny, nz}, {1, nx, plane}};
    const array_ref<u8, 3> a(memory.on(), memory.block(), cells, memory.shared_label());
    return teff::detail::survey(a).shape(false).has_short_offsets;
  };
  constexpr index_t most = (index_t{1} << 31) - (1 << 16);
  CHECK(is_short(10, 10, 10, 100));
  CHECK(is_short(100, 1, 2, most - 101));
  CHECK(!is_short(100, 1, 2, most - 100));
  CHECK(is_short(100, 1, 2, -(most - 1)));
  CHECK(!is_short(100, 1, 2, -most));
}

TEST_CASE("neighbours in 3-D beyond 2^31 cells") {
  for (const device dev : test_devices()) {
    if (is_quick() || dev.is_cpu() || describe(dev).free_bytes < (std::size_t{8} << 30)) continue;
    constexpr index_t nx = 1301, ny = 1287, nz = 1290;
    array<u8, 3> A(dev, {nx, ny, nz}, "A"), B(dev, {nx, ny, nz}, "B");
    const auto value = [](auto i, auto j, auto k) { return 3 * i + 5 * j + 7 * k * k; };
    B = value(ix, iy, iz);
    A = 255;
    const auto u = around<1>(B);
    fd3::inn(A) = (at<-1, 0, 0>(u) + at<0, 0, 1>(u)) - at<0, 1, 0>(u);
    for (const index_t k : {index_t{0}, index_t{1}, nz / 2, nz - 2, nz - 1})
      for (const index_t j : {index_t{0}, index_t{1}, ny - 3, ny - 2})
        for (const index_t i : {index_t{0}, index_t{1}, nx - 2, nx - 1}) {
          const bool is_inner = i > 0 && i < nx - 1 && j > 0 && k > 0 && k < nz - 1;
          const index_t inner = value(i - 1, j, k) + value(i, j, k + 1) - value(i, j + 1, k);
          CHECK(static_cast<u8>(A(i, j, k)) == static_cast<u8>(is_inner ? inner : 255));
        }
  }
}

// SPDX-License-Identifier: MIT
#include <cmath>
#include <doctest/doctest.h>
#include <vector>

#include <omp.h>

#include <teff/algo/random.hpp>
#include <teff/algo/scan.hpp>
#include <teff/array/host_copy.hpp>

#include "../compare.hpp"
#include "../devices.hpp"
#include "../message.hpp"

using namespace teff;
using namespace teff::test;

TEST_CASE("cumsum: tiny exact cases") {
  for (const device dev : test_devices()) {
    array<f64, 2> A(dev, {3, 2}, "A"), B(dev, {3, 2}, "B");
    A = from_host(std::vector<f64>{1, 2, 3, 4, 5, 6});
    cumsum(B, A, 0);
    CHECK(to_host(B) == std::vector<f64>{1, 3, 6, 4, 9, 15});
    cumsum(B, A, 1);
    CHECK(to_host(B) == std::vector<f64>{1, 2, 3, 5, 7, 9});
    cumsum(A, A, 0);  // in place
    CHECK(to_host(A) == std::vector<f64>{1, 3, 6, 4, 9, 15});
    A = from_host(std::vector<f64>{1, 2, 3, 4, 5, 6});
    cumsum(B, A * A + ix, 0);  // of an expression, which is never stored
    CHECK(to_host(B) == std::vector<f64>{1, 6, 17, 16, 42, 80});
    scan(B, A, 0, ops::larger{}, {.init = 2.5, .exclusive = true});
    CHECK(to_host(B) == std::vector<f64>{2.5, 2.5, 2.5, 2.5, 4, 5});
    array<f64, 2> none(dev, {0, 5});
    cumsum(none, none, 1);
  }
}

TEST_CASE("cumsum: f32 is carried in f64") {
  for (const device dev : test_devices()) {
    const index_t n = 1 << 20;
    array<f32, 1> A(dev, {n}), B(dev, {n});
    A = 0.1f;
    cumsum(B, A, 0);
    double worst = 0;
    const std::vector<f32> b = to_host(B);
    for (index_t i = 0; i < n; ++i) {
      const double exact = static_cast<double>(0.1f) * static_cast<double>(i + 1);
      worst = std::fmax(
          worst, std::fabs(static_cast<double>(b[static_cast<std::size_t>(i)]) - exact) / exact);
    }
    CHECK(worst < 6.1e-8);  // one rounding to f32; a sum in f32 would be off by 1e-3
  }
}

TEST_CASE("cumsum: the same bits in every run and with any number of threads") {
  for (const device dev : test_devices()) {
    const auto A = random<f64>(dev, {700000}, 7);
    const auto C = random<f64>(dev, {300, 3000}, 8);
    std::vector<f64> first, first_c;
    const int threads = omp_get_max_threads();
    for (const int n : {1, 2, 3, 7}) {
      omp_set_num_threads(n);
      array<f64, 1> B(dev, {700000});
      cumsum(B, A, 0);
      array<f64, 2> D(dev, {300, 3000});
      cumsum(D, C, 1);
      if (n == 1) first = to_host(B), first_c = to_host(D);
      CHECK(difference(to_host(B), first) == "");
      CHECK(difference(to_host(D), first_c) == "");
    }
    omp_set_num_threads(threads);
  }
}

TEST_CASE("scan: errors") {
  array<f64, 2> A(device::cpu(), {4, 5}, "A"), B(device::cpu(), {4, 5}, "B"),
      C(device::cpu(), {5, 4}, "C");
  A = 1.0;
  CHECK(message_of([&] { cumsum(B, A, 2); }) ==
        "cumsum: array 'B' of 4x5 f64 has dims 0 to 1, asked for dim 2");
  CHECK(contains(message_of([&] { cumsum(B, A, -1); }), "asked for dim -1"));
  CHECK(contains(message_of([&] { cumsum(B, C, 0); }), "extents do not match: B is 4x5, C is 5x4"));
  CHECK(contains(message_of([&] { scan(B, A, 0, ops::larger{}, {.exclusive = true}); }),
                 "an exclusive scan needs the value of the first cell"));
  array<f64, 1> v(device::cpu(), {10}, "v");
  v = 1.0;
  CHECK(contains(message_of([&] { cumsum(v(range(1, 10)), v(range(0, 9)), 0); }),
                 "racy statement: it writes array 'v' of 9 f64 and reads the same memory"));
}

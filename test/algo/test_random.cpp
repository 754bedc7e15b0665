// SPDX-License-Identifier: MIT
#include <cmath>
#include <set>

#include <teff/algo/random.hpp>

#include "../layout.hpp"

using namespace teff;
using namespace teff::test;

TEST_CASE("random: the generator's published test vector") {
  // Random123's kat_vectors, philox4x32 10: counter 0, key 0 gives 6627e8d5 e169c58d ...
  const f64 first = philox_uniform<f64>{0}(0);
  CHECK(first == static_cast<f64>(0x6627e8d5e169c58dULL >> 11) * 0x1p-53);
  CHECK(philox_uniform<f32>{0}(0) == static_cast<f32>(0x6627e8d5U >> 8) * 0x1p-24f);
}

TEST_CASE("random: the same numbers on every device, whatever the shape") {
  for (const device dev : test_devices()) {
    const auto line = to_host(random<f64>(dev, {6 * 5 * 4}, 42));
    CHECK(to_host(random<f64>(dev, {6, 20}, 42)) == line);
    CHECK(to_host(random<f64>(dev, {6, 5, 4}, 42)) == line);
    CHECK(to_host(random<f64>(device::cpu(), {120}, 42)) == line);
    array<f64, 2> padded(dev, {9, 20});
    fill_random(padded(range(2, 8), whole), 42);
    CHECK(to_host(padded(range(2, 8), whole)) == line);
    const auto longer = to_host(random<f64>(dev, {1000}, 42));
    CHECK(std::vector<f64>(longer.begin(), longer.begin() + 120) == line);
    CHECK(to_host(random<f64>(dev, {120}, 43)) != line);
    CHECK(to_host(random<f32>(dev, {7, 11}, 1)) == to_host(random<f32>(device::cpu(), {77}, 1)));
    CHECK(random<f32>(dev, {0, 3}, 1).size() == 0);
  }
}

namespace {
template <class T>
void check_uniform(device dev, std::uint64_t seed) {
  const index_t n = is_quick() ? 10000 : 200000;
  f64 sum = 0, square = 0, neighbours = 0;
  const auto h = to_host(random<T>(dev, {n}, seed));
  int bins[16] = {};
  for (std::size_t i = 0; i < h.size(); ++i) {
    const f64 v = h[i];
    if (v < 0 || v >= 1) FAIL_CHECK("outside of [0, 1): " << v);
    sum += v;
    square += v * v;
    neighbours += (v - 0.5) * (h[i == 0 ? h.size() - 1 : i - 1] - 0.5);
    ++bins[static_cast<int>(v * 16)];
  }
  const f64 count = static_cast<f64>(n), mean = sum / count,
            variance = square / count - mean * mean;
  // Five standard errors.
  CHECK(std::abs(mean - 0.5) < 5 * std::sqrt(1 / 12.0 / count));
  CHECK(std::abs(variance - 1 / 12.0) < 5 * std::sqrt(1 / 180.0 / count));
  CHECK(std::abs(neighbours / count) < 5 / 12.0 / std::sqrt(count));
  for (const int b : bins) CHECK(std::abs(b - count / 16) < 5 * std::sqrt(count / 16));
}
}  // namespace

TEST_CASE("random: uniform in [0, 1): mean, variance, neighbours, bins") {
  for (const device dev : test_devices()) {
    check_uniform<f64>(dev, 42);
    check_uniform<f32>(dev, 42);
    check_uniform<f64>(dev, 0xFFFFFFFFFFFFFFFFu);
  }
}

TEST_CASE("random: no number comes twice among many") {
  const auto h = to_host(random<f64>(device::cpu(), {20000}, 7));
  CHECK(std::set<f64>(h.begin(), h.end()).size() == h.size());
}

TEST_CASE("random_normal: by hand from the generator's published test vector") {
  // Random123's kat_vectors: counter 0, key 0 gives 6627e8d5 e169c58d bc57ac4c 9b00dbd8.
  const f64 u = static_cast<f64>(0x6627e8d5e169c58dULL >> 11) * 0x1p-53;
  const f64 v = static_cast<f64>(0xbc57ac4c9b00dbd8ULL >> 11) * 0x1p-53;
  const f64 expected = std::sqrt(-2 * std::log(1 - u)) * std::cos(2 * std::acos(-1.0) * v);
  CHECK(philox_normal<f64>{0}(0) == doctest::Approx(expected).epsilon(1e-15));
  CHECK(philox_normal<f32>{0}(0) == static_cast<f32>(philox_normal<f64>{0}(0)));
}

TEST_CASE("random_normal: moments, tails, neighbours; nearly the same numbers on every device") {
  const index_t n = is_quick() ? 20000 : 400000;
  const auto on_cpu = to_host(random_normal<f64>(device::cpu(), {n}, 42));
  for (const device dev : test_devices()) {
    const auto h = to_host(random_normal<f64>(dev, {n / 20, 4, 5}, 42));
    f64 moment[5] = {}, neighbours = 0, beyond[5] = {};
    for (std::size_t i = 0; i < h.size(); ++i) {
      const f64 v = h[i];
      if (!(std::abs(v - on_cpu[i]) <= 1e-14)) FAIL_CHECK(v << " differs from " << on_cpu[i]);
      for (f64 power = v, *m = moment + 1; m < moment + 5; ++m, power *= v) *m += power;
      for (int t = 0; t < 5; ++t) beyond[t] += v > t - 1 ? 1 : 0;
      neighbours += v * h[i == 0 ? h.size() - 1 : i - 1];
    }
    const f64 count = static_cast<f64>(n), error = 5 / std::sqrt(count);  // five standard errors
    CHECK(std::abs(moment[1] / count) < error);
    CHECK(std::abs(moment[2] / count - 1) < error * std::sqrt(2.0));
    CHECK(std::abs(moment[3] / count) < error * std::sqrt(15.0));
    CHECK(std::abs(moment[4] / count - 3) < error * std::sqrt(96.0));
    CHECK(std::abs(neighbours / count) < error);
    for (int t = 0; t < 5; ++t) {
      const f64 p = std::erfc((t - 1) / std::sqrt(2.0)) / 2;
      CHECK(std::abs(beyond[t] / count - p) < error * std::sqrt(p * (1 - p)));
    }
    array<f32, 2> padded(dev, {9, 10});
    fill_random_normal(padded(range(2, 8), whole), 42);
    const auto inner = to_host(padded(range(2, 8), whole));
    for (std::size_t i = 0; i < inner.size(); ++i)
      CHECK(std::abs(inner[i] - static_cast<f32>(on_cpu[i])) <= 1e-6F);
  }
}

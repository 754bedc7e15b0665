// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <vector>

#include <teff/kernel/ceiling.hpp>
#include <teff/kernel/streaming_store.hpp>

#include "../compare.hpp"
#include "../generator.hpp"
#include "../message.hpp"

using namespace teff;
using namespace teff::test;

TEST_CASE("streaming store: any length and alignment, nothing beyond (generated)") {
  generator g("streaming stores");
  for (int round = 0; round < generator::rounds(3000); ++round) {
    const auto bytes = static_cast<std::size_t>(g.between(0, 400));
    const auto to = static_cast<std::size_t>(g.between(0, 70)),
               from = static_cast<std::size_t>(g.between(0, 70));
    std::vector<char> target(600, 'x'), source(600);
    for (char& c : source) c = static_cast<char>(g.between(0, 120));
    std::vector<char> expected = target;
    for (std::size_t i = 0; i < bytes; ++i) expected[to + i] = source[from + i];
    streaming_store_bytes(target.data() + to, source.data() + from, bytes);
    const std::string bad = difference(target, expected);
    if (!bad.empty()) FAIL_CHECK(bytes << " bytes from " << from << " to " << to << ": " << bad);
    g.count();
  }
  std::vector<double> numbers{1, 2, 3, 4, 5}, copy(5);
  streaming_store(copy.data(), numbers.data(), 5);
  CHECK(copy == numbers);
}

TEST_CASE("streaming store: small arrays stay in the cache") {
  CHECK_FALSE(exceeds_cache(1));
  CHECK(exceeds_cache(index_t{1} << 50));
}

TEST_CASE("the ceiling of a device is a throughput, measured once") {
  for (const device dev : test_devices()) {
    const double gb_per_s = measured_copy_gb_per_s(dev);
    CHECK(gb_per_s > 0.05);
    CHECK(gb_per_s < 1e5);
    CHECK(measured_copy_gb_per_s(dev) == gb_per_s);
  }
}

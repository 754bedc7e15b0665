// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <string>
#include <thread>

#include <teff/algo/random.hpp>
#include <teff/algo/segmented.hpp>
#include <teff/algo/segmented/warps.hpp>

#include "../compare.hpp"
#include "../devices.hpp"

using namespace teff;
using namespace teff::test;

TEST_CASE("segmented_sum: a list of bags that two host threads use at the same time") {
  const index_t N = 3000;
  const std::vector<range> bags{range(0, N), range(5, 5), range(9, N), range(10, 13)};
  // Each with a stream of its own; the list's memory grows, as there are ever more rows.
  const auto sum_often = [&](device dev, bool in_emulator, const bag_list& shared, index_t seed) {
    const stream on = stream::create(dev);
    std::string wrong;
    for (index_t D = 1; D <= (is_quick() ? 12 : 60); ++D) {
      const array<f64, 2> X = random<f64>(on, {D, N}, static_cast<std::uint64_t>(seed * 100 + D));
      array<f64, 2> O(on, {D, bags.size()}, "O"), P(on, {D, bags.size()}, "P");
      P = -1.0;
      segmented_sum(O, X, bags);  // a list of its own
      if (in_emulator)
        detail::segmented_warps(
            on,
            detail::segmented_call<f64, f64, f64, ops::sum>{
                P.view(), {X.data(), X.shape(), {X.stride(0), X.stride(1)}}, nullptr, 0, 0.0, {}},
            shared);
      else
        segmented_sum(P, X, shared);
      if (wrong.empty()) wrong = difference(to_host(P), to_host(O));
    }
    return wrong;
  };
  for (const device dev : test_devices())
    for (const bool in_emulator : {false, true}) {
      if (in_emulator && dev.is_cuda()) continue;
      const bag_list shared(dev, bags);
      std::string of_other;
      std::thread other([&] { of_other = sum_often(dev, in_emulator, shared, 1); });
      const std::string of_this = sum_often(dev, in_emulator, shared, 2);
      other.join();
      CHECK(of_this == "");
      CHECK(of_other == "");
    }
}

// SPDX-License-Identifier: MIT
#include <algorithm>
#include <vector>

#include <teff/algo/random.hpp>
#include <teff/array/host_copy.hpp>
#include <teff/expr/fd2.hpp>
#include <teff/stencil/iterate.hpp>

#include "../compare.hpp"
#include "../devices.hpp"
#include "../message.hpp"
#include "smoothing.hpp"

using namespace teff;
using namespace teff::test;

TEST_CASE("iterate: who watches changes no bit, and sees more and more steps") {
  for (const device dev : test_devices())
    for (const schedule how : {schedule::stepwise, schedule::temporal}) {
      const array<f64, 2> start = random<f64>(dev, {40, 30}, 3);
      array<f64, 2> T = start, alone = start;
      std::vector<index_t> seen;
      iterate_options options = by(how, 5000, how == schedule::temporal ? 3 : 0);
      iterate(smoothing(), options, alone);
      options.check_every = 700;
      options.watch = {1e-6, [&](index_t done) { seen.push_back(done); }};
      const iterate_report made = iterate(smoothing(), options, T);
      CHECK(made.steps() == 5000);
      CHECK(difference(to_host(T), to_host(alone)) == "");
      REQUIRE(!seen.empty());
      CHECK(std::is_sorted(seen.begin(), seen.end()));
      CHECK(seen.back() < 5000);
    }
}

TEST_CASE("iterate: what a watcher throws ends the run with the state of one step") {
  for (const device dev : test_devices()) {
    const array<f64, 2> start = random<f64>(dev, {40, 30}, 3);
    array<f64, 2> T = start, expected = start;
    iterate_options options = by(schedule::temporal, 1'000'000'000, 4);
    index_t last = 0;
    options.watch = {1e-6, [&](index_t done) {
                       last = done;
                       if (done > 100) throw error("enough");
                     }};
    CHECK(message_of([&] { iterate(smoothing(), options, T); }).find("enough") == 0);
    CHECK(last > 100);
    iterate(smoothing(), by(schedule::stepwise, last), expected);
    CHECK(difference(to_host(T), to_host(expected)) == "");
  }
}

TEST_CASE("iterate: a watcher that is never called is refused") {
  array<f64, 2> T = random<f64>(device::cpu(), {8, 8}, 3);
  iterate_options options = by(schedule::stepwise, 3);
  options.watch.call = [](index_t) {};
  CHECK(message_of([&] { iterate(smoothing(), options, T); }) ==
        "iterate: watch.every_s must be more than 0, got 0.000000");
}

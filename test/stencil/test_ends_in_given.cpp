// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <teff/algo/random.hpp>
#include <teff/array/host_copy.hpp>
#include <teff/expr/fd2.hpp>
#include <teff/stencil/iterate.hpp>

#include "../compare.hpp"
#include "../devices.hpp"

// Single steps of small fields end in the arrays that were given, so that nothing is copied there.

using namespace teff;
using namespace teff::fd2;
using namespace teff::test;

namespace {

auto heat() {
  return timestep([](auto T) {
    return update(inn(T), inn(T) + 0.1 * (d2_xi(T) + d2_yi(T)),
                  boundary{.x = periodic, .y = {gradient(0.5), fixed}});
  });
}

/// Whether so many steps, of those that are expected, end in the array that was given.
bool ends_in_given(const array<f64, 2>& T, index_t steps, index_t expected) {
  auto on = detail::stepper_of(heat(), T);
  on.expect(expected);
  on.start(single_steps(), 0);
  on.advance(steps, single_steps());
  const bool ends = on.current(0).first == T.data();
  on.finish();
  return ends;
}

}  // namespace

TEST_CASE("single steps of a small field end in its own array") {
  for (const device dev : test_devices())
    for (index_t steps = 1; steps <= 4; ++steps) {
      array<f64, 2> T = random<f64>(dev, {20, 12}, 3), by_one = T;
      CHECK(ends_in_given(T, steps, steps));
      for (index_t s = 0; s < steps; ++s) (void)ends_in_given(by_one, 1, 0);
      CHECK(difference(to_host(T), to_host(by_one)) == "");
    }
}

TEST_CASE("a run that ends elsewhere than was expected has the same values") {
  array<f64, 2> T = random<f64>(device::cpu(), {20, 12}, 3), expected = T;
  CHECK(!ends_in_given(T, 2, 3));
  CHECK(!ends_in_given(expected, 1, 0));
  CHECK(!ends_in_given(expected, 1, 0));
  CHECK(difference(to_host(T), to_host(expected)) == "");
}

TEST_CASE("what on_step and checks see and change are the arrays that were given") {
  const auto run = [](const iterate_options& options, array<f64, 2>& T) {
    iterate_options all = options;
    all.on_step = {3, [&](index_t done) { T(0, whole) = 1.0 * static_cast<double>(done) + ix; }};
    iterate(heat(), all, T);
  };
  array<f64, 2> expected = random<f64>(device::cpu(), {20, 12}, 3);
  array<f64, 2> T = expected;
  for (index_t begin = 0; begin < 10; begin += 3) {
    for (index_t s = begin; s < std::min<index_t>(begin + 3, 10); ++s)
      (void)ends_in_given(expected, 1, 0);
    if (begin + 3 <= 10) expected(0, whole) = 1.0 * static_cast<double>(begin + 3) + ix;
  }
  run({.steps = 10, .schedule = schedule::stepwise, .check_every = 2}, T);
  CHECK(difference(to_host(T), to_host(expected)) == "");
}

// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <teff/stencil/compare_with_single_steps.hpp>

using namespace teff;

TEST_CASE("verdicts: a kernel that was right on a small grid is compared again on a larger one") {
  runtime::kernel_verdicts known;
  const runtime::kernel_verdicts::kernel one(nullptr, "cuda:0", "", schedule::temporal, 8),
      other(nullptr, "cuda:0", "", schedule::temporal, 4);
  CHECK(!known.of(one, {9, 2, 1}));
  known.add(one, {9, 2, 1}, {});
  REQUIRE(known.of(one, {9, 2, 1}));
  CHECK(!*known.of(one, {9, 2, 1}));
  CHECK(known.of(one, {8, 1, 1}));
  CHECK(!known.of(one, {8, 3, 1}));
  CHECK(!known.of(one, {10, 2, 1}));
  CHECK(!known.of(one, {9, 2, 2}));
  CHECK(!known.of(other, {9, 2, 1}));
  known.add(one, {8, 3, 1}, "wrong bits");
  REQUIRE(known.of(one, {400, 70, 1}));
  CHECK(known.of(one, {400, 70, 1})->why() == "wrong bits");
}

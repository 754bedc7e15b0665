// SPDX-License-Identifier: MIT
#include <teff/algo/copy.hpp>
#include <teff/algo/random.hpp>
#include <teff/array/host_copy.hpp>
#include <teff/expr/fd1.hpp>
#include <teff/expr/fd2.hpp>
#include <teff/expr/fd3.hpp>
#include <teff/stencil/iterate.hpp>

#include "../compare.hpp"
#include "../devices.hpp"
#include "../message.hpp"

using namespace teff;
using namespace teff::test;
using namespace teff::fd2;

namespace {

/// Whether one block takes a stage, of a step over fields of such extents.
template <int N>
bool fits(const auto& step, int stage, const extents<N>& shape) {
  const array<f64, N> a(device::cpu(), shape), b(device::cpu(), shape);
  const auto on = detail::stepper_of(step, a, b);
  return on.table().fits_one_block(stage, on.fields().front().cells.count);
}

auto stages_of_two(const auto& join) {
  return timestep([=](auto A, auto B) {
    return join(update(inn(A), inn(A) + 0.1 * d2_xi(A) - 0.1 * d2_yi(B)),
                update(inn(B), inn(B) + 0.1 * d2_xi(B) + 0.1 * d2_yi(A)));
  });
}
const auto in_turn = [](const auto&... one) { return stages(one...); };
const auto at_once = [](const auto&... one) { return together(one...); };

}  // namespace

TEST_CASE("one block of a GPU takes stages of at most 256 cells") {
  const auto flat =
      timestep([](auto A, auto B) { return update(inn(A), inn(A) + 0.1 * d2_xi(A) - inn(B)); });
  CHECK(fits<2>(flat, 0, {18, 18}));
  CHECK(fits<2>(flat, 0, {130, 4}));
  CHECK(!fits<2>(flat, 0, {19, 18}));
  CHECK(!fits<2>(flat, 0, {2, 9}));  // no cells
  const auto deep = timestep([](auto A, auto B) {
    return update(fd3::inn(A), fd3::inn(A) + 0.1 * fd3::d2_zi(A) - fd3::inn(B));
  });
  CHECK(fits<3>(deep, 0, {4, 4, 66}));
  CHECK(!fits<3>(deep, 0, {3, 3, 67}));  // a block has at most 64 threads along z
}

TEST_CASE("one block takes no stage whose old values another one reads") {
  CHECK(fits<2>(stages_of_two(in_turn), 0, {9, 9}));
  CHECK(fits<2>(stages_of_two(in_turn), 1, {9, 9}));
  for (const int stage : {0, 1}) CHECK(!fits<2>(stages_of_two(at_once), stage, {9, 9}));
}

TEST_CASE("steps of few cells: in place on a GPU, with the bits of the CPU") {
  const boundary sides{.x = periodic, .y = {fixed, gradient(0.5)}};
  const auto with_sides = timestep([=](auto A, auto B) {
    return update(inn(A), inn(A) + 0.1 * (d2_xi(A) + d2_yi(A)) * inn(B), sides);
  });
  const auto check = [](const auto& step, const extents<2>& shape, bool is_small) {
    const auto a = random<f64>(device::cpu(), shape, 1), b = random<f64>(device::cpu(), shape, 2);
    for (const index_t steps : {1, 2, 5}) {
      array<f64, 2> A = a, B = b;
      iterate(step, {.steps = steps, .schedule = schedule::stepwise}, A, B);
      for (const device dev : test_devices()) {
        array<f64, 2> mine(dev, shape), other(dev, shape);
        copy(mine, a), copy(other, b);
        const auto made =
            iterate(step, {.steps = steps, .schedule = schedule::stepwise}, mine, other);
        CHECK(difference(to_host(mine), to_host(A)) == "");
        CHECK(difference(to_host(other), to_host(B)) == "");
        if (is_small) CHECK((made.scratch_bytes() == 0) == dev.is_cuda());
      }
    }
  };
  for (const auto& [shape, is_small] :
       {std::pair<extents<2>, bool>{{18, 18}, true}, {{5, 60}, true}, {{19, 18}, false}}) {
    check(with_sides, shape, is_small);
    check(stages_of_two(in_turn), shape, is_small);
    check(stages_of_two(at_once), shape, false);
  }
}

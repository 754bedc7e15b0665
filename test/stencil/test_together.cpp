// SPDX-License-Identifier: MIT
#include <array>
#include <string>
#include <vector>

#include <teff/algo/fill.hpp>
#include <teff/algo/random.hpp>
#include <teff/array/host_copy.hpp>
#include <teff/expr/fd1.hpp>
#include <teff/expr/fd2.hpp>
#include <teff/stencil/explain.hpp>
#include <teff/stencil/iterate.hpp>

#include "../compare.hpp"
#include "../devices.hpp"
#include "../message.hpp"

using namespace teff;
using namespace teff::test;

namespace {

/// Both arrays after some steps.
template <class Step, class T, int N>
std::array<std::vector<T>, 2> both_after(const Step& step, const iterate_options& options,
                                         const array<T, N>& u, const array<T, N>& v) {
  array<T, N> U = u, V = v;
  iterate(step, options, U, V);
  return {to_host(U), to_host(V)};
}

}  // namespace

TEST_CASE("together: all right-hand sides see the values from before the stage") {
  for (const device dev : test_devices()) {
    array<f64, 1> u(dev, {4}), v(dev, {4});
    u = 1.0 + ix, v = 10.0 * (1.0 + ix);
    const auto exchange =
        timestep([](auto u, auto v) { return together(update(u, 1.0 * v), update(v, 1.0 * u)); });
    const auto one_by_one =
        timestep([](auto u, auto v) { return stages(update(u, 1.0 * v), update(v, 1.0 * u)); });
    const std::vector<f64> few{1, 2, 3, 4}, many{10, 20, 30, 40};
    for (const int depth : {0, 1, 2, 3})
      for (const index_t steps : {1, 2, 5}) {
        iterate_options options{.steps = steps};
        if (depth > 0) options.schedule = schedule::temporal, options.depth = depth;
        const auto after = both_after(exchange, options, u, v);
        CHECK(after[0] == (steps % 2 == 1 ? many : few));
        CHECK(after[1] == (steps % 2 == 1 ? few : many));
        CHECK(both_after(one_by_one, options, u, v)[1] == many);
      }
    // What only the first update reads is written in place; what the second one reads is not.
    const auto chain =
        timestep([](auto u, auto v) { return together(update(u, u + v), update(v, 2.0 * v)); });
    const auto doubled = both_after(chain, {.steps = 2}, u, v);
    CHECK(doubled[0] == std::vector<f64>{31, 62, 93, 124});
    CHECK(doubled[1] == std::vector<f64>{40, 80, 120, 160});
    const auto turned =
        timestep([](auto u, auto v) { return together(update(v, 2.0 * v), update(u, u + v)); });
    CHECK(both_after(turned, {.steps = 2}, u, v) == doubled);
  }
}

TEST_CASE("together: conditions, residuals and stages beside it, under every schedule") {
  using namespace fd2;
  const auto react = [](const boundary& b) {
    return timestep([b](auto u, auto v) {
      auto r = fd2::inn(u) * sq(fd2::inn(v));
      return stages(
          together(update(fd2::inn(u),
                          fd2::inn(u) + 0.1 * (fd2::d2_xi(u) + fd2::d2_yi(u)) - 0.01 * r, b),
                   update(fd2::inn(v),
                          fd2::inn(v) + 0.05 * (fd2::d2_xi(v) + fd2::d2_yi(v)) + 0.01 * r, b)),
          update(u, u + 0.01 * v), residual(max_abs(u - v)));
    });
  };
  for (const device dev : test_devices())
    for (const boundary& b : {boundary{}, boundary{.x = periodic, .y = periodic},
                              boundary{.x = fixed(0.5), .y = {gradient(0.1), fixed}}}) {
      const auto u = random<f64>(dev, {130, 70}, 1), v = random<f64>(dev, {130, 70}, 2);
      const auto expected =
          both_after(react(b), {.steps = 9, .schedule = schedule::stepwise}, u, v);
      for (const int depth : {1, 2, 4}) {
        const auto got = both_after(
            react(b), {.steps = 9, .schedule = schedule::temporal, .depth = depth}, u, v);
        CHECK(difference(got[0], expected[0]) == "");
        CHECK(difference(got[1], expected[1]) == "");
      }
      CHECK(both_after(react(b), {.steps = 9}, u, v) == expected);
    }
}

TEST_CASE("together: a message counts it as one stage") {
  const device dev = device::cpu();
  const auto step = timestep([](auto u, auto v) {
    return stages(update(u, 2.0 * u), together(update(u, u + 1.0), update(v, 1.0 * u)));
  });
  const array<f64, 1> u = full(dev, {5}, 1.0), v = full(dev, {6}, 1.0);
  CHECK(contains(message_of([&] { iterate(step, 1, u, v); }), "stage 2 of 2, update 2 of 2: "));
}

TEST_CASE("together: bytes, memory and the text of a plan") {
  using namespace fd2;
  const auto react = timestep([](auto u, auto v) {
    auto r = fd2::inn(u) * sq(fd2::inn(v));
    return together(update(fd2::inn(u), fd2::inn(u) + 0.1 * (fd2::d2_xi(u) + fd2::d2_yi(u)) - r),
                    update(fd2::inn(v), fd2::inn(v) + 0.05 * (fd2::d2_xi(v) + fd2::d2_yi(v)) + r));
  });
  const auto u = random<f64>(device::cpu(), {100, 50}, 1),
             v = random<f64>(device::cpu(), {100, 50}, 2);
  const auto report = iterate(react, {.steps = 1, .schedule = schedule::stepwise}, u, v);
  CHECK(report.per_step().read_bytes == 2.0 * 100 * 50 * 8);
  CHECK(report.per_step().write_bytes == 2.0 * 100 * 50 * 8);
  CHECK(contains(explain(react, u, v).text, "fields 0, 1 together"));
}

// SPDX-License-Identifier: MIT
#include <limits>

#include <teff/algo/fill.hpp>
#include <teff/algo/random.hpp>
#include <teff/array/host_copy.hpp>
#include <teff/expr/fd2.hpp>
#include <teff/stencil/iterate.hpp>

#include "../compare.hpp"
#include "../devices.hpp"
#include "../message.hpp"
#include "smoothing.hpp"

/// What iterate() refuses, or runs in another way than asked, and what it says of it.
using namespace teff;
using namespace teff::test;
using teff::fd2::inn;

TEST_CASE("iterate: what temporal can not do runs step by step and says why") {
  for (const device dev : test_devices()) {
    const auto asked = by(schedule::temporal, 3, 2);
    array<f64, 2> T = random<f64>(dev, {20, 15}, 1), row_major = T;
    const auto fell_back = [](const iterate_report& r, const std::string& why) {
      CHECK(r.schedule() == schedule::stepwise);
      CHECK(r.depth() == 1);
      CHECK(contains(r.reason(), why));
      CHECK(contains(text_of(r), "; stepwise: " + r.reason()));
    };

    const array<f64, 2> outside = random<f64>(dev, {20, 15}, 2);
    const auto with_array = timestep([=](auto u) { return update(u, 0.5 * (u + outside)); });
    fell_back(iterate(with_array, asked, T),
              "the formula reads arrays that iterate() was not given");

    const auto strided = T(range(0, 20, 2), whole);
    fell_back(iterate(smoothing(), asked, strided),
              "a field's cells do not lie side by side along x");

    array<i32, 2> I = zeros<i32>(dev, {20, 15});
    fell_back(iterate(timestep([](auto u) { return update(u, u + 1); }), asked, I),
              "temporal works on f64 and f32 fields");
    CHECK(static_cast<i32>(I(19, 14)) == 3);
  }
}

TEST_CASE("iterate: bad input, with both sides") {
  const auto two = timestep([](auto T, auto C) { return update(inn(T), inn(T) * inn(C)); });
  for (const device dev : test_devices()) {
    array<f64, 2> T = full(dev, {10, 8}, 1.0, "T"), C = full(dev, {10, 9}, 1.0, "C");
    CHECK(
        message_of([&] { iterate(two, 3, T, C); }) ==
        "iterate: stage 1 of 1: extents do not match: inn(T) is 8x6, inn(C) is 8x7; all operands "
        "of a statement must have the same extents; inn(C) has one cell more along y: write "
        "av_ya(inn(C)) or d_ya(inn(C))?; field 0 is array 'T' of 10x8 f64, field 1 is array 'C' of "
        "10x9 f64");
    CHECK(message_of([&] { iterate(smoothing(), -1, T); }) ==
          "iterate: the number of steps must be 0 or more, got -1");
    CHECK(kind_of([&] { iterate(smoothing(), -1, T); }) == failure::usage);
    constexpr index_t highest = std::numeric_limits<index_t>::max();
    CHECK(contains(
        message_of([&] { iterate(smoothing(), {.steps = 3, .first_step = highest - 2}, T); }),
        "after 3 steps more no number is left"));
    CHECK(message_of([&] { iterate(smoothing(), by(schedule::temporal, 3, -2), T); }) ==
          "iterate: the depth must be 1 or more (0: chosen by the model), got -2");
    CHECK(to_host(T) == std::vector<f64>(80, 1.0));
    const auto smaller = timestep([](auto u) { return update(inn(u), fd2::d_xa(u)); });
    CHECK(contains(message_of([&] { iterate(smaller, 1, T); }),
                   "inn(T) is 8x6, neighbours of T is 9x8; "));
    const array<f64, 2> thin(dev, {1, 8}, "thin");
    CHECK(message_of([&] { iterate(smoothing(), 1, thin); }) ==
          "iterate: stage 1 of 1: too few cells: thin is 1x8; this operator needs at least 2 cells "
          "along dim 0; field 0 is array 'thin' of 1x8 f64");
    if (dev.is_cpu()) continue;
    const array<f64, 2> here = full(device::cpu(), {10, 8}, 1.0, "here");
    CHECK(contains(
        message_of([&] { iterate(two, 1, T, here); }),
        "arrays on different devices: the evolving field, array 'T' of 10x8 f64, is on cuda:0, "
        "array 'here' of 10x8 f64 is on cpu"));
  }
}

TEST_CASE("iterate: deeper than the kernels go, the report says so") {
  for (const device dev : test_devices()) {
    array<f64, 2> T = random<f64>(dev, {30, 30}, 5), U = T;
    const int deepest = plan_of(smoothing(), by(schedule::temporal, 300, 1000), T).depth;
    const auto r = iterate(smoothing(), by(schedule::temporal, 300, deepest + 5), T);
    CHECK(r.depth() == deepest);
    CHECK(contains(text_of(r), "; asked for " + std::to_string(deepest + 5) +
                                   " steps per pass, possible are at most " +
                                   std::to_string(deepest)));
    const auto single = iterate(smoothing(), by(schedule::stepwise, 1, 4), T);
    CHECK(contains(text_of(single),
                   "; stepwise: asked for, but not with 4 steps per pass: a depth "
                   "is for temporal"));
    iterate(smoothing(), by(schedule::stepwise, 1), U);
    if (dev.is_cpu()) {
      const auto stays = iterate(smoothing(), by(schedule::resident, 2), T);
      CHECK(contains(text_of(stays),
                     " (1 step per pass; fits in cache); stepwise: resident is for GPUs"));
      iterate(smoothing(), by(schedule::stepwise, 2), U);
    }
    iterate(smoothing(), by(schedule::stepwise, 300), U);
    CHECK(difference(to_host(T), to_host(U)) == "");
  }
}

TEST_CASE("iterate: fields that hold no real numbers run step by step") {
  for (const device dev : test_devices()) {
    const auto copies = timestep([](auto u) { return update(fd2::inn(u), fd2::inn(u)); });
    array<u8, 2> bytes = full(dev, {5, 4}, u8{3});
    const auto r = iterate(copies, by(schedule::temporal, 2), bytes);
    CHECK(contains(r.reason(), "temporal works on f64 and f32 fields"));
    CHECK(to_host(bytes) == std::vector<u8>(20, 3));
  }
}

TEST_CASE("iterate: extents that do not fit are told with stage, labels and what to write") {
  const auto run = [](const array<f64, 2>& a, const array<f64, 2>& b) {
    return message_of([&] {
      const auto late = [](auto T, auto C) {
        return stages(update(inn(T), inn(T) + inn(C)), update(T, T + (C - inn(T))));
      };
      iterate(timestep(late), 1, a, b);
    });
  };
  const device dev = device::cpu();
  const array<f64, 2> T(dev, {10, 8}, "T"), C(dev, {10, 8}, "C"), none(dev, {10, 8}),
      other(dev, {10, 8}, "T"), nameless(dev, {10, 8});
  const std::string rule = "; all operands of a statement must have the same extents; ";
  CHECK(run(T, C) ==
        "iterate: stage 2 of 2: extents do not match: C is 10x8, inn(T) is 8x6" + rule +
            "C has one cell more at each side: write inn(C)?; field 0 is array 'T' of 10x8 f64, "
            "field 1 is array 'C' of 10x8 f64");
  // Without labels, or with one label for two, fields are told by their numbers.
  for (const auto& [a, b] : {std::pair(&none, &nameless), std::pair(&T, &other)})
    CHECK(contains(run(*a, *b), "field 1 is 10x8, inn(field 0) is 8x6" + rule + "field 1 has"));
  CHECK(contains(run(none, C), "C is 10x8, inn(field 0) is 8x6"));
}

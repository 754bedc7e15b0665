// SPDX-License-Identifier: MIT
#include <string>
#include <vector>

#include <teff/algo/reduce.hpp>
#include <teff/array/host_copy.hpp>
#include <teff/base/bytes.hpp>
#include <teff/kernel/profile.hpp>
#include <teff/stencil/explain.hpp>
#include <teff/stencil/iterate.hpp>

#include "../compare.hpp"
#include "../devices.hpp"
#include "../message.hpp"
#include "handed_on.hpp"

using namespace teff;
using namespace teff::fd2;
using namespace teff::test;

namespace {

/// A is a Fibonacci number, B the one before it, C the one before that.
auto fibonacci() {
  return timestep([](auto A, auto B, auto C) {
    return together(update(A, A + B), update(B, A), update(C, B));
  });
}

template <class Fn, class... A>
std::string explained(const timestep<Fn>& step, const A&... fields) {
  return explain(step, {.steps = 8, .schedule = schedule::stepwise}, fields...).text;
}

/// Its first update stores over the oldest values, and others hand on their arrays.
template <class Fn, class... A>
bool hands_on(const timestep<Fn>& step, const A&... fields) {
  return detail::stepper_of(step, array_ref(fields)...).table().begins_ring(0);
}

}  // namespace

TEST_CASE("arrays that are handed on are the user's own again at the end") {
  for (const device dev : test_devices()) {
    const index_t n = dev.is_cuda() ? 1 << 18 : 5000;
    for (index_t steps = 1; steps <= 10; ++steps) {
      array<i64, 1> A(dev, {n}, "A"), B(dev, {n}, "B"), C(dev, {n}, "C");
      A = 1, B = 1, C = 0;
      const auto last_of_B = B(range(n - 1, n));  // a view that the user holds
      const i64 *const a = A.data(), *const b = B.data(), *const c = C.data();
      iterate(fibonacci(), {.steps = steps, .schedule = schedule::stepwise}, A, B, C);
      i64 expected[3] = {1, 1, 0};
      for (index_t k = 0; k < steps; ++k) {
        expected[2] = expected[1];
        expected[1] = expected[0];
        expected[0] += expected[2];
      }
      CHECK((min(A) == expected[0] && max(A) == expected[0]));
      CHECK((min(B) == expected[1] && max(B) == expected[1]));
      CHECK((min(C) == expected[2] && max(C) == expected[2]));
      CHECK(max(last_of_B) == expected[1]);
      CHECK((A.data() == a && B.data() == b && C.data() == c));
    }
  }
}

TEST_CASE("a profile and explain show what is moved where arrays are handed on") {
  for (const device dev : test_devices()) {
    const index_t nx = dev.is_cuda() ? 600 : 100;
    const extents<2> n(nx, 500);
    array<double, 2> U(dev, n, "U"), W(dev, n, "W"), C(dev, n, "C");
    U = 1, W = 1, C = 1;
    const auto step = membrane::step(as_they_are{});
    const profile p("wave");
    const auto run = iterate(step, {.steps = 4, .schedule = schedule::stepwise}, U, W, C);
    // By a copy five arrays, two of them as results, and a second array of U.
    CHECK(contains(p.table(), "statement -> array 'U' of " + std::to_string(nx - 2) + "x498 f64 "));
    CHECK_FALSE(contains(p.table(), "array 'W' of " + std::to_string(nx - 2)));
    CHECK_FALSE(contains(p.table(), " more"));
    const auto array_bytes = static_cast<double>(bytes(U));
    CHECK(run.scratch_bytes() <= array_bytes);
    const std::string text = explained(step, U, W, C);
    CHECK(contains(text, "A_eff " + bytes_text(static_cast<std::size_t>(5 * array_bytes))));
    CHECK(contains(text, "move " + bytes_text(static_cast<std::size_t>(4 * array_bytes))));
    CHECK_FALSE(contains(explained(membrane::step(times_one{}), U, W, C), "old values"));
    array<double, 2> small(dev, {9, 8}, "small"), older(dev, {9, 8}, "older"), known(dev, {9, 8});
    CHECK_FALSE(contains(explained(step, small, older, known), "old values"));
  }
}

TEST_CASE("arrays are handed on where nothing reads what would be lost") {
  const device cpu = device::cpu();
  const array<double, 2> U(cpu, {9, 8}, "U"), W(cpu, {9, 8}, "W"), X(cpu, {9, 8}, "X");
  const array<float, 2> F(cpu, {9, 8}, "F");
  CHECK(hands_on(timestep([](auto u, auto w) {
                   return together(update(inn(u), d2_xi(u) - inn(w)), update(inn(w), inn(u)));
                 }),
                 U, W));
  CHECK(hands_on(timestep([](auto u, auto w) {
                   return together(update(inn(u), d2_xi(u) - inn(w)), update(w, u));
                 }),
                 U, W));
  CHECK_FALSE(hands_on(timestep([](auto u, auto w) {  // the older level at neighbours
                         return together(update(inn(u), inn(u) - d2_xi(w)), update(w, u));
                       }),
                       U, W));
  CHECK_FALSE(hands_on(timestep([](auto u, auto w) {  // of other cells
                         return together(update(inn(u), inn(u) - inn(w)),
                                         update(inn_x(w), inn_x(u)));
                       }),
                       U, W));
  CHECK_FALSE(hands_on(timestep([](auto u, auto w) {  // with conditions of its own
                         return together(update(inn(u), inn(u) - inn(w)),
                                         update(inn(w), inn(u), boundary{.x = periodic}));
                       }),
                       U, W));
  CHECK_FALSE(hands_on(timestep([](auto u, auto w) {  // what is new
                         return stages(update(inn(u), inn(u) - inn(w)), update(w, u));
                       }),
                       U, W));
  CHECK_FALSE(hands_on(timestep([](auto u, auto w) {  // rounded
                         return together(update(inn(u), d2_xi(u)), update(w, convert<float>(u)));
                       }),
                       U, F));
  CHECK_FALSE(hands_on(timestep([](auto u, auto w, auto x) {  // another update reads what is lost
                         return together(update(inn(u), d2_xi(u)), update(w, u), update(x, w + u));
                       }),
                       U, W, X));
  CHECK_FALSE(hands_on(timestep([](auto u, auto w) {  // written by two stages
                         return stages(together(update(inn(u), d2_xi(u)), update(w, u)),
                                       update(inn(w), inn(w) * 0.5));
                       }),
                       U, W));
  CHECK_FALSE(hands_on(timestep([](auto u, auto w, auto x) {  // its border cells are read
                         return stages(together(update(inn(u), d2_xi(u)), update(inn(w), inn(u))),
                                       update(x, w));
                       }),
                       U, W, X));
}

TEST_CASE("a run that fails where arrays are handed on leaves the state before") {
  for (const device dev : test_devices()) {
    const extents<2> n(dev.is_cuda() ? 600 : 100, 300);
    const auto left_by = [&](const auto& old, std::string& message) {
      const auto step = timestep([=](auto U, auto W) {
        return together(update(inn(U), 1e60 * sq(inn(U)) + d2_xi(U) - inn(W)),
                        update(inn(W), old(inn(U))));
      });
      const auto U = random_array<double, 2>(dev, n, 1), W = random_array<double, 2>(dev, n, 2);
      message = message_of([&] {
        iterate(step, {.steps = 20, .schedule = schedule::stepwise, .check_every = 3}, U, W);
      });
      std::vector<double> all = to_host(U);
      const std::vector<double> older = to_host(W);
      all.insert(all.end(), older.begin(), older.end());
      return all;
    };
    std::string message, expected_message;
    const auto expected = left_by(times_one{}, expected_message),
               made = left_by(as_they_are{}, message);
    CHECK(contains(message, "after step 3"));
    CHECK(message == expected_message);
    CHECK(difference(made, expected) == "");
  }
}

TEST_CASE("a parameter follows a field whose array is handed on") {
  for (const device dev : test_devices()) {
    const extents<2> n(dev.is_cuda() ? 600 : 100, 300);
    const auto left_by = [&](const auto& old) {
      auto dt = param(0.1);
      dt.follows(2, [](auto, auto W) { return 0.1 / (1 + max_abs(W)); });
      const auto step = timestep([=](auto U, auto W) {
        return together(update(inn(U), inn(U) + dt * (d2_xi(U) - inn(W))),
                        update(inn(W), old(inn(U))));
      });
      const auto U = random_array<double, 2>(dev, n, 1), W = random_array<double, 2>(dev, n, 2);
      W(range(0, 1), whole) = 7.0;  // cells that no step writes
      iterate(step, {.steps = 7, .schedule = schedule::stepwise}, U, W);
      return to_host(U);
    };
    CHECK(difference(left_by(as_they_are{}), left_by(times_one{})) == "");
  }
}

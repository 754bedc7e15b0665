// SPDX-License-Identifier: MIT
#include <cstdlib>
#include <stdexcept>
#include <string>

#include <teff/array/array.hpp>
#include <teff/expr/fd1.hpp>
#include <teff/expr/statement.hpp>
#include <teff/formula/boundary.hpp>
#include <teff/solve.hpp>

/// A solver of a user, in one dim; TEFF_TEST_FAULT says what is wrong with it.
namespace {

using namespace teff;
using namespace teff::fd1;

bool has(const char* fault) {
  const char* wanted = std::getenv("TEFF_TEST_FAULT");
  return wanted != nullptr && std::string(wanted) == fault;
}

template <class R>
solve::solver make(const solve::setup& s) {
  if (has("throws")) throw std::runtime_error("no file 'bedrock.npy'");
  if (has("throws_error")) throw error(failure::usage, "the rod is too short");
  if (has("throws_number")) throw 42;
  const index_t n = has("shape") ? 7 : static_cast<index_t>(s.number("n"));
  const R k = s.number("k"), dt = has("dt") ? 0.1 : s.dt_or(0.25);
  array<R, 1> T(s.dev, {n}, has("no_label") ? "" : "T"), K(s.dev, {n}, has("twice") ? "T" : "K");
  array<i32, 1> mask(s.dev, {n}, "mask");
  T = where(ix == n / 2, 1.0, 0.0);
  K = has("not_finite") ? 1e300 : 1.0;
  mask = 1;
  if (has("types")) {
    const auto masked = timestep(
        [=](auto T, auto mask) { return update(inn(T), inn(T) + dt * inn(mask) * d2(T)); });
    return solve::solver(masked, dt, T, mask);
  }
  if (has("tolerance")) {  // nothing is wrong with it: it comes to rest
    const auto relaxing = timestep([=](auto T, auto K) {
      auto change = k * inn(K) * d2(T);
      return stages(update(inn(T), inn(T) + dt * change), residual(max_abs(change)));
    });
    return solve::solver(relaxing, 0, T, K);
  }
  if (has("follows")) {  // nor with it: its dt follows the flow
    auto follower = param(0.0);
    follower.follows(5, [=](auto T, auto) { return 0.25 / (1.0 + max_abs(T)); });
    const auto following = timestep(
        [=](auto T, auto K) { return update(inn(T), inn(T) + follower * k * inn(K) * d2(T)); });
    return solve::solver(following, follower, T, K);
  }
  const auto step =
      timestep([=](auto T, auto K) { return update(inn(T), inn(T) + dt * k * inn(K) * d2(T)); });
  solve::solver made(step, has("negative_dt") ? -1 : has("no_dt") ? 0 : dt, T, K);
  if (has("led_by_K")) return std::move(made).led_by("K");  // nor with this
  if (has("led_by_none")) return std::move(made).led_by("Q");
  if (has("spacings")) return std::move(made).spaced({1, 1});
  return std::move(made).spaced({0.5});
}

}  // namespace

int main(int argc, char** argv) {
  solve::spec rod{.name = has("name") ? "a rod" : "rod",
                  .about = "Heat in a rod.",
                  .steps = 20,
                  .numbers = {{"n", 33, "points", {{3, 1e6}}}, {"k", 1, "conductivity"}},
                  .make = [](const solve::setup& s) {
                    return s.type == "f32" && !has("f64_only") ? make<float>(s) : make<double>(s);
                  }};
  if (has("shape")) rod.shape = {9};
  if (has("tolerance")) {
    rod.tolerance = 1e-4;
    rod.has_dt = false;
    rod.steps = 5000;
  }
  if (has("dt_limit"))  // nor with this
    rod.dt_limit = [](const solve::setup& s) { return 0.5 / s.number("k"); };
  if (has("f32_alone")) rod.types = {"f32"};  // nor with this
  if (has("unknown_type")) rod.types = {"i32"};
  if (has("follows")) rod.has_dt = std::getenv("TEFF_TEST_HAS_DT") != nullptr;
  if (has("default")) rod.numbers[1].value = -1;
  if (has("two_numbers")) rod.numbers[0].name = "k";
  if (has("no_make")) rod.make = {};
  return solve::solve_main(argc, argv, rod);
}

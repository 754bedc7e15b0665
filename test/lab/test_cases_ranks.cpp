// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <limits>
#include <vector>

#include <teff/expr/fd2.hpp>

#include <bench/grid/grid_case.hpp>

using namespace teff;
using namespace teff::bench;

namespace {

/// A step of step_case.hpp, diffusion along x, whose loops may err.
struct diffusion_along_x {
  using value_type = double;
  static constexpr int rank = 2, fields = 1, evolving = 1;
  static inline bool has_wrong_loops = false;

  explicit diffusion_along_x(const std::vector<index_t>& shape) : n(shape) {}
  std::vector<index_t> extents(int) const { return n; }
  std::vector<double> start(int) const {
    return random_values<double>(static_cast<std::size_t>(n[0] * n[1]), 1);
  }
  auto step() const {
    return timestep([](auto T) { return update(fd2::inn(T), fd2::inn(T) + 0.25 * fd2::d2_xi(T)); });
  }
  void advance(std::vector<std::vector<double>>& values, int steps) const {
    for (int step = 0; step < steps; ++step) {
      const std::vector<double> old = values[0];
      for (index_t y = 1; y < n[1] - 1; ++y)
        for (index_t x = 1; x < n[0] - 1; ++x) {
          const auto at = static_cast<std::size_t>(x + n[0] * y);
          values[0][at] = 0.5 * old[at] + 0.25 * (old[at - 1] + old[at + 1]);
          if (has_wrong_loops) values[0][at] += 1;
        }
    }
  }
  double tolerance(int steps) const { return 4 * steps * std::numeric_limits<double>::epsilon(); }

  std::vector<index_t> n;
};

lab::setting on_three_ranks() {
  return {.shape = {40, 62}, .ranks = 3, .threads_of_rank = 1};
}

}  // namespace

TEST_CASE(
    "cases on ranks: loops that would take long run on a smaller grid, bits are all compared") {
  grid_fields<diffusion_along_x> fields(on_three_ranks());
  const auto check_after = [&](int steps, int made, double most_looped) {
    fields.reset();
    (void)fields.run({.steps = made});
    return fields.check(steps, most_looped);
  };
  lab::check_result found = check_after(50, 50, 1e9);
  CHECK_MESSAGE(found.ok, found.reason);
  CHECK(found.reference == "serial loops, all 2480 elements");
  CHECK(found.same_bits_as == "one rank, stepwise");

  found = check_after(51, 51, 50000);
  CHECK_MESSAGE(found.ok, found.reason);
  CHECK(found.reference == "serial loops, all 2480 elements of 40x62, 16 steps");
  found = check_after(52, 52, 16 * 700.0);
  CHECK_MESSAGE(found.ok, found.reason);
  CHECK(found.reference == "serial loops, all 620 elements of 20x31, 16 steps");

  found = check_after(52, 51, 1e9);  // what one rank gives after 52 steps is known
  CHECK_FALSE(found.ok);
  CHECK(found.reason == "its bits differ from those of one rank");
}

TEST_CASE("cases on ranks: one rank is compared with loops") {
  diffusion_along_x::has_wrong_loops = true;
  for (const double most_looped : {1e9, 1000.0}) {
    grid_fields<diffusion_along_x> fields(on_three_ranks());
    fields.reset();
    (void)fields.run({.steps = 3});
    const lab::check_result found = fields.check(3, most_looped);
    CHECK_FALSE(found.ok);
    CHECK(found.reason.find("elements differ, first at (1, 1)") != std::string::npos);
  }
  diffusion_along_x::has_wrong_loops = false;
}

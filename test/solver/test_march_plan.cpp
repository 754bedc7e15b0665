// SPDX-License-Identifier: MIT
#include <algorithm>
#include <doctest/doctest.h>
#include <string>
#include <vector>

#include <teff/algo/reduce/tree.hpp>
#include <teff/solver/march_plan.hpp>

using namespace teff;

namespace {

/// Of values of so many bytes on an H200; x has a cell beyond each side of b.
runtime::march_plan plan_of(int bytes, std::vector<index_t> b) {
  const int rank = static_cast<int>(b.size());
  std::vector<index_t> x;
  for (const index_t n : b) x.push_back(n + 2);
  b.resize(3, 1), x.resize(3, 1);
  return runtime::planned_march(x.data(), b.data(), rank,
                                {.bytes = bytes,
                                 .vector = 16 / bytes,
                                 .may_share = bytes == 4 && rank < 3,
                                 .shared_bytes = index_t{bytes == 8 ? 22 : 20} * 1024},
                                {.processors = 132,
                                 .shared_bytes = index_t{227} * 1024,
                                 .shared_bytes_of_two = index_t{97} * 1024,
                                 .chunks_a_block = 2});
}

}  // namespace

TEST_CASE("march plan: the blocks' runs have each chunk once") {
  const std::vector<index_t> shapes[] = {{8191, 8191},   {2045, 2045},  {19999, 2999}, {99, 30000},
                                         {255, 255, 65}, {63, 63, 900}, {3000000}};
  for (const auto& b : shapes)
    for (const int bytes : {4, 8}) {
      const runtime::march_plan plan = plan_of(bytes, b);
      CAPTURE(b[0]);
      CAPTURE(bytes);
      REQUIRE(plan.runs > 0);
      std::vector<int> seen(static_cast<std::size_t>(plan.chunks));
      for (int run = 0; run < plan.runs; ++run) {
        int chunk = run / plan.stride * plan.turns_of_run * plan.stride + run % plan.stride;
        for (int turn = 0; turn < plan.turns_of_run && chunk < plan.chunks; ++turn) {
          ++seen[static_cast<std::size_t>(chunk)];
          chunk += plan.stride;
        }
      }
      CHECK(std::all_of(seen.begin(), seen.end(), [](int times) { return times == 1; }));
    }
}

TEST_CASE("march plan: rows of parts, rings, and two blocks where they fit") {
  const runtime::march_plan rows = plan_of(8, {8191, 8191});
  CHECK(!rows.is_ring);
  CHECK(rows.stride == 2);
  CHECK(rows.runs == 132);
  CHECK(rows.capacity == 3 * rows.width);
  CHECK(plan_of(4, {8191, 8191}).runs > 132);
  const runtime::march_plan ring = plan_of(4, {5999, 8999});
  CHECK(ring.is_ring);
  CHECK(ring.runs == 264);
  CHECK(plan_of(4, {19999, 2999}).runs == 132);  // a ring too long for two
}

TEST_CASE("march plan: none where blocks have few chunks, or more is read than fits") {
  CHECK(plan_of(8, {1040, 1040}).runs > 0);  // two chunks a block
  CHECK(plan_of(8, {1030, 1030}).runs == 0);
  CHECK(plan_of(4, {1040, 1040}).runs == 0);  // of twice as many blocks
  CHECK(plan_of(8, {509, 509, 509}).runs == 0);
  CHECK(plan_of(8, {70000, 70000}).runs == 0);  // places among cells are ints
  CHECK(plan_of(8, {0, 10}).runs == 0);
}

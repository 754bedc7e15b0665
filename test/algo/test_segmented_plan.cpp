// SPDX-License-Identifier: MIT
#include <algorithm>

#include <teff/algo/segmented/plan.hpp>

#include "../generator.hpp"
#include "../message.hpp"

using namespace teff;
using namespace teff::runtime;
using namespace teff::test;

namespace {

/// The columns below a node, in the order in which they are combined.
void append_columns(const segmented_plan& plan, const segment_task& task, bool is_piece,
                    std::vector<index_t>& columns) {
  if (is_piece) {
    for (int c = 0; c < task.count; ++c) columns.push_back(task.first + c);
    return;
  }
  for (index_t slot = task.first; slot < task.first + task.count; ++slot) {
    for (const segment_task& piece : plan.pieces)
      if (piece.slot == slot) append_columns(plan, piece, true, columns);
    for (const segment_task& node : plan.nodes)
      if (node.slot == slot) append_columns(plan, node, false, columns);
  }
}

}  // namespace

TEST_CASE("segmented plan: pieces and nodes of a few bags") {
  const segmented_plan plan({{0, 3}, {3, 3}, {10, 74}, {74, 139}, {5, 7}});
  CHECK(plan.bags == 5);
  CHECK(plan.columns == 134);
  CHECK(plan.empty_bags == std::vector<index_t>{1});
  REQUIRE(plan.pieces.size() == 5);
  CHECK(plan.pieces[1].first == 10);
  CHECK(plan.pieces[1].count == 64);
  CHECK(plan.pieces[1].slot == -1);  // 64 columns are one piece
  CHECK(plan.pieces[2].slot == 0);   // 65 are two
  CHECK(plan.pieces[3].count == 1);
  CHECK(plan.pieces[3].slot == 1);
  CHECK(plan.pieces[4].bag == 4);
  REQUIRE(plan.nodes.size() == 1);
  CHECK(plan.nodes[0].bag == 3);
  CHECK(plan.nodes[0].count == 2);
  CHECK(plan.nodes[0].slot == -1);
  CHECK(plan.slots == 2);
}

TEST_CASE("segmented plan: a long bag takes several levels, in the order of its columns") {
  const index_t columns = 64 * 32 * 32 + 1;
  const segmented_plan plan({{7, 7 + columns}, {0, 100}});
  CHECK(plan.level_end == std::vector<index_t>{34, 36, 37});
  CHECK(plan.nodes.back().count == 2);
  CHECK(plan.nodes.back().slot == -1);
  const segmented_plan small({{7, 7 + 64 * 33}});
  std::vector<index_t> order, expected(64 * 33);
  append_columns(small, small.nodes.back(), false, order);
  for (std::size_t c = 0; c < expected.size(); ++c) expected[c] = 7 + static_cast<index_t>(c);
  CHECK(order == expected);
}

TEST_CASE("segmented plan: generated bags are covered once, runs are balanced") {
  generator g("segmented plans");
  for (int round = 0; round < generator::rounds(1500); ++round) {
    std::vector<column_range> bags(static_cast<std::size_t>(g.between(0, 40)));
    index_t columns = 0;
    for (auto& b : bags) {
      b.begin = g.between(0, 500);
      b.end = b.begin + (g.chance(20) ? 0 : g.chance(80) ? g.between(1, 10) : g.between(1, 5000));
      columns += b.end - b.begin;
    }
    const segmented_plan plan(bags);
    CHECK(plan.columns == columns);
    index_t covered = 0, slots = 0;
    std::vector<int> filled(static_cast<std::size_t>(plan.slots), 0);
    const auto look_at = [&](const segment_task& task) {
      slots += task.slot >= 0;
      CHECK((task.slot >= 0) == (task.node >= 0));
      if (task.slot < 0) return;
      ++filled[static_cast<std::size_t>(task.slot)];
      const segment_task& above = plan.nodes[static_cast<std::size_t>(task.node)];
      CHECK(above.bag == task.bag);
      CHECK((task.slot >= above.first && task.slot < above.first + above.count));
    };
    for (const auto& piece : plan.pieces) {
      covered += piece.count;
      CHECK((piece.count >= 1 && piece.count <= segmented_plan::piece_columns));
      look_at(piece);
    }
    for (const auto& node : plan.nodes) {
      CHECK((node.count >= 1 && node.count <= segmented_plan::node_parts));
      look_at(node);
    }
    CHECK(covered == columns);
    CHECK(slots == plan.slots);
    CHECK(std::all_of(filled.begin(), filled.end(), [](int times) { return times == 1; }));
    const index_t wanted = g.between(1, 64);
    const auto runs = plan.runs(wanted);
    CHECK(runs.back() == static_cast<index_t>(plan.pieces.size()));
    for (std::size_t r = 0; r + 1 < runs.size(); ++r) {
      const index_t pieces = runs[r + 1] - runs[r];
      CHECK((pieces >= 1 && pieces <= segmented_plan::most_pieces));
      index_t before_last = 0;
      for (index_t p = runs[r]; p + 1 < runs[r + 1]; ++p)
        before_last += plan.pieces[static_cast<std::size_t>(p)].count;
      CHECK(before_last < wanted);
    }
    g.count();
  }
}

TEST_CASE("segmented plan: errors") {
  CHECK(contains(message_of([] {
                   segmented_plan({{0, 2}, {5, 4}});
                 }),
                 "bag 1 is no range of columns: [5, 4)"));
  CHECK(contains(message_of([] { segmented_plan({{-1, 2}}); }), "bag 0 is no range"));
  CHECK(contains(message_of([] {
                   segmented_plan({{0, 2}, {5, 9}, {1, 3}}).check_columns({8, "X"});
                 }),
                 "bag 1 ends at column 9, beyond X, which has 8 columns"));
  // At once: a plan of such a bag would fill the memory.
  CHECK(contains(message_of([] {
                   segmented_plan({{0, index_t{1} << 62}}, {8, "X"});
                 }),
                 "beyond X, which has 8 columns"));
  segmented_plan({{0, 2}, {5, 9}}).check_columns({9, "X"});
  CHECK(contains(message_of([] {
                   (void)ranges_between(std::vector<i64>{0, 4, 3});
                 }),
                 "not sorted: offsets[1] is 4, offsets[2] is 3"));
  CHECK(contains(message_of([] { (void)ranges_between(std::vector<i32>{}); }), "got none"));
  CHECK(contains(message_of([] {
                   (void)ranges_between(std::vector<i32>{-2, 3});
                 }),
                 "offsets[0] is -2"));
  CHECK(ranges_between(std::vector<i32>{0, 2, 2}).size() == 2);
}

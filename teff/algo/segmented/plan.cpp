// SPDX-License-Identifier: MIT
#include <algorithm>
#include <limits>

#include <teff/algo/segmented/plan.hpp>
#include <teff/base/error.hpp>

namespace teff::runtime {

namespace {

std::string text_of(const column_range& r) {
  return "[" + std::to_string(r.begin) + ", " + std::to_string(r.end) + ")";
}

/// Tasks [first, end) of one bag in `tasks` that want a node above them.
struct level_of_bag {
  index_t first, end;
};

}  // namespace

segmented_plan::segmented_plan(const std::vector<column_range>& ranges, const columns_of& all)
    : bags(static_cast<index_t>(ranges.size())) {
  for (index_t bag = 0; bag < bags; ++bag) {
    const column_range r = ranges[static_cast<std::size_t>(bag)];
    if (r.begin < 0 || r.end < r.begin)
      throw error("bag " + std::to_string(bag) + " is no range of columns: " + text_of(r) +
                  "; expected 0 <= begin <= end");
    if (r.end > last_end) {
      last_end = r.end;
      last_bag = bag;
    }
  }
  check_columns(all);
  std::vector<level_of_bag> open;  // the parts of a bag of several, in the level below
  for (index_t bag = 0; bag < bags; ++bag) {
    const column_range r = ranges[static_cast<std::size_t>(bag)];
    columns += r.end - r.begin;
    if (r.begin == r.end) {
      empty_bags.push_back(bag);
      continue;
    }
    const auto first = static_cast<index_t>(pieces.size());
    for (index_t at = r.begin; at < r.end; at += piece_columns)
      pieces.push_back(
          {at, bag, -1, static_cast<int>(std::min<index_t>(r.end - at, piece_columns)), -1});
    const auto end = static_cast<index_t>(pieces.size());
    if (end - first > 1) open.push_back({first, end});
  }
  std::vector<segment_task>* below = &pieces;
  while (!open.empty()) {
    std::vector<level_of_bag> still_open;
    for (const level_of_bag& parts : open) {
      const auto first_node = static_cast<index_t>(nodes.size());
      for (index_t at = parts.first; at < parts.end; at += node_parts) {
        const index_t count = std::min<index_t>(parts.end - at, node_parts);
        const auto bag = (*below)[static_cast<std::size_t>(at)].bag;
        for (index_t part = at; part < at + count; ++part) {
          segment_task& task = (*below)[static_cast<std::size_t>(part)];
          task.slot = slots + part - at;
          task.node = static_cast<int>(nodes.size());
        }
        nodes.push_back({slots, bag, -1, static_cast<int>(count), -1});
        slots += count;
      }
      const auto end = static_cast<index_t>(nodes.size());
      if (end - first_node > 1) still_open.push_back({first_node, end});
    }
    level_end.push_back(static_cast<index_t>(nodes.size()));
    open = std::move(still_open);
    below = &nodes;
  }
  if (nodes.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()))
    throw error("bags of " + std::to_string(columns) + " columns are too many for one call");
}

std::vector<index_t> segmented_plan::runs(index_t columns_of_run) const {
  std::vector<index_t> first;
  index_t cost = 0;
  for (std::size_t p = 0; p < pieces.size(); ++p) {
    const auto at = static_cast<index_t>(p);
    if (first.empty() || cost >= columns_of_run || at - first.back() == most_pieces) {
      first.push_back(at);
      cost = 0;
    }
    cost += pieces[p].count;
  }
  first.push_back(static_cast<index_t>(pieces.size()));
  return first;
}

void segmented_plan::check_columns(const columns_of& all) const {
  if (last_end > all.count)
    throw error("bag " + std::to_string(last_bag) + " ends at column " + std::to_string(last_end) +
                ", beyond " + all.whose + ", which has " + std::to_string(all.count) + " columns");
}

void add_bag(std::vector<column_range>& bags, index_t start, index_t stop, index_t step) {
  if (step != 1)
    throw error("bag " + std::to_string(bags.size()) + " has a step of " + std::to_string(step) +
                "; the columns of a bag lie side by side");
  bags.push_back({start, stop});
}

template <class I>
std::vector<column_range> ranges_between(const std::vector<I>& offsets) {
  if (offsets.empty())
    throw error("offsets of bags: got none; B bags have B + 1 offsets, so no bags have one");
  std::vector<column_range> ranges;
  ranges.reserve(offsets.size() - 1);
  if (offsets[0] < 0)
    throw error("offsets of bags: offsets[0] is " + std::to_string(offsets[0]) +
                "; columns count from 0");
  for (std::size_t b = 1; b < offsets.size(); ++b) {
    if (offsets[b] < offsets[b - 1])
      throw error("offsets of bags are not sorted: offsets[" + std::to_string(b - 1) + "] is " +
                  std::to_string(offsets[b - 1]) + ", offsets[" + std::to_string(b) + "] is " +
                  std::to_string(offsets[b]));
    ranges.push_back({static_cast<index_t>(offsets[b - 1]), static_cast<index_t>(offsets[b])});
  }
  return ranges;
}

template std::vector<column_range> ranges_between(const std::vector<i64>&);
template std::vector<column_range> ranges_between(const std::vector<i32>&);

}  // namespace teff::runtime

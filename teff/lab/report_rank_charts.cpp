// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>
#include <set>

#include <teff/lab/report_charts.hpp>
#include <teff/lab/table.hpp>

namespace teff::lab {

namespace {

using results_by_ranks = std::map<int, const result*>;

std::string size_of(const result& r, scaling how) {
  std::vector<index_t> shape = r.shape;
  if (how == scaling::weak) shape.back() /= r.ranks->count;
  return shape_text(shape) + (how == scaling::weak ? " a rank" : "");
}

/// Results of one line: the same variant, type and whole, or part of each rank.
std::map<std::string, results_by_ranks> lines_of(const std::vector<result>& of_case, scaling how) {
  std::map<std::string, results_by_ranks> lines;
  for (const result& r : of_case) {
    if (!r.ranks || !r.is_verified() || !r.cells_per_s() || r.shape.empty()) continue;
    lines[r.variant + " " + r.type + " " + size_of(r, how)][r.ranks->count] = &r;
  }
  std::erase_if(lines, [](const auto& line) { return line.second.size() < 2; });
  return lines;
}

/// @param of gives y of a gain over the fewest ranks, and of how many times as many ranks there are
template <class Of>
page_chart ranks_chart(const std::vector<result>& of_case, scaling how,
                       const variant_colours& colours, const Of& of) {
  page_chart drawn{.x_label = "ranks", .has_log_x = true, .has_powers_of_two = true};
  std::set<int> counts;
  for (const auto& [name, results] : lines_of(of_case, how)) {
    const auto& [fewest, base] = *results.begin();
    page_series line{.name = name,
                     .points = {},
                     .colour = colours.of(base->variant),
                     .is_dashed = is_dashed(base->type)};
    for (const auto& [count, r] : results) {
      const double gain = *r->cells_per_s() / *base->cells_per_s();
      const double times = static_cast<double>(count) / fewest;
      counts.insert(count);
      line.points.push_back({static_cast<double>(count), of(gain, times),
                             name + " on " + counted(static_cast<std::size_t>(count), "rank") +
                                 ": speed-up " + significant(gain, 3) + ", efficiency " +
                                 significant(gain / times, 3)});
    }
    line.points.back().label = base->type + " " + size_of(*base, how);  // the colour is the same
    drawn.series.push_back(std::move(line));
  }
  if (drawn.series.empty()) return drawn;
  const double first = *counts.begin(), last = *counts.rbegin();
  drawn.series.push_back({.name = "ideal",
                          .points = {{first, of(1.0, 1.0)}, {last, of(last / first, last / first)}},
                          .look = series_look::line,
                          .colour = most_colours - 1});
  return drawn;
}

}  // namespace

page_chart speed_up_chart(const std::vector<result>& of_case, scaling how,
                          const variant_colours& colours) {
  page_chart drawn = ranks_chart(of_case, how, colours, [](double gain, double) { return gain; });
  drawn.y_label = "speed-up";
  return drawn;
}

page_chart efficiency_chart(const std::vector<result>& of_case, scaling how,
                            const variant_colours& colours) {
  page_chart drawn =
      ranks_chart(of_case, how, colours, [](double gain, double times) { return gain / times; });
  drawn.y_label = "efficiency";
  return drawn;
}

}  // namespace teff::lab

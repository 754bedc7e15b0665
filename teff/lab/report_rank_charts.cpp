// SPDX-License-Identifier: MIT
#include <set>

#include <teff/lab/report_charts.hpp>
#include <teff/lab/table.hpp>

namespace teff::lab {

namespace {

/// @param of gives y of a gain over the fewest ranks, and of how many times as many ranks there are
template <class Of>
page_chart ranks_chart(const std::vector<result>& of_case, scaling how,
                       const variant_colours& colours, const Of& of) {
  page_chart drawn{
      .x_label = "ranks", .has_log_x = true, .has_powers_of_two = true, .has_room_for_ends = true};
  std::set<int> counts;
  for (const rank_line& of_line : rank_lines(of_case, how)) {
    const result& base = of_line.fewest();
    page_series line{.name = base.variant + " " + base.type,
                     .points = {},
                     .colour = colours.of(base.variant),
                     .is_dashed = is_dashed(base.type)};
    for (const auto& [count, r] : of_line.by_ranks) {
      const double gain = of_line.speed_up(count), efficiency = of_line.efficiency(count);
      counts.insert(count);
      line.points.push_back({static_cast<double>(count), of(gain, gain / efficiency),
                             line.name + " " + of_line.size + ranks_text(*r) + ": speed-up " +
                                 significant(gain, 3) + ", efficiency " +
                                 significant(efficiency, 3)});
    }
    line.points.back().label = of_line.size;  // of the same variant and type are more
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

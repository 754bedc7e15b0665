// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <teff/lab/report_table.hpp>
#include <teff/lab/scale.hpp>
#include <teff/lab/shape_budget.hpp>

namespace teff::lab {

namespace {

/// The lessons' sizes.
std::vector<std::string> swept_shapes(const bench_case& c, device dev, int cell_bytes,
                                      double most_bytes) {
  const auto rank = static_cast<std::size_t>(std::clamp(2, c.least_rank, c.most_rank));
  const double most_cells =
      std::min(cells_of(c.default_shape(dev)), most_bytes / cell_bytes / c.arrays);
  std::vector<std::string> shapes;
  for (index_t n = 32;; n *= 2) {
    const std::vector<index_t> shape(rank, n - c.sweep_less);
    if (!shapes.empty() && cells_of(shape) > most_cells) return shapes;
    shapes.push_back(shape_text(shape));
  }
}

std::vector<std::string> swept_variants(const bench_case& c) {
  const auto one_step = std::ranges::find(c.variants, "stepwise", &variant::name);
  if (one_step == c.variants.end() || c.best == "stepwise") return {"best"};
  return {"stepwise", "best"};
}

}  // namespace

std::vector<job> plan_scale(std::span<const bench_case> cases, request wanted, double most_bytes) {
  if (wanted.cases.size() != 1)
    throw error(failure::usage, "scale: expected one case: teff scale CASE (teff list shows them)");
  const bench_case& c = find_case(cases, wanted.cases.front());
  if (wanted.variants.empty() && wanted.depths.empty() && wanted.threads.empty())
    wanted.variants = swept_variants(c);
  if (wanted.types.empty()) wanted.types = {c.types.front()};
  if (!wanted.shapes.empty()) return plan(cases, wanted);
  std::vector<job> jobs;
  for (const std::string& type : wanted.types) {
    request of_type = wanted;
    of_type.types = {type};
    of_type.shapes = swept_shapes(c, wanted.dev, bytes_of_type(type), most_bytes);
    std::ranges::move(plan(cases, of_type), std::back_inserter(jobs));
  }
  return jobs;
}

table scale_table(const std::vector<result>& results) {
  table t({{"case", align::left, narrow::drop, 8},  // the same in all rows
           {"variant", align::left},
           {"type", align::left, narrow::drop, 1},
           {"shape", align::left},
           {"steps/pass", align::right, narrow::drop, 5, "steps"},
           {"time/step", align::right, narrow::drop, 4, "time"},
           {"T_eff GB/s", align::right, narrow::keep, 0, "GB/s"},
           {"of ceiling", align::left, narrow::drop, 2},
           {"Gcells/s", align::right, narrow::drop, 3},
           {"check", align::left, narrow::drop, 7},
           {"notes", align::left, narrow::cut}});
  for (const result& r : results)
    t.add_row({r.case_name, r.variant, r.type, shape_text(r.shape),
               std::to_string(r.steps_per_pass), r.time ? time_text(r.time->median_s) : "",
               r.t_eff_gb_per_s() ? significant(*r.t_eff_gb_per_s(), 4) : "", fraction_text(r),
               r.cells_per_s() ? significant(*r.cells_per_s() / 1e9, 4) : "", check_text(r.check),
               joined(r.flags, ", ")});
  return t;
}

io::chart scale_chart(const report& r) {
  io::chart drawn{.x_label = "nx", .y_label = "T_eff [GB/s]", .has_log_x = true};
  std::set<double> sizes;
  bool is_of_memory = false;
  std::map<std::string, std::pair<io::chart_line, std::set<int>>> lines;  // and steps per pass
  if (!r.results.empty()) drawn.title = r.results.front().case_name + " on " + r.where.device_name;
  if (r.results.size() < r.planned)
    drawn.title +=
        ", " + std::to_string(r.results.size()) + " of " + std::to_string(r.planned) + " points";
  for (const result& found : r.results) {
    if (!found.is_verified() || !found.t_eff_gb_per_s()) continue;
    auto& [line, steps] = lines[found.variant + " " + found.type];
    const auto nx = static_cast<double>(found.shape.front());
    line.points.push_back({nx, *found.t_eff_gb_per_s()});
    steps.insert(found.steps_per_pass);
    is_of_memory = is_of_memory || (found.reason.empty() && devices_of(found) == 1);
    sizes.insert(nx);
  }
  for (auto& [name, entry] : lines) {
    auto& [line, steps] = entry;
    std::ranges::sort(line.points, {}, &io::chart_point::x);
    line.name = name + ", steps per pass: " + std::to_string(*steps.begin());
    if (steps.size() > 1) line.name += " to " + std::to_string(*steps.rbegin());
    drawn.lines.push_back(std::move(line));
  }
  drawn.x_ticks.assign(sizes.begin(), sizes.end());
  if (const auto peak = r.ceilings.t_peak_gb_per_s(); peak && is_of_memory)
    drawn.levels.push_back({"T_peak " + significant(*peak, 4) + " GB/s", *peak});
  return drawn;
}

}  // namespace teff::lab

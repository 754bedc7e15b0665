// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <teff/lab/report_charts.hpp>
#include <teff/lab/table.hpp>

namespace teff::lab {

namespace {

bool is_alike(const result& a, const result& b) {
  return a.case_name == b.case_name && a.device == b.device && a.type == b.type && a.dim == b.dim &&
         a.shape == b.shape && ranks_text(a) == ranks_text(b);
}

/// FLOPs for each byte that must be moved.
double intensity_of(const result& r) {
  return static_cast<double>(r.flop) / static_cast<double>(r.a_eff_bytes);
}

/// The fastest of each case and type, with one step per pass and with several.
std::vector<const result*> on_the_roofline(const report& r) {
  std::map<std::string, const result*> best;
  std::vector<std::string> order;
  for (const result& one : r.results) {
    if (!one.is_verified() || one.flop == 0 || one.a_eff_bytes == 0 || !one.gflop_per_s() ||
        one.has_flag(flag::fits_in_cache))
      continue;
    const std::string name = one.case_name + (one.dim ? " dim " + std::to_string(*one.dim) : "") +
                             " " + one.type + (one.steps_per_pass > 1 ? " several" : "");
    const auto [known, is_new] = best.emplace(name, &one);
    if (is_new) order.push_back(name);
    if (*one.gflop_per_s() > *known->second->gflop_per_s()) known->second = &one;
  }
  std::vector<const result*> all;
  for (const std::string& name : order) all.push_back(best.at(name));
  return all;
}

/// The line under which a type's results with one step per pass stay.
io::chart_line roof(const std::string& type, double peak_gflop_per_s, double t_peak_gb_per_s,
                    double least_intensity, double most_intensity) {
  const double ridge = peak_gflop_per_s / t_peak_gb_per_s;
  const double end = std::max(most_intensity, 4 * ridge);
  return {"roof " + type + ", " + significant(peak_gflop_per_s, 4) + " GFLOP/s",
          {{least_intensity, least_intensity * t_peak_gb_per_s},
           {ridge, peak_gflop_per_s},
           {end, peak_gflop_per_s}},
          io::drawn_as::line};
}

}  // namespace

io::chart roofline_chart(const report& r) {
  io::chart drawn{.x_label = "FLOP / byte of A_eff",
                  .y_label = "GFLOP/s",
                  .has_log_x = true,
                  .has_log_y = true};
  const std::vector<const result*> shown = on_the_roofline(r);
  const auto t_peak = r.ceilings.t_peak_gb_per_s();
  if (shown.empty() || !t_peak || *t_peak <= 0) return drawn;
  double least = intensity_of(*shown.front()), most = least;
  std::set<std::string> types;
  for (const result* one : shown) {
    least = std::min(least, intensity_of(*one));
    most = std::max(most, intensity_of(*one));
    types.insert(one->type);
  }
  for (const std::string& type : types) {
    const auto peak = type == "f64"   ? r.ceilings.f64_gflop_per_s
                      : type == "f32" ? r.ceilings.f32_gflop_per_s
                                      : std::nullopt;
    if (peak && *peak > 0) drawn.lines.push_back(roof(type, *peak, *t_peak, least / 2, 2 * most));
  }
  if (drawn.lines.empty())
    drawn.lines.push_back({"T_peak",
                           {{least / 2, least / 2 * *t_peak}, {2 * most, 2 * most * *t_peak}},
                           io::drawn_as::line});
  std::map<std::string, std::size_t> place;  // of a case's marks among the lines
  for (const result* one : shown) {
    const auto [known, is_new] = place.emplace(one->case_name, drawn.lines.size());
    if (is_new) drawn.lines.push_back({one->case_name, {}, io::drawn_as::marks});
    drawn.lines[known->second].points.push_back({intensity_of(*one), *one->gflop_per_s()});
  }
  return drawn;
}

io::chart variants_chart(const report& r, const result& best) {
  io::chart drawn{.y_label = "T_eff [GB/s]"};
  io::chart_line bars{best.type + ", " + shape_text(best.shape), {}, io::drawn_as::bars};
  for (const result& one : r.results) {
    if (!one.is_verified() || !is_alike(one, best) || !one.t_eff_gb_per_s()) continue;
    bars.points.push_back({static_cast<double>(drawn.x_names.size()), *one.t_eff_gb_per_s()});
    drawn.x_names.push_back(one.variant);
  }
  if (drawn.x_names.size() < 2) return {};
  drawn.lines.push_back(std::move(bars));
  if (best.fraction_of_ceiling && *best.fraction_of_ceiling > 0) {
    const double ceiling = *best.t_eff_gb_per_s() / *best.fraction_of_ceiling;  // of its own run
    drawn.levels.push_back(
        {std::string(name_of(best.ceiling)) + " ceiling " + significant(ceiling, 4) + " GB/s",
         ceiling});
  }
  return drawn;
}

io::chart launch_chart(const report& r, const result& best) {
  std::map<int, std::map<double, double>> rows;  // rows of threads: threads of a block: T_eff
  std::set<double> threads;
  for (const result& one : r.results) {
    if (!one.is_verified() || !is_alike(one, best) || !one.t_eff_gb_per_s() ||
        one.threads.empty() || one.variant.rfind("kernel", 0) != 0)
      continue;
    double count = 1;
    for (const int n : one.threads) count *= n;
    threads.insert(count);
    rows[static_cast<int>(count / one.threads.front())][count] = *one.t_eff_gb_per_s();
  }
  if (threads.size() < 3) return {};
  io::chart drawn{.x_label = "threads of a block",
                  .y_label = "T_eff [GB/s]",
                  .has_log_x = true,
                  .x_ticks = {threads.begin(), threads.end()}};
  for (const auto& [count, speeds] : rows) {
    io::chart_line line{"blocks of " + counted(static_cast<std::size_t>(count), "row"), {}};
    for (const auto& [x, y] : speeds) line.points.push_back({x, y});
    drawn.lines.push_back(std::move(line));
  }
  return drawn;
}

io::chart samples_chart(const result& r) {
  if (!r.time || r.time->samples_s.size() < 5) return {};
  const auto& samples = r.time->samples_s;
  const auto [least, most] = std::ranges::minmax(samples);
  const double unit = most < 1e-3 ? 1e-6 : 1e-3;
  const int bins = std::clamp(static_cast<int>(2 * std::sqrt(samples.size())), 5, 40);
  const double width = std::max((most - least) / bins, 1e-3 * most / bins);
  std::map<int, int> counts;
  for (int bin = 0; bin < bins; ++bin) counts[bin] = 0;
  for (const double s : samples)
    ++counts[std::min(bins - 1, static_cast<int>((s - least) / width))];
  io::chart drawn{.x_label = unit == 1e-3 ? "time of a step [ms]" : "time of a step [us]",
                  .y_label = "samples"};
  io::chart_line bars{
      r.variant + " " + r.type + ", " + counted(samples.size(), "sample"), {}, io::drawn_as::bars};
  for (const auto& [bin, count] : counts)
    bars.points.push_back({(least + (bin + 0.5) * width) / unit, static_cast<double>(count)});
  drawn.lines.push_back(std::move(bars));
  return drawn;
}

}  // namespace teff::lab

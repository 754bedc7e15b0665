// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include <teff/lab/report_charts.hpp>
#include <teff/lab/table.hpp>

namespace teff::lab {

namespace {

/// "kernel-32x8" -> "kernel", "scan-dim-0" -> "scan-dim".
std::string stem_of(const std::string& variant) {
  const std::size_t last = variant.find_last_not_of("0123456789x");
  const bool has_numbers = last != std::string::npos && last > 0 && last + 1 < variant.size();
  return has_numbers && variant[last] == '-' ? variant.substr(0, last) : variant;
}

/// FLOPs for each byte that must be moved.
double intensity_of(const result& r) {
  return static_cast<double>(r.flop) / static_cast<double>(r.a_eff_bytes);
}

/// The fastest of each case and dim, with one step per pass and with several.
std::vector<const result*> on_the_roofline(const report& r, const std::string& type) {
  std::map<std::string, const result*> best;
  std::vector<std::string> order;
  for (const result& one : r.results) {
    if (one.type != type || !one.is_verified() || one.flop == 0 || one.a_eff_bytes == 0 ||
        !one.gflop_per_s() || one.has_flag(flag::fits_in_cache) || devices_of(one) > 1)
      continue;
    const std::string name = one.case_name + (one.dim ? " dim " + std::to_string(*one.dim) : "") +
                             (one.steps_per_pass > 1 ? " several" : "");
    const auto [known, is_new] = best.emplace(name, &one);
    if (is_new) order.push_back(name);
    if (*one.gflop_per_s() > *known->second->gflop_per_s()) known->second = &one;
  }
  std::vector<const result*> all;
  for (const std::string& name : order) all.push_back(best.at(name));
  return all;
}

/// The line under which results with one step per pass stay.
page_series roof(std::optional<double> peak_gflop_per_s, double t_peak_gb_per_s, double least,
                 double most) {
  page_series s{.name = "T_peak " + significant(t_peak_gb_per_s, 4) + " GB/s",
                .points = {{least, least * t_peak_gb_per_s}},
                .look = series_look::line,
                .colour = 7};
  if (!peak_gflop_per_s || !(*peak_gflop_per_s > 0)) {
    s.points.push_back({most, most * t_peak_gb_per_s});
    return s;
  }
  const double ridge = *peak_gflop_per_s / t_peak_gb_per_s;
  s.points.push_back({ridge, *peak_gflop_per_s});
  s.points.push_back({std::max(most, 4 * ridge), *peak_gflop_per_s});
  s.name += ", arithmetic " + significant(*peak_gflop_per_s, 4) + " GFLOP/s";
  return s;
}

page_point on_roofline(const result& r) {
  const std::string dim = r.dim ? " dim " + std::to_string(*r.dim) : "";
  const std::string steps =
      r.steps_per_pass > 1 ? " x" + std::to_string(r.steps_per_pass) : std::string();
  return {
      intensity_of(r), *r.gflop_per_s(),
      r.case_name + dim + " " + r.type + ", " + r.variant + ": " +
          significant(*r.gflop_per_s(), 4) + " GFLOP/s at " + significant(intensity_of(r), 3) +
          " FLOP/byte" +
          (r.steps_per_pass > 1 ? ", " + std::to_string(r.steps_per_pass) + " steps per pass" : ""),
      r.case_name + dim + steps};
}

/// A line, a square or a cube, give or take a few cells: of such shapes a sweep over sizes is made.
bool has_equal_sides(const result& r) {
  const auto [least, most] = std::ranges::minmax(r.shape);
  return most - least <= most / 50;
}

page_chart histogram_of(const result& r, page_series bars, double unit) {
  const auto& samples = r.time->samples_s;
  const auto [least, most] = std::ranges::minmax(samples);
  const int bins = std::clamp(static_cast<int>(2 * std::sqrt(samples.size())), 5, 40);
  const double width = std::max((most - least) / bins, 1e-3 * most / bins);
  std::vector<int> counts(static_cast<std::size_t>(bins));
  for (const double s : samples)
    ++counts[static_cast<std::size_t>(std::min(bins - 1, static_cast<int>((s - least) / width)))];
  bars.look = series_look::bars;
  for (int bin = 0; bin < bins; ++bin) {
    const int count = counts[static_cast<std::size_t>(bin)];
    bars.points.push_back({(least + (bin + 0.5) * width) / unit, static_cast<double>(count),
                           counted(static_cast<std::size_t>(count), "sample")});
  }
  return {.y_label = "samples", .bar_width = width / unit, .series = {std::move(bars)}};
}

page_chart strip_of(const result& r, page_series marks, double unit) {
  marks.look = series_look::marks;
  for (const double s : r.time->samples_s)
    marks.points.push_back(
        {s / unit, static_cast<double>(marks.points.size()),
         "sample " + std::to_string(marks.points.size() + 1) + ": " + time_text(s)});
  return {.y_label = "samples, the first one below",
          .has_no_y_axis = true,
          .series = {std::move(marks)},
          .height = 150};
}

}  // namespace

bool is_alike(const result& a, const result& b) {
  return a.case_name == b.case_name && a.device == b.device && a.type == b.type && a.dim == b.dim &&
         a.shape == b.shape && ranks_text(a) == ranks_text(b);
}

bool is_dashed(const std::string& type) {
  return type != "f64";
}

variant_colours::variant_colours(const report& r) {
  std::map<std::string, std::set<std::string>> cases;  // of each stem
  for (const result& one : r.results) cases[stem_of(one.variant)].insert(one.case_name);
  std::vector<std::pair<std::string, std::size_t>> stems;
  for (const auto& [stem, of] : cases) stems.emplace_back(stem, of.size());
  std::ranges::stable_sort(stems, std::greater{}, &std::pair<std::string, std::size_t>::second);
  std::map<std::string, std::array<int, most_colours>> uses;  // of the colours in each case
  for (const auto& [stem, count] : stems) {
    std::array<int, most_colours> used{};
    for (const std::string& name : cases[stem])
      for (std::size_t c = 0; c < most_colours; ++c) used[c] += uses[name][c];
    const auto least = std::ranges::min_element(used) - used.begin();
    for (const std::string& name : cases[stem]) ++uses[name][static_cast<std::size_t>(least)];
    colours_.emplace(stem, static_cast<int>(least));
  }
}

int variant_colours::of(const std::string& variant) const {
  const auto known = colours_.find(stem_of(variant));
  return known == colours_.end() ? 0 : known->second;
}

page_chart roofline_chart(const report& r, const std::string& type, int width) {
  page_chart drawn{.x_label = "FLOP / byte of A_eff",
                   .y_label = "GFLOP/s",
                   .has_log_x = true,
                   .has_log_y = true,
                   .width = width,
                   .height = 470};
  const std::vector<const result*> shown = on_the_roofline(r, type);
  const auto t_peak = r.ceilings.t_peak_gb_per_s();
  if (shown.empty() || !t_peak || *t_peak <= 0) return drawn;
  double least = intensity_of(*shown.front()), most = least;
  for (const result* one : shown) {
    least = std::min(least, intensity_of(*one));
    most = std::max(most, intensity_of(*one));
  }
  const auto peak = type == "f64"   ? r.ceilings.f64_gflop_per_s
                    : type == "f32" ? r.ceilings.f32_gflop_per_s
                                    : std::nullopt;
  drawn.series.push_back(roof(peak, *t_peak, least / 2, 2 * most));
  page_series one_step{.name = "one step per pass", .points = {}, .look = series_look::marks};
  page_series several{.name = "several (x)", .points = {}, .look = series_look::marks, .colour = 6};
  for (const result* one : shown)
    (one->steps_per_pass > 1 ? several : one_step).points.push_back(on_roofline(*one));
  for (page_series* s : {&one_step, &several})
    if (!s->points.empty()) drawn.series.push_back(std::move(*s));
  return drawn;
}

page_chart sizes_chart(const report& r, const std::vector<result>& of_case,
                       const variant_colours& colours) {
  page_chart drawn{
      .x_label = "nx", .y_label = "T_eff [GB/s]", .has_log_x = true, .has_powers_of_two = true};
  bool is_of_memory = false;
  std::map<std::string, page_series> lines;
  for (const result& one : of_case) {
    if (one.shape.empty() || !has_equal_sides(one) || !one.is_verified() || !one.t_eff_gb_per_s())
      continue;
    const std::string name =
        one.variant + " " + one.type + (one.device == r.where.device ? "" : " on " + one.device);
    page_series& line = lines[name + std::to_string(one.shape.size()) + ranks_text(one)];
    line.name = name + ranks_text(one);
    line.colour = colours.of(one.variant);
    line.is_dashed = is_dashed(one.type);
    line.points.push_back({static_cast<double>(one.shape.front()), *one.t_eff_gb_per_s(),
                           line.name + ", " + shape_text(one.shape) + ": " +
                               significant(*one.t_eff_gb_per_s(), 4) +
                               " GB/s, steps per pass: " + std::to_string(one.steps_per_pass)});
    is_of_memory = is_of_memory || (one.reason.empty() && devices_of(one) == 1);
  }
  for (auto& [name, line] : lines) {
    if (line.points.size() < 3) continue;
    std::ranges::sort(line.points, {}, &page_point::x);
    drawn.series.push_back(std::move(line));
  }
  if (const auto peak = r.ceilings.t_peak_gb_per_s(); peak && is_of_memory)
    drawn.levels.push_back({"T_peak " + significant(*peak, 4) + " GB/s", *peak});
  return drawn;
}

page_chart launch_chart(const report& r, const result& best, const variant_colours& colours) {
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
  page_chart drawn{.x_label = "threads of a block",
                   .y_label = "T_eff [GB/s]",
                   .has_log_x = true,
                   .has_powers_of_two = true};
  for (const auto& [count, speeds] : rows) {
    const std::string size = counted(static_cast<std::size_t>(count), "row");
    page_series line{.name = "kernel " + best.type,
                     .points = {},
                     .colour = colours.of("kernel"),
                     .is_dashed = is_dashed(best.type)};
    for (const auto& [x, y] : speeds)
      line.points.push_back(
          {x, y, significant(x, 4) + " threads in " + size + ": " + significant(y, 4) + " GB/s"});
    line.points.back().label = size;
    drawn.series.push_back(std::move(line));
  }
  return drawn;
}

page_chart samples_chart(const result& r, const variant_colours& colours) {
  constexpr std::size_t least_for_histogram = 20, least = 2;
  if (!r.time || r.time->samples_s.size() < least) return {};
  const double most = std::ranges::max(r.time->samples_s);
  const double unit = most < 1e-3 ? 1e-6 : 1e-3;
  page_series series{
      .name = r.variant + " " + r.type + ", " + counted(r.time->samples_s.size(), "sample"),
      .points = {},
      .colour = colours.of(r.variant),
      .is_dashed = is_dashed(r.type)};
  const bool is_strip = r.time->samples_s.size() < least_for_histogram;
  page_chart drawn =
      is_strip ? strip_of(r, std::move(series), unit) : histogram_of(r, std::move(series), unit);
  drawn.x_label = unit == 1e-3 ? "time of a step [ms]" : "time of a step [us]";
  return drawn;
}

}  // namespace teff::lab

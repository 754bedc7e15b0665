// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include <teff/lab/rank_scale.hpp>
#include <teff/lab/report_table.hpp>
#include <teff/lab/shape_budget.hpp>

namespace teff::lab {

namespace {

std::vector<int> usual_ranks(device dev) {
  std::vector<int> ranks;
  for (int count = 1; count <= std::max(2, default_ranks(dev)); count *= 2) ranks.push_back(count);
  return ranks;
}

std::vector<index_t> shape_of_whole(std::vector<index_t> shape, scaling how, int ranks) {
  if (how == scaling::weak) shape.back() *= ranks;
  return shape;
}

/// The case's shape, or a smaller one, with which the largest run fits.
std::string default_shape(const bench_case& c, const request& wanted, scaling how,
                          double most_bytes) {
  const int most = how == scaling::weak ? std::ranges::max(wanted.ranks) : 1;
  const std::string& type = wanted.types.empty() ? c.types.front() : wanted.types.front();
  return shape_text(shape_that_fits(c.default_shape(wanted.dev), c.arrays * most,
                                    bytes_of_type(type), most_bytes));
}

/// With weak scaling parts are alike, with strong scaling wholes.
bool is_weak(const std::vector<result>& results) {
  return std::ranges::none_of(results, [&](const result& a) {
    return std::ranges::any_of(results, [&](const result& b) {
      return a.ranks && b.ranks && a.ranks->count != b.ranks->count && a.shape == b.shape;
    });
  });
}

/// What results of one line have in common.
std::string size_text(const result& r, bool is_weak) {
  std::vector<index_t> shape = r.shape;
  if (is_weak && r.ranks) shape.back() /= r.ranks->count;
  return shape_text(shape);
}
std::string line_of(const result& r, bool is_weak) {
  return r.variant + " " + r.type + " " + size_text(r, is_weak);
}

/// Cells a second of so many ranks.
struct point {
  int ranks;
  double rate;
};

/// Those with the fewest ranks, by line.
std::map<std::string, point> fewest_ranks(const std::vector<result>& results, bool is_weak) {
  std::map<std::string, point> found;
  for (const result& r : results) {
    if (!r.ranks || !r.is_verified() || !r.cells_per_s()) continue;
    const auto [known, is_new] =
        found.emplace(line_of(r, is_weak), point{r.ranks->count, *r.cells_per_s()});
    if (!is_new && r.ranks->count < known->second.ranks)
      known->second = {r.ranks->count, *r.cells_per_s()};
  }
  return found;
}

std::string percent_text(double part) {
  return significant(100 * part, 3) + " %";
}

/// The part of a step in which the slowest rank exchanges, waiting included.
double exchanging_part(const result& r) {
  return std::min(1.0, r.ranks->exchange_s / r.time->median_s);
}

/// On most ranks, of these the one with most cells, f64 before others.
const rank_line* largest(const std::vector<rank_line>& lines) {
  const auto found = std::ranges::max_element(lines, {}, [](const rank_line& line) {
    const result& r = line.fewest();
    return std::tuple(line.by_ranks.rbegin()->first, cells_of(r.shape), r.type == "f64");
  });
  return found == lines.end() ? nullptr : &*found;
}

std::string gain_text(const rank_line& line, const char* of_size) {
  const auto& [most, r] = *line.by_ranks.rbegin();
  return significant(line.speed_up(most), 3) + " times as fast as on " +
         std::to_string(line.by_ranks.begin()->first) + " with " + line.size + of_size + " (" +
         r->type + ", " + r->variant + "): efficiency " + significant(line.efficiency(most), 3) +
         (r->ranks->exchange_every > 0
              ? ", exchanges take " + percent_text(exchanging_part(*r)) + " of a step"
              : "");
}

}  // namespace

double rank_line::speed_up(int ranks) const {
  return *by_ranks.at(ranks)->cells_per_s() / *fewest().cells_per_s();
}

double rank_line::efficiency(int ranks) const {
  return speed_up(ranks) * by_ranks.begin()->first / ranks;
}

std::vector<rank_line> rank_lines(const std::vector<result>& results, scaling how) {
  const bool is_of_parts = how == scaling::weak;
  std::map<std::string, rank_line> lines;
  for (const result& r : results) {
    if (!r.ranks || !r.is_verified() || !r.cells_per_s() || r.shape.empty()) continue;
    const std::string size = size_text(r, is_of_parts);
    rank_line& line = lines[r.case_name + " " + r.variant + " " + r.type + " " + size];
    line.size = size;
    line.by_ranks[r.ranks->count] = &r;
  }
  std::vector<rank_line> all;
  for (auto& [name, line] : lines)
    if (line.by_ranks.size() > 1) all.push_back(std::move(line));
  return all;
}

std::string rank_finding(const std::vector<result>& results) {
  const std::vector<rank_line> weak = rank_lines(results, scaling::weak),
                               strong = rank_lines(results, scaling::strong);
  std::string text;
  for (const auto& [line, of_size] :
       {std::pair(largest(weak), " a rank"), std::pair(largest(strong), " in all")}) {
    if (line == nullptr) continue;
    const auto& [most, r] = *line->by_ranks.rbegin();
    text += std::string(text.empty() ? "On " : " On ") + std::to_string(most) +
            (r->ranks->devices == most ? " GPUs " : " ranks ") + r->case_name + " is " +
            gain_text(*line, of_size) + ".";
  }
  return text;
}

std::vector<job> plan_rank_scale(std::span<const bench_case> cases, request wanted, scaling how,
                                 double most_bytes) {
  if (wanted.cases.size() != 1)
    throw error(failure::usage,
                "scale: expected one case: teff scale CASE --ranks 1,2 (teff list shows them)");
  const bench_case& c = find_case(cases, wanted.cases.front());
  if (wanted.ranks.empty()) wanted.ranks = usual_ranks(wanted.dev);
  if (wanted.types.empty()) wanted.types = {c.types.front()};
  if (wanted.variants.empty()) {
    wanted.variants = {c.best};
    for (const int every : wanted.exchanges)
      wanted.variants.push_back(c.best + "-" + std::to_string(every));
    wanted.exchanges.clear();
  }
  if (wanted.shapes.empty()) {
    request first = wanted;
    first.ranks.resize(1);
    (void)plan(cases, first);  // what can not be is said before memory is
    wanted.shapes = {default_shape(c, wanted, how, most_bytes)};
  }
  if (wanted.dev.is_cpu())
    wanted.threads_of_rank =
        std::max(1, describe(wanted.dev).processors / std::max(1, std::ranges::max(wanted.ranks)));
  std::vector<job> jobs;
  for (job& j : plan(cases, wanted)) {
    j.where.shape = shape_of_whole(j.where.shape, how, j.where.ranks);
    jobs.push_back(std::move(j));
  }
  return jobs;
}

bool is_over_ranks(const std::vector<result>& results) {
  std::set<int> counts;
  std::set<std::vector<index_t>> shapes;
  for (const result& r : results) {
    if (!r.ranks) return false;
    counts.insert(r.ranks->count);
    shapes.insert(r.shape);
  }
  return counts.size() > 1 || shapes.size() == 1;
}

table rank_table(const std::vector<result>& results) {
  table t({{"case", align::left, narrow::drop, 8},  // the same in all rows
           {"variant", align::left},
           {"type", align::left, narrow::drop, 1},
           {"shape", align::left},
           {"ranks"},
           {"threads", align::right, narrow::drop, 9},
           {"cuts", align::left, narrow::drop, 6},
           {"exchange every", align::right, narrow::drop, 5, "every"},
           {"steps/pass", align::right, narrow::drop, 10, "steps"},
           {"time/step", align::right, narrow::drop, 3, "time"},
           {"T_eff GB/s", align::right, narrow::drop, 2, "GB/s"},
           {"speed-up"},
           {"efficiency", align::right, narrow::keep, 0, "eff."},
           {"exchanging", align::right, narrow::drop, 4, "exch."},
           {"hidden", align::right, narrow::drop, 11},
           {"check", align::left, narrow::drop, 7},
           {"notes", align::left, narrow::cut}});
  const bool weak = is_weak(results);
  const std::map<std::string, point> fewest = fewest_ranks(results, weak);
  for (const result& r : results) {
    const rank_use on = r.ranks.value_or(rank_use{});
    std::string speed_up, efficiency, exchanging;
    if (const auto base = fewest.find(line_of(r, weak));
        r.ranks && base != fewest.end() && r.is_verified() && r.cells_per_s()) {
      const double gained = *r.cells_per_s() / base->second.rate;
      speed_up = significant(gained, 3) + "x";
      efficiency = significant(gained * base->second.ranks / on.count, 3);
      if (on.exchange_every > 0) exchanging = percent_text(exchanging_part(r));
    }
    t.add_row({r.case_name, r.variant, r.type, shape_text(r.shape), std::to_string(on.count),
               std::to_string(on.threads), on.cuts,
               on.exchange_every > 0 ? std::to_string(on.exchange_every) : "",
               std::to_string(r.steps_per_pass), r.time ? time_text(r.time->median_s) : "",
               r.t_eff_gb_per_s() ? significant(*r.t_eff_gb_per_s(), 4) : "", speed_up, efficiency,
               exchanging, on.hidden ? percent_text(*on.hidden) : "", check_text(r.check),
               joined(r.flags, ", ")});
  }
  return t;
}

io::chart rank_chart(const report& r) {
  io::chart drawn{.x_label = "ranks", .y_label = "speed-up"};
  const bool weak = is_weak(r.results);
  const std::map<std::string, point> fewest = fewest_ranks(r.results, weak);
  std::map<std::string, io::chart_line> lines;
  std::set<double> counts;
  for (const result& one : r.results) {
    const auto base = fewest.find(line_of(one, weak));
    if (!one.ranks || !one.is_verified() || base == fewest.end()) continue;
    const auto count = static_cast<double>(one.ranks->count);
    lines[base->first].points.push_back({count, *one.cells_per_s() / base->second.rate});
    counts.insert(count);
  }
  if (lines.empty()) return drawn;
  drawn.title = r.results.front().case_name + " on " + r.where.device_name +
                (weak ? ", weak scaling" : ", strong scaling");
  for (auto& [name, line] : lines) {
    std::ranges::sort(line.points, {}, &io::chart_point::x);
    line.name = name + (weak ? " a rank" : "");
    drawn.lines.push_back(std::move(line));
  }
  drawn.lines.push_back(
      {"ideal",
       {{*counts.begin(), 1}, {*counts.rbegin(), *counts.rbegin() / *counts.begin()}},
       io::drawn_as::line});
  drawn.x_ticks.assign(counts.begin(), counts.end());
  return drawn;
}

std::vector<std::string> chosen_against_best(const std::vector<result>& results) {
  struct rivals {
    const result* chosen = nullptr;
    const result* best = nullptr;
    int others = 0;
  };
  std::map<std::string, rivals> found;
  for (const result& r : results) {
    if (!r.ranks || !r.is_verified() || r.ranks->exchange_every == 0) continue;
    const std::string base = r.variant.substr(0, r.variant.find('-'));
    if (r.variant != base &&
        r.variant.find_first_not_of("0123456789", base.size() + 1) != std::string::npos)
      continue;  // "each-step"
    rivals& of =
        found[r.case_name + " " + base + " " + r.type + " " + shape_text(r.shape) + ranks_text(r)];
    if (r.variant == base) of.chosen = &r;
    if (r.variant != base) ++of.others;
    if (of.best == nullptr || r.time->median_s < of.best->time->median_s) of.best = &r;
  }
  std::vector<std::string> lines;
  for (const auto& [where, of] : found)
    if (of.chosen != nullptr && of.others > 0)
      lines.push_back(where + ": chosen was an exchange every " +
                      std::to_string(of.chosen->ranks->exchange_every) + " steps, " +
                      significant(of.chosen->time->median_s / of.best->time->median_s, 3) +
                      " times the least time, that of an exchange every " +
                      std::to_string(of.best->ranks->exchange_every));
  return lines;
}

}  // namespace teff::lab

// SPDX-License-Identifier: MIT
#include <algorithm>
#include <iterator>
#include <tuple>

#include <teff/lab/ladder.hpp>
#include <teff/lab/report_table.hpp>
#include <teff/lab/sectors.hpp>

namespace teff::lab {

namespace {

auto position_of(const bench_case& c, const std::string& variant) {
  return std::ranges::find(c.variants, variant, &variant::name) - c.variants.begin();
}

/// Results of one ladder have it in common.
auto ladder_of(const bench_case& c, const result& r) {
  return std::tuple(std::ranges::find(c.types, r.type) - c.types.begin(), r.dim);
}

bool is_same_ladder(const bench_case& c, const result& a, const result& b) {
  return ladder_of(c, a) == ladder_of(c, b);
}

/// What the rung gains on the device of the result, and why.
const std::string& sentence(const variant& v, const result& r) {
  if (r.device == device::cpu().name() && !v.cpu_gain.empty()) return v.cpu_gain;
  return v.gain.empty() ? v.about : v.gain;
}

std::string gain_text(const result* before, const result& r) {
  if (before == nullptr || !r.t_eff_gb_per_s()) return "";
  return significant(*r.t_eff_gb_per_s() / *before->t_eff_gb_per_s(), 3) + "x";
}

}  // namespace

std::vector<job> plan_ladder(std::span<const bench_case> cases, request wanted) {
  if (wanted.cases.size() != 1)
    throw error(failure::usage,
                "ladder: expected one case: teff ladder CASE (teff list shows them)");
  if (wanted.shapes.size() > 1)
    throw error(failure::usage, "ladder: expected one shape, since all rungs run on the same");
  const bench_case& c = find_case(cases, wanted.cases.front());
  if (wanted.types.empty()) wanted.types = {c.types.front()};
  std::vector<job> jobs;
  for (const std::string& type : wanted.types) {
    request of_type = wanted;
    of_type.types = {type};
    for (const variant& v : c.variants)
      if (v.runs_on(wanted.dev) && v.takes_type(type) && !v.gain.empty())
        of_type.variants.push_back(v.name);
    std::ranges::move(plan(cases, of_type), std::back_inserter(jobs));
  }
  return jobs;
}

void sort_as_ladders(const bench_case& c, std::vector<result>& results) {
  std::ranges::stable_sort(results, {}, [&](const result& r) {
    return std::tuple_cat(ladder_of(c, r), std::tuple(position_of(c, r.variant)));
  });
}

table ladder_table(const bench_case& c, const std::vector<result>& results) {
  const bool has_sectors =
      std::ranges::any_of(results, [](const result& r) { return r.sectors.has_value(); });
  std::vector<column> columns{{"rung", align::left},
                              {"type", align::left, narrow::drop, 3},
                              {"shape", align::left, narrow::drop, 2},
                              {"time", align::right, narrow::drop, 4},
                              {"T_eff GB/s", align::right, narrow::keep, 0, "GB/s"},
                              {"of ceiling", align::left, narrow::drop, 1},
                              {"gain"},
                              {"lesson's figure", align::left, narrow::drop, 5},
                              {"check", align::left, narrow::drop, 6},
                              {"notes", align::left, narrow::cut},
                              {"what it gains and why", align::left, narrow::below, 7}};
  if (has_sectors)  // behind the gain
    columns.insert(columns.begin() + 7,
                   {"sectors / needed", align::right, narrow::drop, 8, "sectors"});
  table t(columns);
  const result* before = nullptr;
  for (const result& r : results) {
    if (before != nullptr && !is_same_ladder(c, *before, r)) before = nullptr;
    const variant& v = c.variants[static_cast<std::size_t>(position_of(c, r.variant))];
    std::vector<std::string> row{r.variant,
                                 r.type,
                                 shape_text(r.shape),
                                 r.time ? time_text(r.time->median_s) : "",
                                 r.t_eff_gb_per_s() ? significant(*r.t_eff_gb_per_s(), 4) : "",
                                 fraction_text(r),
                                 gain_text(before, r),
                                 v.lesson.empty() ? "n/a" : v.lesson,
                                 check_text(r.check),
                                 joined(r.flags, ", "),
                                 sentence(v, r)};
    if (has_sectors) row.insert(row.begin() + 7, sectors_text(r));
    t.add_row(row);
    if (r.is_verified() && r.t_eff_gb_per_s()) before = &r;
  }
  return t;
}

}  // namespace teff::lab

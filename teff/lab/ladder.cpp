// SPDX-License-Identifier: MIT
#include <algorithm>
#include <tuple>

#include <teff/lab/ladder.hpp>
#include <teff/lab/report_table.hpp>

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
  const auto is_rung = [&](const variant& v) { return v.runs_on(wanted.dev) && !v.gain.empty(); };
  for (const variant& v : c.variants)
    if (is_rung(v)) wanted.variants.push_back(v.name);
  return plan(cases, wanted);
}

void sort_as_ladders(const bench_case& c, std::vector<result>& results) {
  std::ranges::stable_sort(results, {}, [&](const result& r) {
    return std::tuple_cat(ladder_of(c, r), std::tuple(position_of(c, r.variant)));
  });
}

table ladder_table(const bench_case& c, const std::vector<result>& results) {
  table t({{"rung", align::left},
           {"type", align::left},
           {"shape", align::left},
           {"time"},
           {"T_eff GB/s"},
           {"of ceiling", align::left},
           {"gain"},
           {"lesson's figure", align::left},
           {"check", align::left},
           {"notes", align::left},
           {"what it gains and why", align::left}});
  const result* before = nullptr;
  for (const result& r : results) {
    if (before != nullptr && !is_same_ladder(c, *before, r)) before = nullptr;
    const variant& v = c.variants[static_cast<std::size_t>(position_of(c, r.variant))];
    t.add_row({r.variant, r.type, shape_text(r.shape), r.time ? time_text(r.time->median_s) : "",
               r.t_eff_gb_per_s() ? significant(*r.t_eff_gb_per_s(), 4) : "", fraction_text(r),
               gain_text(before, r), v.lesson.empty() ? "n/a" : v.lesson, check_text(r.check),
               joined(r.flags, ", "), v.gain.empty() ? v.about : v.gain});
    if (r.t_eff_gb_per_s()) before = &r;
  }
  return t;
}

}  // namespace teff::lab

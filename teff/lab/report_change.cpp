// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <vector>

#include <teff/lab/bar_rows.hpp>
#include <teff/lab/html.hpp>
#include <teff/lab/report_change.hpp>
#include <teff/lab/report_table.hpp>
#include <teff/lab/table.hpp>

namespace teff::lab {

namespace {

constexpr verdict order[] = {verdict::slower, verdict::faster, verdict::unclear, verdict::same};

/// Ratios from half to twice, on a logarithmic scale: twice as fast is as far from 1 as half.
double place_of(double ratio) {
  constexpr double most = 2;
  return ratio > 0 ? std::clamp(0.5 + 0.5 * std::log(ratio) / std::log(most), 0.0, 1.0) : 0.5;
}

std::vector<const comparison*> with_verdict(const comparison_report& found, verdict what) {
  std::vector<const comparison*> all;
  for (const comparison& c : found.common)
    if (c.found.what == what) all.push_back(&c);
  // What changed most is on top.
  std::ranges::stable_sort(all, std::greater{}, [](const comparison* c) {
    return c->found.ratio > 0 ? std::abs(std::log(c->found.ratio)) : 0;
  });
  return all;
}

bar_row row_of(const comparison& c) {
  const judgement& j = c.found;
  const std::string look = name_of(j.what);
  bar_row row{.name = c.a->case_name + " " + c.a->type,
              .detail = c.a->variant + ", " + shape_text(c.a->shape) + ranks_text(*c.a),
              .bars = {},
              .values = {"", name_of(j.what)}};
  if (!c.a->time || !c.b->time || !(j.ratio > 0)) return row;
  row.values[0] = significant(j.ratio, 3);
  const std::string tip = sentence(c);
  if (j.range.upper > 0)
    row.bars.push_back({0, place_of(j.range.lower), place_of(j.range.upper), look + " range", tip});
  constexpr double half = 0.004;  // of the width
  row.bars.push_back({0, place_of(j.ratio) - half, place_of(j.ratio) + half, look, tip});
  return row;
}

std::string rows_of(const std::vector<const comparison*>& changes) {
  std::vector<bar_row> rows;
  for (const comparison* c : changes) rows.push_back(row_of(*c));
  return bar_rows(
      rows, {{0, "0.5"}, {place_of(0.8), "0.8"}, {0.5, "1"}, {place_of(1.25), "1.25"}, {1, "2"}},
      {0.5}, {"time", "verdict"}, 1);
}

std::string listed(const std::vector<std::string>& names, const char* what) {
  if (names.empty()) return "";
  std::string items;
  for (const std::string& name : names) items += "<li>" + html_text(name) + "</li>\n";
  return "<details><summary>" + counted(names.size(), "result") + " only " + what +
         "</summary>\n<ul>\n" + items + "</ul></details>\n";
}

/// "a device, 2026-01-01, commit abc", or of several runs each its date and commit.
std::string runs_text(const report& r) {
  std::string text = r.where.device_name + ", ";
  if (r.runs.empty()) return text + r.where.date + ", commit " + r.where.commit;
  std::vector<std::string> runs;
  for (const single_run& run : r.runs)
    runs.push_back(run.where.date + " (commit " + run.where.commit + ")");
  return text + counted(runs.size(), "run") + " of " + joined(runs, ", ");
}

}  // namespace

std::string change_part(const comparison_report& found, const report& before) {
  std::string counts, rows;
  for (const verdict v : order) {
    const std::vector<const comparison*> changes = with_verdict(found, v);
    if (changes.empty()) continue;
    const std::string count = std::to_string(changes.size()) + " " + name_of(v);
    counts += (counts.empty() ? "" : ", ") + count;
    const bool is_change = v == verdict::slower || v == verdict::faster;
    rows += is_change
                ? "<h3>" + count + "</h3>\n" + rows_of(changes)
                : "<details><summary>" + count + "</summary>\n" + rows_of(changes) + "</details>\n";
  }
  std::string out = "<p>Against " + html_text(runs_text(before)) + ": " +
                    (counts.empty() ? "no result in common" : counts) +
                    ". A row shows the time now over the time then, and its 99 % interval: left of "
                    "the line is faster.</p>\n";
  for (const std::string& warning : found.warnings)
    out += "<p class=\"bad\">" + html_text(warning) + "</p>\n";
  out += "<div class=\"changes\">\n" + rows + "</div>\n";
  if (!found.common.empty())
    out += "<details><summary>Table of all " + counted(found.common.size(), "result") +
           " (A then, B now)</summary>\n<div class=\"wide\" role=\"region\" tabindex=\"0\" "
           "aria-label=\"changes\">\n" +
           table_of(found).html() + "</div></details>\n";
  return out + listed(found.only_in_a, "then") + listed(found.only_in_b, "now");
}

}  // namespace teff::lab

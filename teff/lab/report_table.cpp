// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <charconv>

#include <teff/lab/measure.hpp>
#include <teff/lab/profiler.hpp>
#include <teff/lab/report_table.hpp>
#include <teff/lab/statistics.hpp>

namespace teff::lab {

namespace {

std::string rounded(std::optional<double> value, int digits) {
  return value ? significant(*value, digits) : "";
}

/// The shortest text that reads back as the same number.
std::string exact(double value) {
  std::array<char, 32> text{};
  const auto written = std::to_chars(text.data(), text.data() + text.size(), value);
  return {text.data(), written.ptr};
}
std::string exact(std::optional<double> value) {
  return value ? exact(*value) : "";
}

std::string threads_text(const std::vector<int>& threads) {
  return shape_text({threads.begin(), threads.end()});
}

std::string spread_text(const result& r) {
  return r.time ? significant(100 * r.time->iqr_s / r.time->median_s, 2) : "";
}

std::string megabytes(double bytes) {
  return significant(bytes / 1e6, 4);
}

/// In nanojoules.
std::string energy_text(const result& r) {
  return r.joules_per_cell() ? significant(1e9 * *r.joules_per_cell(), 3) : "";
}

}  // namespace

std::string fraction_text(const result& r) {
  if (!r.fraction_of_ceiling) return "";
  return significant(*r.fraction_of_ceiling, 3) + " " + name_of(r.ceiling);
}

std::string check_text(const check_result& c) {
  return c.ok ? "ok" : "FAILED";
}

table table_of(const std::vector<result>& results) {
  const bool has_energy =
      std::ranges::any_of(results, [](const result& r) { return r.joules_per_cell().has_value(); });
  const bool has_counters =
      std::ranges::any_of(results, [](const result& r) { return r.counters.has_value(); });
  std::vector<column> columns{{"case", align::left},
                              {"variant", align::left},
                              {"device", align::left, narrow::drop, 8},
                              {"type", align::left, narrow::drop, 2},
                              {"shape", align::left},
                              // which the variant's name has
                              {"threads", align::left, narrow::drop, 9},
                              {"steps/pass", align::right, narrow::drop, 5, "steps"},
                              {"time/step", align::right, narrow::drop, 4, "time"},
                              {"spread %", align::right, narrow::drop, 6},
                              {"T_eff GB/s", align::right, narrow::drop, 3, "GB/s"},
                              {"of ceiling", align::left, narrow::drop, 1}};
  if (has_energy) columns.push_back({"nJ/cell", align::right, narrow::drop, 10});
  if (has_counters)
    columns.insert(columns.end(), {{"A_eff MB", align::right, narrow::drop, 13},
                                   {"DRAM read MB", align::right, narrow::drop, 12},
                                   {"DRAM written MB", align::right, narrow::drop, 11},
                                   {"limit", align::left, narrow::drop, 1}});
  columns.push_back({"check", align::left, narrow::drop, 7});  // a wrong result is noted too
  columns.push_back({"notes", align::left, narrow::cut});
  table t(columns);
  const std::vector<const result*> best = best_of(results);
  for (const result& r : results) {
    std::vector<std::string> notes = r.flags;
    if (r.a_eff_bytes == 0 && r.gflop_per_s())
      notes.insert(notes.begin(), significant(*r.gflop_per_s(), 4) + " GFLOP/s");
    if (r.ranks)
      notes.insert(notes.begin(), std::to_string(r.ranks->count) + " ranks " + r.ranks->cuts +
                                      ", exchange every " +
                                      std::to_string(r.ranks->exchange_every));
    if (std::ranges::find(best, &r) != best.end()) notes.insert(notes.begin(), "best");
    std::vector<std::string> row{r.case_name,
                                 r.variant,
                                 r.device,
                                 r.type,
                                 shape_text(r.shape),
                                 threads_text(r.threads),
                                 std::to_string(r.steps_per_pass),
                                 r.time ? time_text(r.time->median_s) : "",
                                 spread_text(r),
                                 rounded(r.t_eff_gb_per_s(), 4),
                                 fraction_text(r)};
    if (has_energy) row.push_back(energy_text(r));
    if (has_counters)
      row.insert(row.end(),
                 {megabytes(static_cast<double>(r.a_eff_bytes)),
                  r.counters ? megabytes(r.counters->dram_read_bytes) : "",
                  r.counters ? megabytes(r.counters->dram_written_bytes) : "", limit_text(r)});
    row.push_back(check_text(r.check));
    row.push_back(joined(notes, ", "));
    t.add_row(row);
  }
  return t;
}

table full_table_of(const std::vector<result>& results) {
  table t({{"case"},
           {"variant"},
           {"device"},
           {"type"},
           {"shape"},
           {"dim"},
           {"threads"},
           {"steps_per_pass"},
           {"cells"},
           {"a_eff_bytes"},
           {"t_tot_bytes"},
           {"flop"},
           {"time_min_s"},
           {"time_median_s"},
           {"time_iqr_s"},
           {"samples"},
           {"t_eff_gb_per_s"},
           {"t_tot_gb_per_s"},
           {"ceiling"},
           {"fraction_of_ceiling"},
           {"cells_per_s"},
           {"check_ok"},
           {"max_error"},
           {"tolerance"},
           {"flags"},
           {"reason"},
           {"ranks"},
           {"cuts"},
           {"exchange_every"},
           {"exchange_s"},
           {"sectors_asked"},
           {"sectors_needed"},
           {"joules_per_cell"},
           {"dram_read_bytes"},
           {"dram_written_bytes"},
           {"limit"}});
  for (const result& r : results) {
    const auto time = [&](double timing::*part) { return r.time ? exact((*r.time).*part) : ""; };
    t.add_row({r.case_name,
               r.variant,
               r.device,
               r.type,
               shape_text(r.shape),
               r.dim ? std::to_string(*r.dim) : "",
               threads_text(r.threads),
               std::to_string(r.steps_per_pass),
               std::to_string(r.cells),
               std::to_string(r.a_eff_bytes),
               std::to_string(r.t_tot_bytes),
               std::to_string(r.flop),
               time(&timing::min_s),
               time(&timing::median_s),
               time(&timing::iqr_s),
               std::to_string(r.time ? r.time->samples_s.size() : 0),
               exact(r.t_eff_gb_per_s()),
               exact(r.t_tot_gb_per_s()),
               name_of(r.ceiling),
               exact(r.fraction_of_ceiling),
               exact(r.cells_per_s()),
               r.check.ok ? "true" : "false",
               exact(r.check.max_error),
               exact(r.check.tolerance),
               joined(r.flags, "; "),
               r.reason,
               r.ranks ? std::to_string(r.ranks->count) : "",
               r.ranks ? r.ranks->cuts : "",
               r.ranks ? std::to_string(r.ranks->exchange_every) : "",
               r.ranks ? exact(r.ranks->exchange_s) : "",
               r.sectors ? std::to_string(r.sectors->asked) : "",
               r.sectors ? std::to_string(r.sectors->needed) : "",
               exact(r.joules_per_cell()),
               r.counters ? exact(r.counters->dram_read_bytes) : "",
               r.counters ? exact(r.counters->dram_written_bytes) : "",
               r.counters ? r.counters->limit : ""});
  }
  return t;
}

table table_of(const comparison_report& found) {
  table t({{"case", align::left},
           {"variant", align::left},
           {"device", align::left, narrow::drop, 8},
           {"type", align::left, narrow::drop, 2},
           {"shape", align::left, narrow::drop, 1},
           {"time A", align::right, narrow::drop, 4},
           {"time B", align::right, narrow::drop, 5},
           {"B/A"},
           {"99 % interval", align::left, narrow::drop, 3},
           {"samples A, B", align::left, narrow::drop, 7},
           {"verdict", align::left},
           {"why", align::left, narrow::below, 6}});
  for (const comparison& c : found.common) {
    const auto time = [](const result& r) { return r.time ? time_text(r.time->median_s) : ""; };
    const auto count = [](const result& r) {
      return std::to_string(r.time ? r.time->samples_s.size() : 0);
    };
    const bool judged = c.a->time && c.b->time && c.found.range.upper > 0;
    const std::string& variant = c.a->variant;
    t.add_row(
        {c.a->case_name, c.b->variant == variant ? variant : variant + ", " + c.b->variant,
         c.a->device, c.a->type, shape_text(c.a->shape) + ranks_text(*c.a), time(*c.a), time(*c.b),
         judged ? significant(c.found.ratio, 4) : "",
         judged ? significant(c.found.range.lower, 4) + " to " + significant(c.found.range.upper, 4)
                : "",
         count(*c.a) + ", " + count(*c.b), name_of(c.found.what), c.found.reason});
  }
  return t;
}

std::string sentence(const comparison& c) {
  const auto side = [&](const char* letter, const result& r) {
    return c.a->variant == c.b->variant ? std::string(letter) : r.variant + " (" + letter + ")";
  };
  std::string text =
      c.a->case_name + " " + c.a->type + " " + shape_text(c.a->shape) + ranks_text(*c.a) + ": ";
  const judgement& found = c.found;
  if (found.range.upper > 0)
    text += side("B", *c.b) + " takes " + significant(found.ratio, 3) + " of the time of " +
            side("A", *c.a) + ", 99 % interval " + significant(found.range.lower, 3) + " to " +
            significant(found.range.upper, 3) + ": ";
  text += name_of(found.what);
  return text + (found.reason.empty() ? "" : " (" + found.reason + ")");
}

std::string text_of(const limits& ceilings) {
  std::vector<std::string> parts;
  for (const mix m : all_mixes)
    if (const auto value = ceilings.of(m))
      parts.push_back(std::string(name_of(m)) + " " + significant(*value, 4));
  std::string text = parts.empty() ? "none" : joined(parts, ", ") + " GB/s";
  if (ceilings.f64_gflop_per_s)
    text += "; " + significant(*ceilings.f64_gflop_per_s, 4) + " GFLOP/s f64";
  if (ceilings.f32_gflop_per_s) text += ", " + significant(*ceilings.f32_gflop_per_s, 4) + " f32";
  return text;
}

}  // namespace teff::lab

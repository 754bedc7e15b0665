// SPDX-License-Identifier: MIT
#include <cmath>
#include <nlohmann/json.hpp>

#include <teff/lab/report_json.hpp>

namespace teff::lab {

namespace {

using json = nlohmann::ordered_json;

/// JSON has no NaN and no infinity.
json number(std::optional<double> value) {
  return value && std::isfinite(*value) ? json(*value) : json(nullptr);
}

json write(const machine& m) {
  json object{
      {"device", m.device},
      {"device_name", m.device_name},
      {"driver", m.driver},
      {"memory_bytes", m.memory_bytes},
      {"cache_bytes", m.cache_bytes},
      {"processors", m.processors},
      {"nominal_gb_per_s", m.nominal_gb_per_s > 0 ? json(m.nominal_gb_per_s) : json(nullptr)},
      {"cpu_name", m.cpu_name},
      {"cpu_cores", m.cpu_cores},
      {"compiler", m.compiler},
      {"cuda", m.cuda},
      {"commit", m.commit},
      {"teff_version", m.teff_version},
      {"command", m.command},
      {"date", m.date}};
  if (m.clock_ghz > 0) object["clock_ghz"] = m.clock_ghz;
  return object;
}

json write(const check_result& c) {
  json object{{"ok", c.ok},
              {"reference", c.reference},
              {"max_error", number(c.max_error)},
              {"tolerance", number(c.tolerance)}};
  if (!c.same_bits_as.empty()) object["same_bits_as"] = c.same_bits_as;
  if (!c.reason.empty()) object["reason"] = c.reason;
  return object;
}

json write(const kernel_use& k) {
  return {{"registers", k.registers},
          {"spilled_bytes", k.spilled_bytes},
          {"occupancy", number(k.occupancy)},
          {"fills_registers", k.fills_registers},
          {"bytes_in_flight", number(k.bytes_in_flight)}};
}

json write(const sector_use& s) {
  return {{"asked", s.asked}, {"needed", s.needed}, {"shape", s.shape}};
}

json write(const counter_use& c) {
  return {{"dram_read_bytes", number(c.dram_read_bytes)},
          {"dram_written_bytes", number(c.dram_written_bytes)},
          {"limit", c.limit},
          {"limit_part", number(c.limit_part)},
          {"kernels", c.kernels}};
}

json write(const rank_use& r) {
  return {{"count", r.count},
          {"threads", r.threads},
          {"devices", r.devices},
          {"cuts", r.cuts},
          {"transport", r.transport},
          {"exchange_every", r.exchange_every},
          {"exchange_s", number(r.exchange_s)},
          {"hidden", number(r.hidden)}};
}

json write(const timing& t) {
  return {{"min", t.min_s}, {"median", t.median_s}, {"iqr", t.iqr_s}, {"samples", t.samples_s}};
}

json write(const result& r) {
  json object{{"case", r.case_name},
              {"variant", r.variant},
              {"device", r.device},
              {"type", r.type},
              {"shape", r.shape},
              {"dim", r.dim ? json(*r.dim) : json(nullptr)},
              {"launch", r.threads.empty() ? json(nullptr) : json{{"threads", r.threads}}},
              {"kernel", r.kernel ? write(*r.kernel) : json(nullptr)},
              {"steps_per_pass", r.steps_per_pass},
              {"cells", r.cells},
              {"a_eff_bytes", r.a_eff_bytes},
              {"t_tot_bytes", r.t_tot_bytes},
              {"flop", r.flop},
              {"time_s", r.time ? write(*r.time) : json(nullptr)},
              {"t_eff_gb_per_s", number(r.t_eff_gb_per_s())},
              {"t_tot_gb_per_s", number(r.t_tot_gb_per_s())},
              {"ceiling", name_of(r.ceiling)},
              {"fraction_of_ceiling", number(r.fraction_of_ceiling)},
              {"cells_per_s", number(r.cells_per_s())},
              {"joules_per_cell", number(r.joules_per_cell())},
              {"check", write(r.check)},
              {"flags", r.flags}};
  if (r.sectors) object["sectors"] = write(*r.sectors);
  if (r.counters) object["counters"] = write(*r.counters);
  if (r.ranks) object["ranks"] = write(*r.ranks);
  if (!r.reason.empty()) object["reason"] = r.reason;
  if (r.run > 0) object["run"] = r.run;
  return object;
}

/// The members "ceilings_gb_per_s" and "peak_gflop_per_s".
void add_limits(json& object, const limits& found) {
  for (const mix m : all_mixes) object["ceilings_gb_per_s"][name_of(m)] = number(found.of(m));
  object["peak_gflop_per_s"] = {{"f64", number(found.f64_gflop_per_s)},
                                {"f32", number(found.f32_gflop_per_s)}};
}

json write(const omission& o) {
  return {{"case", o.case_name},
          {"type", o.type},
          {"shape", o.shape},
          {"ranks", o.ranks},
          {"variant", o.variant}};
}

json write(const single_run& r) {
  json object{{"machine", write(r.where)}};
  add_limits(object, r.ceilings);
  return object;
}

std::string text_of(const json& value, int indent) {
  return value.dump(indent, ' ', true, json::error_handler_t::replace);
}

/// The object with one more member, a list of which each item has a line: line tools can select
/// them, and version control shows what changed.
std::string with_list(const json& head, const std::string& name, const std::vector<json>& items) {
  std::string document = text_of(head, 2);
  document.resize(document.size() - 2);  // the closing "\n}"
  document += ",\n  \"" + name + "\": [";
  const char* before = "\n    ";
  for (const json& item : items) {
    document += before + text_of(item, -1);
    before = ",\n    ";
  }
  return document + (items.empty() ? "]\n}\n" : "\n  ]\n}\n");
}

}  // namespace

std::string to_json(const report& r) {
  json head{{"schema", report::schema}, {"machine", write(r.where)}};
  add_limits(head, r.ceilings);
  head["notes"] = r.notes;
  head["planned"] = r.planned;
  head["left_out"] = json::array();
  for (const omission& missing : r.left_out) head["left_out"].push_back(write(missing));
  for (const single_run& run : r.runs) head["runs"].push_back(write(run));
  std::vector<json> lines;
  for (const result& one : r.results) lines.push_back(write(one));
  return with_list(head, "results", lines);
}

std::string to_json(const machine& where, const comparison_report& found) {
  std::vector<json> lines;
  for (const comparison& c : found.common) {
    const bool has_range = std::isfinite(c.found.range.upper) && c.found.range.upper > 0;
    lines.push_back(
        {{"a", write(*c.a)},
         {"b", write(*c.b)},
         {"ratio", has_range ? number(c.found.ratio) : json(nullptr)},
         {"interval", has_range ? json{c.found.range.lower, c.found.range.upper} : json(nullptr)},
         {"verdict", name_of(c.found.what)},
         {"reason", c.found.reason}});
  }
  return with_list({{"schema", report::schema}, {"machine", write(where)}}, "comparisons", lines);
}

}  // namespace teff::lab

// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>

#include <teff/base/error.hpp>
#include <teff/io/atomic_file.hpp>
#include <teff/lab/json_document.hpp>
#include <teff/lab/report_json.hpp>

namespace teff::lab {

namespace {

using json = nlohmann::ordered_json;

constexpr std::size_t largest_file = 64'000'000;

// No program writes so much; more would make tables that take hours.
constexpr std::size_t most_results = 10'000, most_samples = 1'000'000, most_flags = 32;
constexpr std::size_t most_extents = 8, most_notes = 1000, most_runs_in_file = 1000;
constexpr double shortest_s = 1e-12, longest_s = 1e9;  // of one step
constexpr std::int64_t most_threads = 1'000'000'000;   // of a block
constexpr double most_in_flight = 1e9;                 // bytes of a multiprocessor

using node = json_node;

machine read_machine(const node& n) {
  machine m;
  m.device = n.at("device").text();
  m.device_name = n.at("device_name").text();
  m.driver = n.at("driver").text();
  m.memory_bytes = n.at("memory_bytes").natural();
  m.cache_bytes = n.at("cache_bytes").natural();
  m.processors = n.at("processors").small();
  m.nominal_gb_per_s = n.at("nominal_gb_per_s").number_or_null().value_or(0);
  if (const auto clock = n.find("clock_ghz")) m.clock_ghz = clock->number();
  m.cpu_name = n.at("cpu_name").text();
  m.cpu_cores = n.at("cpu_cores").small();
  m.compiler = n.at("compiler").text();
  m.cuda = n.at("cuda").text();
  m.commit = n.at("commit").text();
  m.teff_version = n.at("teff_version").text();
  m.command = n.at("command").text();
  m.date = n.at("date").text();
  return m;
}

mix read_mix(const node& n) {
  const std::string text = n.text();
  for (const mix m : all_mixes)
    if (text == name_of(m)) return m;
  n.require(false, "copy, triad, read or write");
  return mix::copy;
}

check_result read_check(const node& n) {
  return {n.at("ok").boolean(),
          n.at("reference").text(),
          n.at("max_error").number_or_null(),
          n.at("tolerance").number_or_null().value_or(0),
          n.text_or_empty("reason"),
          n.text_or_empty("same_bits_as")};
}

std::optional<double> positive_or_null(const node& n) {
  const std::optional<double> value = n.number_or_null();
  n.require(!value || (std::isfinite(*value) && *value > 0), "a number above 0");
  return value;
}

/// A number that follows from others of the file.
void require_equal(const node& n, double expected, double scale) {
  const bool is_equal = std::abs(n.number() - expected) <= 1e-9 * scale;
  n.require(is_equal, json(expected).dump() + ", as follows from the samples");
}

timing read_timing(const node& n) {
  const node samples = n.at("samples");
  std::vector<double> samples_s = samples.list(
      [](const node& sample) {
        const double value = sample.number();
        sample.require(value >= shortest_s && value <= longest_s, "a time of 1e-12 to 1e9 s");
        return value;
      },
      most_samples);
  samples.require(!samples_s.empty(), "at least one sample");
  timing t = timing_of(std::move(samples_s));
  require_equal(n.at("min"), t.min_s, t.median_s);
  require_equal(n.at("median"), t.median_s, t.median_s);
  require_equal(n.at("iqr"), t.iqr_s, t.median_s);
  return t;
}

std::vector<int> read_threads(const node& n) {
  std::vector<int> threads = n.list([](const node& t) { return t.small(1); }, most_extents);
  std::int64_t product = 1;
  for (const int t : threads) {
    product *= t;
    n.require(product <= most_threads, "at most 1e9 threads");
  }
  return threads;
}

/// From 0 to `most`.
double read_part(const node& n, double most) {
  const double value = n.number();
  n.require(value >= 0 && value <= most, "a number from 0 to " + json(most).dump());
  return value;
}

kernel_use read_kernel(const node& n) {
  return {n.at("registers").small(), n.at("spilled_bytes").natural(),
          read_part(n.at("occupancy"), 1), n.at("fills_registers").boolean(),
          read_part(n.at("bytes_in_flight"), most_in_flight)};
}

sector_use read_sectors(const node& n) {
  sector_use s{
      n.at("asked").natural(), n.at("needed").natural(),
      n.at("shape").list([](const node& extent) { return extent.extent(); }, most_extents)};
  n.require(s.needed > 0, "at least one sector that is needed");
  return s;
}

counter_use read_counters(const node& n) {
  constexpr double most_bytes = 1e18;  // of a step
  return {read_part(n.at("dram_read_bytes"), most_bytes),
          read_part(n.at("dram_written_bytes"), most_bytes), n.at("limit").name(),
          read_part(n.at("limit_part"), 1), n.at("kernels").small(1)};
}

rank_use read_ranks(const node& n) {
  rank_use r;
  r.count = n.at("count").small(1);
  r.threads = n.at("threads").small(1);
  if (const auto devices = n.find("devices")) r.devices = devices->small(1);  // else an old file
  r.cuts = n.at("cuts").name();
  r.transport = n.at("transport").name();
  r.exchange_every = n.at("exchange_every").small();
  r.exchange_s = read_part(n.at("exchange_s"), longest_s);
  if (const auto hidden = n.find("hidden")) r.hidden = read_part(*hidden, 1);
  return r;
}

std::vector<index_t> read_shape(const node& n) {
  std::vector<index_t> shape =
      n.list([](const node& extent) { return extent.extent(); }, most_extents);
  n.require(!shape.empty(), "at least one extent");
  return shape;
}

result read_result(const node& n) {
  result r;
  r.case_name = n.at("case").name();
  r.variant = n.at("variant").name();
  r.device = n.at("device").name();
  r.type = n.at("type").name();
  r.shape = read_shape(n.at("shape"));
  if (const node dim = n.at("dim"); !dim.is_null()) r.dim = dim.small();
  if (const node launch = n.at("launch"); !launch.is_null())
    r.threads = read_threads(launch.at("threads"));
  if (const auto kernel = n.find("kernel")) r.kernel = read_kernel(*kernel);
  if (const auto sectors = n.find("sectors")) r.sectors = read_sectors(*sectors);
  if (const auto counters = n.find("counters")) r.counters = read_counters(*counters);
  if (const auto ranks = n.find("ranks")) r.ranks = read_ranks(*ranks);
  r.steps_per_pass = n.at("steps_per_pass").small(1);
  r.cells = n.at("cells").natural();
  r.a_eff_bytes = n.at("a_eff_bytes").natural();
  r.t_tot_bytes = n.at("t_tot_bytes").natural();
  r.flop = n.at("flop").natural();
  if (const node time = n.at("time_s"); !time.is_null()) r.time = read_timing(time);
  r.ceiling = read_mix(n.at("ceiling"));
  r.fraction_of_ceiling = positive_or_null(n.at("fraction_of_ceiling"));
  r.check = read_check(n.at("check"));
  r.flags = n.at("flags").list([](const node& f) { return f.name(); }, most_flags);
  r.reason = n.text_or_empty("reason");
  if (const auto run = n.find("run")) r.run = run->natural();
  if (const auto joules = n.find("joules_per_cell"))
    if (const auto of_cell = positive_or_null(*joules))
      r.energy_j = *of_cell * static_cast<double>(r.cells);
  return r;
}

limits read_limits(const node& n) {
  limits found;
  const node ceilings = n.at("ceilings_gb_per_s");
  for (const mix m : all_mixes) found.of(m) = positive_or_null(ceilings.at(name_of(m)));
  const node peak = n.at("peak_gflop_per_s");
  found.f64_gflop_per_s = positive_or_null(peak.at("f64"));
  found.f32_gflop_per_s = positive_or_null(peak.at("f32"));
  return found;
}

single_run read_run(const node& n) {
  return {read_machine(n.at("machine")), read_limits(n)};
}

void require_runs(const report& r) {
  for (std::size_t i = 0; i < r.results.size(); ++i)
    if (r.results[i].run > 0 && r.results[i].run >= r.runs.size())
      throw error("/results/" + std::to_string(i) + "/run: expected a number of /runs, which has " +
                  std::to_string(r.runs.size()) + ", got " + std::to_string(r.results[i].run));
}

/// A fraction that T_eff and the ceiling of its run contradict: it would be what a report praises.
void require_fractions(const report& r) {
  constexpr double most_off = 0.01;
  for (std::size_t i = 0; i < r.results.size(); ++i) {
    const result& one = r.results[i];
    const std::optional<double> reached = one.t_eff_gb_per_s(),
                                ceiling = ceilings_of(r, one).of(one.ceiling);
    if (!one.fraction_of_ceiling || !reached || !ceiling) continue;
    const double expected = *reached / (*ceiling * devices_of(one));
    if (std::abs(*one.fraction_of_ceiling - expected) > most_off * expected)
      throw error("/results/" + std::to_string(i) + "/fraction_of_ceiling: expected " +
                  json(expected).dump() + ", T_eff over the ceiling, got " +
                  json(*one.fraction_of_ceiling).dump());
  }
}

omission read_omission(const node& n) {
  return {n.at("case").name(), n.at("type").name(), read_shape(n.at("shape")),
          n.at("ranks").small(), n.at("variant").name()};
}

/// What a note says was left out, "left out: grid2d f64 64x64 on 4 ranks array, slice: the time is
/// spent", in files from before there was a member for it; nothing of other notes.
std::vector<omission> left_out_by(const std::string& note) {
  if (!note.starts_with(left_out_note)) return {};
  const std::size_t begin = left_out_note.size();
  std::istringstream words(note.substr(begin, note.find(": ", begin) - begin));
  omission one;
  std::string shape, extent, on, noun;
  words >> one.case_name >> one.type >> shape >> std::ws;
  if (note.substr(begin + static_cast<std::size_t>(words.tellg())).starts_with("on "))
    words >> on >> one.ranks >> noun;
  std::istringstream extents(shape);
  while (std::getline(extents, extent, 'x'))
    one.shape.push_back(std::strtoll(extent.c_str(), nullptr, 10));
  std::vector<omission> all;
  while (std::getline(words >> std::ws, one.variant, ',')) all.push_back(one);
  return all;
}

report read(const json& document) {
  const node root(document, "");
  const int schema = root.at("schema").small();
  if (schema != report::schema)
    throw error("/schema: expected " + std::to_string(report::schema) + ", got " +
                std::to_string(schema) + "; the file is from another version of teff");
  if (document.contains("comparisons"))
    throw error(
        "expected results, got the comparisons of two variants or builds, as teff ab writes "
        "them; teff bench CASE --json FILE writes results");
  report r;
  r.where = read_machine(root.at("machine"));
  r.ceilings = read_limits(root);
  if (const auto notes = root.find("notes"))
    r.notes = notes->list([](const node& note) { return note.text(); }, most_notes);
  if (const auto planned = root.find("planned")) r.planned = planned->natural();
  if (const auto left_out = root.find("left_out"))
    r.left_out = left_out->list(read_omission, most_results);
  else
    for (const std::string& note : r.notes)
      std::ranges::move(left_out_by(note), std::back_inserter(r.left_out));
  r.results = root.at("results").list(read_result, most_results);
  if (const auto runs = root.find("runs")) r.runs = runs->list(read_run, most_runs_in_file);
  require_runs(r);
  require_fractions(r);
  return r;
}

/// Has nothing of a results file, however it was cut or damaged.
bool is_foreign(const std::string& text) {
  return text.find("\"schema\"") == std::string::npos &&
         text.find("\"ceilings_gb_per_s\"") == std::string::npos;
}

}  // namespace

report from_json(std::string_view text) {
  return read(parse_json(text));
}

report read_report(const std::string& path) {
  std::string text;
  try {
    text = io::read_file(path, largest_file);
    return from_json(text);
  } catch (const error& problem) {
    const std::string message = problem.what();
    if (message.find("'" + path + "'") != std::string::npos) throw;
    if (is_foreign(text))
      throw error(problem.kind(), "'" + path +
                                      "' is no results file: expected what teff bench, ladder, "
                                      "scale or peak wrote with --json, or teff lab (" +
                                      message + ")");
    throw error(problem.kind(), "'" + path + "': " + message);
  }
}

}  // namespace teff::lab

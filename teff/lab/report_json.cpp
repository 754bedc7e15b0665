// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include <teff/base/error.hpp>
#include <teff/io/atomic_file.hpp>
#include <teff/lab/report_json.hpp>

namespace teff::lab {

namespace {

using json = nlohmann::ordered_json;

constexpr int deepest_nesting = 64;
constexpr std::size_t largest_file = 256'000'000;

// ---- writing

/// JSON has no NaN and no infinity.
json number(std::optional<double> value) {
  return value && std::isfinite(*value) ? json(*value) : json(nullptr);
}

json write(const machine& m) {
  return {{"device", m.device},
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
              {"check", write(r.check)},
              {"flags", r.flags}};
  if (!r.reason.empty()) object["reason"] = r.reason;
  return object;
}

// ---- reading

/// A value in the document together with the way to it, for messages such as
/// "/results/3/type: expected a text, got 7".
class node {
 public:
  node(const json& value, std::string path) : value_(&value), path_(std::move(path)) {}

  node at(const char* key) const {
    require(value_->is_object(), "an object");
    const auto found = value_->find(key);
    if (found == value_->end()) throw error(where() + ": the member \"" + key + "\" is missing");
    return {*found, path_ + "/" + key};
  }
  /// The text of an optional member, or "".
  std::string text_or_empty(const char* key) const {
    return value_->contains(key) ? at(key).text() : "";
  }

  bool is_null() const { return value_->is_null(); }
  bool boolean() const {
    require(value_->is_boolean(), "true or false");
    return value_->get<bool>();
  }
  std::string text() const {
    require(value_->is_string(), "a text");
    return value_->get<std::string>();
  }
  double number() const {
    require(value_->is_number(), "a number");
    return value_->get<double>();
  }
  std::optional<double> number_or_null() const {
    if (is_null()) return std::nullopt;
    return number();
  }
  std::uint64_t natural() const {
    require(value_->is_number_unsigned(), "a whole number >= 0");
    return value_->get<std::uint64_t>();
  }
  int small(int least = 0) const {
    const bool fits = value_->is_number_unsigned() && value_->get<std::uint64_t>() <= 1'000'000'000;
    require(fits && value_->get<int>() >= least,
            least == 0 ? "a whole number >= 0" : "a whole number >= 1");
    return value_->get<int>();
  }

  index_t extent() const {
    constexpr std::uint64_t most = std::numeric_limits<index_t>::max();
    require(value_->is_number_unsigned() && value_->get<std::uint64_t>() <= most, "an extent >= 0");
    return value_->get<index_t>();
  }

  template <class Read>
  auto list(Read read) const {
    require(value_->is_array(), "a list");
    std::vector<decltype(read(*this))> items;
    for (std::size_t i = 0; i < value_->size(); ++i)
      items.push_back(read(node((*value_)[i], path_ + "/" + std::to_string(i))));
    return items;
  }

  void require(bool satisfied, const char* expected) const {
    if (satisfied) return;
    std::string got = value_->dump(-1, ' ', true, json::error_handler_t::replace);
    if (got.size() > 40) got = got.substr(0, 37) + "...";
    throw error(where() + ": expected " + expected + ", got " + got);
  }

 private:
  std::string where() const { return path_.empty() ? "the document" : path_; }

  const json* value_;
  std::string path_;
};

machine read_machine(const node& n) {
  machine m;
  m.device = n.at("device").text();
  m.device_name = n.at("device_name").text();
  m.driver = n.at("driver").text();
  m.memory_bytes = n.at("memory_bytes").natural();
  m.cache_bytes = n.at("cache_bytes").natural();
  m.processors = n.at("processors").small();
  m.nominal_gb_per_s = n.at("nominal_gb_per_s").number_or_null().value_or(0);
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

timing read_timing(const node& n) {
  const node samples = n.at("samples");
  timing t;
  t.min_s = n.at("min").number();
  t.median_s = n.at("median").number();
  t.iqr_s = n.at("iqr").number();
  t.samples_s = samples.list([](const node& sample) {
    const double value = sample.number();
    sample.require(std::isfinite(value) && value > 0, "a time above 0");
    return value;
  });
  samples.require(!t.samples_s.empty(), "at least one sample");
  return t;
}

result read_result(const node& n) {
  result r;
  r.case_name = n.at("case").text();
  r.variant = n.at("variant").text();
  r.device = n.at("device").text();
  r.type = n.at("type").text();
  r.shape = n.at("shape").list([](const node& extent) { return extent.extent(); });
  if (const node dim = n.at("dim"); !dim.is_null()) r.dim = dim.small();
  if (const node launch = n.at("launch"); !launch.is_null())
    r.threads = launch.at("threads").list([](const node& t) { return t.small(1); });
  r.steps_per_pass = n.at("steps_per_pass").small(1);
  r.cells = n.at("cells").natural();
  r.a_eff_bytes = n.at("a_eff_bytes").natural();
  r.t_tot_bytes = n.at("t_tot_bytes").natural();
  r.flop = n.at("flop").natural();
  if (const node time = n.at("time_s"); !time.is_null()) r.time = read_timing(time);
  r.ceiling = read_mix(n.at("ceiling"));
  r.fraction_of_ceiling = n.at("fraction_of_ceiling").number_or_null();
  r.check = read_check(n.at("check"));
  r.flags = n.at("flags").list([](const node& f) { return f.text(); });
  r.reason = n.text_or_empty("reason");
  return r;
}

report read(const json& document) {
  const node root(document, "");
  const int schema = root.at("schema").small();
  if (schema != report::schema)
    throw error("/schema: expected " + std::to_string(report::schema) + ", got " +
                std::to_string(schema) + "; the file is from another version of teff");
  report r;
  r.where = read_machine(root.at("machine"));
  const node ceilings = root.at("ceilings_gb_per_s");
  for (const mix m : all_mixes) r.ceilings.of(m) = ceilings.at(name_of(m)).number_or_null();
  const node peak = root.at("peak_gflop_per_s");
  r.ceilings.f64_gflop_per_s = peak.at("f64").number_or_null();
  r.ceilings.f32_gflop_per_s = peak.at("f32").number_or_null();
  r.results = root.at("results").list(read_result);
  return r;
}

std::string line_and_column(std::string_view text, std::size_t byte) {
  const std::string_view before = text.substr(0, std::min(byte, text.size()));
  const auto line = 1 + std::ranges::count(before, '\n');
  const std::size_t start = before.rfind('\n') + 1;  // npos + 1 is 0
  return "line " + std::to_string(line) + ", column " +
         std::to_string(std::max<std::size_t>(1, before.size() - start));
}

/// The parser's own message without its prefix "[json.exception...] parse error at line 1, column
/// 2: ".
std::string essence(const std::string& message) {
  const auto colon = message.find(": ");
  return colon == std::string::npos ? message : message.substr(colon + 2);
}

json parse(std::string_view text) {
  const auto limit_depth = [](int depth, json::parse_event_t, json&) {
    // Deep nesting would overflow the stack when the tree is destroyed.
    if (depth > deepest_nesting)
      throw error("nested deeper than " + std::to_string(deepest_nesting) + " levels");
    return true;
  };
  try {
    return json::parse(text, limit_depth);
  } catch (const json::parse_error& problem) {
    throw error(line_and_column(text, problem.byte) + ": " + essence(problem.what()));
  } catch (const json::exception& problem) {
    throw error(essence(problem.what()));
  }
}

}  // namespace

std::string to_json(const report& r) {
  json ceilings;
  for (const mix m : all_mixes) ceilings[name_of(m)] = number(r.ceilings.of(m));
  const json head{
      {"schema", report::schema},
      {"machine", write(r.where)},
      {"ceilings_gb_per_s", ceilings},
      {"peak_gflop_per_s",
       {{"f64", number(r.ceilings.f64_gflop_per_s)}, {"f32", number(r.ceilings.f32_gflop_per_s)}}}};
  const auto text = [](const json& value, int indent) {
    return value.dump(indent, ' ', false, json::error_handler_t::replace);
  };
  // One result a line: line tools can select them, and version control shows what changed.
  std::string document = text(head, 2);
  document.resize(document.size() - 2);  // the closing "\n}"
  document += ",\n  \"results\": [";
  for (const result& one : r.results)
    document += (&one == r.results.data() ? "\n    " : ",\n    ") + text(write(one), -1);
  return document + (r.results.empty() ? "]\n}\n" : "\n  ]\n}\n");
}

report from_json(std::string_view text) {
  return read(parse(text));
}

report read_report(const std::string& path) {
  try {
    return from_json(io::read_file(path, largest_file));
  } catch (const error& problem) {
    const std::string message = problem.what();
    if (message.find("'" + path + "'") != std::string::npos) throw;
    throw error(problem.kind(), "'" + path + "': " + message);
  }
}

}  // namespace teff::lab

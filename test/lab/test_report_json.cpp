// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstdlib>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include <teff/base/error.hpp>
#include <teff/lab/report_json.hpp>

#include "../temp_folder.hpp"

using namespace teff::lab;

namespace {

report example() {
  report r;
  r.where = {.device = "cuda:0",
             .device_name = "a GPU \"with\" quotes",
             .driver = "13.0",
             .memory_bytes = 150'000'000'000,
             .cache_bytes = 60'000'000,
             .processors = 132,
             .nominal_gb_per_s = 4814.5,
             .cpu_name = "a CPU",
             .cpu_cores = 2,
             .compiler = "g++ 12",
             .cuda = "13.0",
             .commit = "abc",
             .teff_version = "0.1.0",
             .command = "teff lab",
             .date = "2026-01-01T00:00:00Z"};
  r.ceilings.copy_gb_per_s = 4283.25;
  r.ceilings.f64_gflop_per_s = 1.0 / 3;
  result one;
  one.case_name = "diffusion2d";
  one.variant = "temporal";
  one.device = "cuda:0";
  one.type = "f64";
  one.shape = {16384, 16383};
  one.dim = 1;
  one.threads = {32, 8};
  one.kernel = kernel_use{254, 16, 0.125, true, 40960};
  one.steps_per_pass = 4;
  one.cells = 5;
  one.a_eff_bytes = 6'442'450'944;
  one.t_tot_bytes = 7;
  one.flop = 8;
  one.time = timing_of({0.1, 0.3, 0.2});
  one.ceiling = mix::triad;
  one.fraction_of_ceiling = 2.5;
  one.check = {true, "serial loops", 1e-16, 2e-15, "", "stepwise"};
  one.flags = {"noisy", "shared device"};
  r.results = {one};
  r.notes = {"left out: all of f32"};
  return r;
}

std::string message_of(const std::string& text) {
  try {
    (void)from_json(text);
  } catch (const teff::error& problem) {
    return problem.what();
  }
  return "no error";
}

/// The example's JSON with the value at a JSON pointer replaced.
std::string with(const char* pointer, const nlohmann::json& value) {
  auto document = nlohmann::json::parse(to_json(example()));
  document[nlohmann::json::json_pointer(pointer)] = value;
  return document.dump();
}

std::string without(const char* parent, const char* member) {
  auto document = nlohmann::json::parse(to_json(example()));
  document[nlohmann::json::json_pointer(parent)].erase(member);
  return document.dump();
}

}  // namespace

TEST_CASE("json: what is written is read back, every member") {
  report before = example();
  before.planned = 16;
  const report after = from_json(to_json(before));
  CHECK(to_json(after) == to_json(before));
  CHECK(after.where.device_name == before.where.device_name);
  CHECK(after.where.memory_bytes == before.where.memory_bytes);
  CHECK(after.ceilings.copy_gb_per_s == 4283.25);
  CHECK(after.planned == 16);
  CHECK(!after.ceilings.read_gb_per_s.has_value());
  CHECK(after.ceilings.f64_gflop_per_s == 1.0 / 3);
  REQUIRE(after.results.size() == 1);
  const result& r = after.results[0];
  CHECK(r.variant == "temporal");
  CHECK(r.shape == std::vector<teff::index_t>{16384, 16383});
  CHECK(r.dim == 1);
  CHECK(after.notes == std::vector<std::string>{"left out: all of f32"});
  CHECK(r.threads == std::vector<int>{32, 8});
  REQUIRE(r.kernel);
  CHECK(r.kernel->registers == 254);
  CHECK(r.kernel->spilled_bytes == 16);
  CHECK(r.kernel->occupancy == 0.125);
  CHECK(r.kernel->fills_registers);
  CHECK(r.kernel->bytes_in_flight == 40960);
  CHECK(r.steps_per_pass == 4);
  CHECK(r.a_eff_bytes == 6'442'450'944);
  REQUIRE(r.time);
  CHECK(r.time->samples_s == std::vector<double>{0.1, 0.3, 0.2});
  CHECK(r.time->median_s == 0.2);
  CHECK(r.ceiling == mix::triad);
  CHECK(r.check.ok);
  CHECK(r.check.max_error == 1e-16);
  CHECK(r.check.same_bits_as == "stepwise");
  CHECK(r.flags == std::vector<std::string>{"noisy", "shared device"});
}

TEST_CASE("json: schema 1 has these members, schema first") {
  const std::string text = to_json(example());
  CHECK(text.find("\"schema\": 1") < text.find("\"machine\""));
  const auto document = nlohmann::json::parse(text);
  for (const char* member : {"schema", "machine", "ceilings_gb_per_s", "peak_gflop_per_s", "notes",
                             "planned", "results"})
    CHECK(document.contains(member));
  for (const char* member : {"case",
                             "variant",
                             "device",
                             "type",
                             "shape",
                             "dim",
                             "launch",
                             "kernel",
                             "steps_per_pass",
                             "a_eff_bytes",
                             "t_tot_bytes",
                             "flop",
                             "time_s",
                             "t_eff_gb_per_s",
                             "t_tot_gb_per_s",
                             "ceiling",
                             "fraction_of_ceiling",
                             "cells_per_s",
                             "check",
                             "flags"})
    CHECK(document["results"][0].contains(member));
  for (const char* member : {"min", "median", "iqr", "samples"})
    CHECK(document["results"][0]["time_s"].contains(member));
  for (const char* member : {"ok", "reference", "max_error", "tolerance"})
    CHECK(document["results"][0]["check"].contains(member));
  CHECK(document["results"][0]["t_eff_gb_per_s"].get<double>() == doctest::Approx(32.21225472));
}

TEST_CASE("json: what is not known is null with a reason, never NaN") {
  report r = example();
  r.results[0].time.reset();
  r.results[0].reason = "not timed: its result is wrong";
  r.results[0].fraction_of_ceiling = NAN;
  r.results[0].check.max_error.reset();
  r.results[0].check.ok = false;
  r.results[0].check.reason = "3 elements differ";
  r.ceilings.copy_gb_per_s = INFINITY;
  const std::string text = to_json(r);
  CHECK(text.find("nan") == std::string::npos);
  CHECK(text.find("inf") == std::string::npos);
  const auto document = nlohmann::json::parse(text);
  CHECK(document["ceilings_gb_per_s"]["copy"].is_null());
  const auto& one = document["results"][0];
  for (const char* member :
       {"time_s", "t_eff_gb_per_s", "t_tot_gb_per_s", "fraction_of_ceiling", "cells_per_s"})
    CHECK(one[member].is_null());
  CHECK(one["reason"] == "not timed: its result is wrong");
  CHECK(one["check"]["reason"] == "3 elements differ");
  CHECK(from_json(text).results[0].reason == "not timed: its result is wrong");
}

TEST_CASE("json: one result a line") {
  report r = example();
  r.results.push_back(r.results[0]);
  const std::string text = to_json(r);
  std::size_t lines = 0;
  for (std::size_t at = 0; (at = text.find("\n    {\"case\"", at)) != std::string::npos; ++at)
    ++lines;
  CHECK(lines == 2);
  r.results.clear();
  CHECK(from_json(to_json(r)).results.empty());
}

TEST_CASE("json: newer members are skipped") {
  CHECK(message_of(with("/results/0/later", 1)) == "no error");
  CHECK(message_of(with("/later", {{"a", nullptr}})) == "no error");
}

TEST_CASE("json: syntax errors tell line and column") {
  CHECK(message_of("").substr(0, 17) == "line 1, column 1:");
  CHECK(message_of("{\n  \"schema\": 1,\n  oops\n}").substr(0, 17) == "line 3, column 3:");
  CHECK(message_of("{\"schema\": 1e999}").find("1e999") != std::string::npos);
  CHECK(message_of("{\"schema\": 1} x") != "no error");
  CHECK(message_of("\xff\xfe") != "no error");
  CHECK(message_of("{\"schema\": NaN}") != "no error");
}

TEST_CASE("json: mismatches tell the path and both sides") {
  CHECK(message_of("[]") == "the document: expected an object, got []");
  CHECK(message_of("7") == "the document: expected an object, got 7");
  CHECK(message_of(with("/schema", 2)) ==
        "/schema: expected 1, got 2; the file is from another version of teff");
  CHECK(message_of(without("", "results")) == "the document: the member \"results\" is missing");
  CHECK(message_of(without("/results/0", "type")) == "/results/0: the member \"type\" is missing");
  CHECK(message_of(with("/results/0/type", 7)) == "/results/0/type: expected a text, got 7");
  CHECK(message_of(with("/results/0/shape", "x")) ==
        "/results/0/shape: expected a list, got \"x\"");
  CHECK(message_of(with("/results/0/shape/1", -1)) ==
        "/results/0/shape/1: expected an extent >= 0, got -1");
  CHECK(message_of(with("/results/0/steps_per_pass", 0)) ==
        "/results/0/steps_per_pass: expected a whole number >= 1, got 0");
  CHECK(message_of(with("/results/0/ceiling", "fast")) ==
        "/results/0/ceiling: expected copy, triad, read or write, got \"fast\"");
  CHECK(message_of(with("/results/0/time_s/samples", nlohmann::json::array())) ==
        "/results/0/time_s/samples: expected at least one sample, got []");
  CHECK(message_of(with("/results/0/time_s/samples/1", -0.5)) ==
        "/results/0/time_s/samples/1: expected a time of 1e-12 to 1e9 s, got -0.5");
  CHECK(message_of(with("/results/0/time_s/samples/1", nullptr)) ==
        "/results/0/time_s/samples/1: expected a number, got null");
  CHECK(message_of(with("/results/0/check/ok", "yes")) ==
        "/results/0/check/ok: expected true or false, got \"yes\"");
  CHECK(message_of(with("/results/0/a_eff_bytes", 1.5)) ==
        "/results/0/a_eff_bytes: expected a whole number >= 0, got 1.5");
  CHECK(message_of(with("/machine/processors", 1e300)) != "no error");
  const std::string long_text(1000, 'x');
  CHECK(message_of(with("/results/0/shape", long_text)).size() < 120);
}

TEST_CASE("json: deep nesting is refused, not a crash") {
  const std::string brackets(100'000, '[');
  CHECK(message_of(brackets) == "line 1, column 66: nested deeper than 64 levels");
  std::string objects;
  for (int i = 0; i < 10'000; ++i) objects += "{\"a\":";
  CHECK(message_of(objects).ends_with(": nested deeper than 64 levels"));
}

TEST_CASE("json: more than any program writes is refused before it fills the memory") {
  std::string members = "{";
  for (int i = 0; i < 300; ++i) members += "\"" + std::to_string(i) + "\":0,";
  CHECK(message_of(members).ends_with(": an object with more than 256 members"));
  CHECK(message_of("{\"a\": {}, \"b\": " + members).starts_with("line 1, column "));
  nlohmann::json extents = nlohmann::json::array();
  for (int i = 0; i < 9; ++i) extents.push_back(1);
  CHECK(message_of(with("/results/0/shape", extents)) ==
        "/results/0/shape: expected a list of at most 8, got [1,1,1,1,1,1,1,1,1]");
  CHECK(message_of(with("/results/0/case", std::string(201, 'x')))
            .starts_with("/results/0/case: expected a text of at most 200 bytes, got \"xxx"));
  CHECK(message_of(with("/results/0/check/reference", std::string(4097, 'x')))
            .find("at most 4096 bytes") != std::string::npos);
}

TEST_CASE("json: numbers that contradict the samples are refused") {
  CHECK(message_of(with("/results/0/time_s/median", 0.1)) ==
        "/results/0/time_s/median: expected 0.2, as follows from the samples, got 0.1");
  CHECK(message_of(with("/results/0/time_s/min", -1)) != "no error");
  CHECK(message_of(with("/results/0/time_s/iqr", 1e300)) != "no error");
  CHECK(message_of(with("/results/0/time_s/samples/0", 1e-320)) ==
        "/results/0/time_s/samples/0: expected a time of 1e-12 to 1e9 s, got 1e-320");
  CHECK(message_of(with("/results/0/shape", nlohmann::json::array())) ==
        "/results/0/shape: expected at least one extent, got []");
}

TEST_CASE("json: numbers that no machine makes are refused") {
  for (const double time_s : {0.0, 1e-13, 2e9, 1e300})
    CHECK(message_of(with("/results/0/time_s/samples/1", time_s))
              .starts_with("/results/0/time_s/samples/1: expected a time of 1e-12 to 1e9 s, got "));
  CHECK(message_of(with("/ceilings_gb_per_s/copy", 0)) ==
        "/ceilings_gb_per_s/copy: expected a number above 0, got 0");
  CHECK(message_of(with("/ceilings_gb_per_s/write", -3.5)) ==
        "/ceilings_gb_per_s/write: expected a number above 0, got -3.5");
  CHECK(message_of(with("/peak_gflop_per_s/f32", -1)) ==
        "/peak_gflop_per_s/f32: expected a number above 0, got -1");
  CHECK(message_of(with("/results/0/fraction_of_ceiling", 0)) ==
        "/results/0/fraction_of_ceiling: expected a number above 0, got 0");
  CHECK(message_of(with("/results/0/kernel/occupancy", 1e300)) ==
        "/results/0/kernel/occupancy: expected a number from 0 to 1.0, got 1e+300");
  CHECK(message_of(with("/results/0/kernel/bytes_in_flight", -1)).find("from 0 to") !=
        std::string::npos);
  CHECK(message_of(with("/results/0/kernel", nullptr)) == "no error");
  CHECK(message_of(with("/results/0/launch/threads", {1000, 1000, 1000})) == "no error");
  CHECK(message_of(with("/results/0/launch/threads", {1000, 1000, 1001})) ==
        "/results/0/launch/threads: expected at most 1e9 threads, got [1000,1000,1001]");
  const nlohmann::json large(8, 1'000'000'000);
  CHECK(message_of(with("/results/0/launch/threads", large)).find("at most 1e9 threads") !=
        std::string::npos);
}

TEST_CASE("json: a fraction is that of the file's own ceiling") {
  CHECK(message_of(with("/ceilings_gb_per_s/triad", 12.9)) == "no error");  // T_eff is 32.2
  CHECK(message_of(with("/ceilings_gb_per_s/triad", 100))
            .starts_with("/results/0/fraction_of_ceiling: expected 0.322"));
  CHECK(message_of(with("/ceilings_gb_per_s/triad", 1e300)) != "no error");
  auto document = nlohmann::json::parse(with("/ceilings_gb_per_s/triad", 100));
  document["results"][0]["time_s"] = nullptr;  // nothing to compare with
  CHECK(message_of(document.dump()) == "no error");
}

TEST_CASE("json: what is committed can be read") {
  const char* folder = std::getenv("TEFF_RESULTS");
  if (folder == nullptr) {
    MESSAGE("skipped: TEFF_RESULTS does not name the folder of results");
    return;
  }
  int files = 0;
  for (const auto& file : std::filesystem::recursive_directory_iterator(folder)) {
    // Rows are of programs of their own (tools/by_hand), and so is what Python measured.
    const auto kind = file.path().parent_path().filename();
    if (file.path().extension() != ".json" || file.path().stem() == "enqueue" || kind == "rows" ||
        kind == "python")
      continue;
    CAPTURE(file.path().string());
    CHECK_NOTHROW((void)read_report(file.path().string()));
    ++files;
  }
  CHECK(files >= 40);
}

TEST_CASE("json: a file of something else is said to be none of results, a cut one where it ends") {
  const teff::test::temp_folder here;
  const std::string file = here / "a.json";
  const auto said_of = [&](const std::string& text) {
    std::ofstream(file) << text;
    try {
      (void)read_report(file);
    } catch (const teff::error& problem) {
      return std::string(problem.what());
    }
    return std::string();
  };
  for (const char* foreign : {"", "hi", "{\"a\": 1}", "[1, 2]",
                              "\x7f"
                              "ELF",
                              "{\"results\": []}"})
    CHECK(said_of(foreign).starts_with("'" + file + "' is no results file: expected what teff "));
  CHECK(said_of("hi").find("wrote with --json, or teff lab (") != std::string::npos);
  const std::string ours = to_json(example());
  CHECK(said_of(ours.substr(0, ours.size() / 2)).starts_with("'" + file + "': line "));
  CHECK(said_of(ours) == "");
}

TEST_CASE("json: what is written is ASCII, whatever the names hold") {
  report r = example();
  r.results[0].case_name = "\x1b[31m\x7f\xC2\x9B\xE2\x80\xAE";
  const std::string text = to_json(r);
  for (const char c : text) REQUIRE((c == '\n' || (c >= 0x20 && c < 0x7F)));
  CHECK(from_json(text).results[0].case_name == r.results[0].case_name);
}

TEST_CASE("json: every cut of a document is an error, never a crash") {
  const std::string text = to_json(example());
  for (std::size_t length = 0; length + 2 < text.size(); ++length)
    CHECK_THROWS_AS((void)from_json(text.substr(0, length)), teff::error);
}

TEST_CASE("JSON: the highest clock of a device, where it is known; old files have none") {
  report r;
  r.where.device = "cuda:0";
  CHECK(to_json(r).find("clock_ghz") == std::string::npos);
  CHECK(from_json(to_json(r)).where.clock_ghz == 0);
  r.where.clock_ghz = 1.98;
  CHECK(from_json(to_json(r)).where.clock_ghz == 1.98);
}

TEST_CASE("report JSON: what was left out, which files of before had in their notes only") {
  report r = example();
  const std::vector<omission> left_out{{"copy", "f64", {64, 32}, 0, "array"},
                                       {"copy", "f64", {64, 32}, 0, "slice"},
                                       {"grid2d", "f32", {8, 8}, 4, "best"}};
  r.left_out = left_out;
  CHECK(from_json(to_json(r)).left_out == left_out);
  r.left_out.clear();
  r.notes = {"left out: copy f64 64x32 array, slice: the time budget is spent", "odd: copy f64 8 a",
             "left out: grid2d f32 8x8 on 4 ranks best: asked 1 TB (2026-01-01, teff lab)"};
  CHECK(from_json(to_json(r)).left_out.empty());
  std::string old = to_json(r);
  const std::string member = "\"left_out\": [],";
  REQUIRE(old.find(member) != std::string::npos);
  old.erase(old.find(member), member.size());
  CHECK(from_json(old).left_out == left_out);
  r.notes = {"left out: ", "left out: copy", "left out: copy f64 8 on"};
  old = to_json(r);
  old.erase(old.find(member), member.size());
  CHECK(from_json(old).left_out.size() <= 1);
}

// SPDX-License-Identifier: MIT
#include <cstdlib>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

#include <teff/lab/profiler.hpp>
#include <teff/lab/report_json.hpp>
#include <teff/lab/report_table.hpp>

#include "../message.hpp"

using namespace teff;
using namespace teff::lab;
using teff::test::contains;
using teff::test::message_of;

namespace {

/// What ncu --csv --page raw --print-units base writes of two kernels: its own lines, the
/// program's, names, units, a line for each kernel.
const std::string before = R"(==PROF== Connected to process 4711 (/home/someone/teff)
==PROF== Profiling "index_space_kernel" - 0: 0%....50%....100% - 12 passes
==PROF== Profiling "block_kernel" - 1: 0%....50%....100% - 12 passes
counted 2 steps
==PROF== Disconnected from process 4711
)";
const std::string head =
    R"("ID","Process ID","Process Name","Kernel Name","Device","CC","dram__bytes_read.sum","dram__bytes_write.sum","gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed","gpu__time_duration.sum","l1tex__throughput.avg.pct_of_peak_sustained_active","lts__throughput.avg.pct_of_peak_sustained_elapsed","sm__inst_executed_pipe_fp64.avg.pct_of_peak_sustained_active","sm__throughput.avg.pct_of_peak_sustained_elapsed"
"","","","","","","byte","byte","%","ns","%","%","%","%"
)";
const std::string first =
    R"csv("0","4711","teff","void teff::index_space_kernel<2, heat>(extents<2>, extents<3>, ""heat"")","0","9.0","1,073,741,824","536,870,912","90.5","300,000","31.25","40.5","12","20"
)csv";
const std::string second =
    R"("1","4711","teff","block_kernel","0","9.0","73,741,824","0","10.5","100,000","11.25","80.5","92","95"
)";

/// A folder in which `ncu` is a script; it stands first in PATH while this lives.
class fake_ncu {
 public:
  explicit fake_ncu(const std::string& script) : path_(std::getenv("PATH")) {
    std::string name = (std::filesystem::temp_directory_path() / "teff_ncu_XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    folder = name;
    if (!script.empty()) {
      std::ofstream(folder / "ncu") << "#!/bin/sh\n" << script;
      std::filesystem::permissions(folder / "ncu", std::filesystem::perms::owner_all);
    }
    setenv("PATH", (folder.string() + (script.empty() ? "" : ":" + path_)).c_str(), 1);
  }
  ~fake_ncu() {
    setenv("PATH", path_.c_str(), 1);
    std::filesystem::remove_all(folder);
  }
  fake_ncu(fake_ncu&&) = delete;
  fake_ncu& operator=(fake_ncu&&) = delete;

  std::filesystem::path folder;

 private:
  std::string path_;
};

std::string says(const std::string& text, int status = 0) {
  return "cat <<'END_OF_CSV'\n" + text + "END_OF_CSV\nexit " + std::to_string(status) + "\n";
}

}  // namespace

TEST_CASE("profiler: bytes of all kernels, of one step, and the unit nearest to its peak") {
  const counter_use one = parse_ncu(head + first);
  CHECK(one.kernels == 1);
  CHECK(one.dram_read_bytes == 1073741824.0);
  CHECK(one.dram_written_bytes == 536870912.0);
  CHECK(one.limit == "dram");
  CHECK(one.limit_part == doctest::Approx(0.905));

  const counter_use other = parse_ncu(head + second);
  CHECK(other.limit == "fp64");  // sm__throughput is no unit
  CHECK(other.limit_part == doctest::Approx(0.92));

  const counter_use both = parse_ncu(before + head + first + second);
  CHECK(both.kernels == 2);
  CHECK(both.dram_read_bytes == (1073741824.0 + 73741824.0) / 2);
  CHECK(both.dram_written_bytes == 536870912.0 / 2);
  CHECK(both.limit == "dram");  // by time: (3 * 90.5 + 10.5) / 4
  CHECK(both.limit_part == doctest::Approx(0.705));
}

TEST_CASE("profiler: a unit without a number is not the limit, in a table with NVTX ranges") {
  const std::string without =
      R"csv("0","4711","teff","k","0","9.0","8","4","n/a","2","31.25","40.5","nan","20"
)csv";
  const counter_use found = parse_ncu(head + without);
  CHECK(found.dram_read_bytes == 8);
  CHECK(found.limit == "l2");
  CHECK(found.limit_part == doctest::Approx(0.405));
  const std::string ranges =
      R"csv("ID","thread Domain:Push/Pop_Range:PL_Type:PL_Value:CLR_Type:Color:Msg_Type:Msg","Kernel Name","dram__bytes_read.sum","dram__bytes_write.sum","gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed","gpu__time_duration.sum"
"","","","byte","byte","%","ns"
"0","1  ""<default domain>:counted:none:none:none:none:none:none""  ""<default domain>:heat, 2:none""  ","void k<(int)2>(a, b)","24","8","91.5","1000"
)csv";
  CHECK(parse_ncu(ranges).dram_read_bytes == 24);
  CHECK(parse_ncu(ranges).limit_part == doctest::Approx(0.915));
}

TEST_CASE("profiler: units that ncu scales") {
  std::string scaled = head + first;
  scaled.replace(scaled.find("\"byte\",\"byte\""), 13, "\"Gbyte\",\"Mbyte\"");
  scaled.replace(scaled.find("1,073,741,824"), 13, "1.5");
  CHECK(parse_ncu(scaled).dram_read_bytes == 1.5e9);
  CHECK(parse_ncu(scaled).dram_written_bytes == 536870912e6);
  scaled.replace(scaled.find("Gbyte"), 5, "sheep");
  CHECK(contains(message_of([&] { (void)parse_ncu(scaled); }), "got 'sheep'"));
}

TEST_CASE("profiler: output that is broken, cut off or empty") {
  const auto problem = [](const std::string& said) {
    return message_of([&] { (void)parse_ncu(said); });
  };
  CHECK(contains(problem(""), "ncu: expected a table in CSV, which begins with \"ID\""));
  CHECK(contains(problem(before), "expected a table in CSV"));
  CHECK(contains(problem(head), "ncu counted no kernel: this variant runs none"));
  CHECK(contains(problem("==WARNING== No kernels were profiled.\n"), "ncu counted no kernel"));
  CHECK(contains(problem(head + first.substr(0, first.size() - 20)), "its output was cut off"));
  CHECK(contains(problem(head + "\"0\",\"4711\"\n"), "a line has 2 cells, but the table 14"));
  std::string bad = head + first;
  bad.replace(bad.find("1,073,741,824"), 13, "n/a");
  CHECK(contains(problem(bad), "expected a number for dram__bytes_read.sum, got 'n/a'"));
  bad.replace(bad.find("n/a"), 3, "-1");
  CHECK(contains(problem(bad), "got '-1'"));
  bad.replace(bad.find("dram__bytes_read.sum"), 20, "dram__something_else");
  CHECK(contains(problem(bad), "its table has no column dram__bytes_read.sum"));
  CHECK(contains(problem("\"ID\",\"dram__bytes_read.sum\",\"dram__bytes_write.sum\","
                         "\"gpu__time_duration.sum\"\n\"\",\"byte\",\"byte\",\"ns\"\n"
                         "\"0\",\"1\",\"1\",\"1\"\n"),
                 "its table has no percentages of a peak"));
  CHECK(contains(problem("==ERROR== Failed to find metric dram__bytes\x1b[31m\n"),
                 "ncu failed: ==ERROR== Failed to find metric dram__bytes"));
}

TEST_CASE("profiler: ncu is run around a program") {
  const fake_ncu by("echo \"$@\" > \"$(dirname \"$0\")/asked\"\n" + says(before + head + first));
  const counter_use found = count_by_ncu({"teff", "bench", "copy", "--counted-run"});
  CHECK(found.dram_read_bytes == 1073741824.0 / 2);
  std::string asked;
  std::getline(std::ifstream(by.folder / "asked"), asked);
  CHECK(contains(asked, "--csv --page raw --print-units base --nvtx --nvtx-include counted/"));
  CHECK(contains(asked, "--metrics dram__bytes_read.sum,dram__bytes_write.sum"));
  CHECK(asked.ends_with(" teff bench copy --counted-run"));
}

TEST_CASE("profiler: why nothing was counted, and what to do") {
  const auto problem = [](const std::string& script) {
    const fake_ncu by(script);
    return message_of([&] { (void)count_by_ncu({"teff"}); });
  };
  CHECK(contains(problem(""), "no ncu in PATH, which is what counts: it comes with the CUDA"));
  CHECK(contains(problem(says("==ERROR== ERR_NVGPUCTRPERM - The user does not have permission to "
                              "access NVIDIA GPU Performance Counters on the target device 0.\n",
                              1)),
                 "ncu may not count on this machine (ERR_NVGPUCTRPERM)"));
  CHECK(contains(problem("echo 'teff: out of memory: asked for 3 GB' >&2; exit 5\n"),
                 "ncu ended with status 5: teff: out of memory: asked for 3 GB"));
  CHECK(contains(problem("exit 9\n"), "ncu ended with status 9: it said nothing"));
  CHECK(contains(problem("exit 0\n"), "expected a table in CSV"));
}

TEST_CASE("profiler: tables and JSON have what was counted") {
  result r;
  r.case_name = "copy";
  r.variant = "kernel";
  r.device = "cuda:0";
  r.type = "f64";
  r.shape = {1024, 1024};
  r.cells = 1 << 20;
  r.a_eff_bytes = 16 << 20;
  r.check = {.ok = true, .reference = "loops", .max_error = 0.0};
  CHECK_FALSE(contains(table_of({r}).text(), "DRAM read"));
  r.counters = counter_use{8.4e6, 8.1e6, "dram", 0.915, 1};
  r.energy_j = 0.5e-9 * (1 << 20);
  r.sectors = sector_use{2048, 512, {64, 32}};
  const std::string shown = table_of({r}).text();
  CHECK(contains(shown, "DRAM read MB"));
  CHECK(contains(shown, "16.78"));
  CHECK(contains(shown, "dram 92 %"));
  CHECK(contains(shown, "nJ/cell"));
  CHECK(contains(shown, "0.5"));

  report all;
  all.results = {r};
  const std::string text = to_json(all);
  CHECK(contains(text, "\"limit\":\"dram\""));
  CHECK(contains(text, "\"joules_per_cell\":5"));
  const report read = from_json(text);
  REQUIRE(read.results.at(0).counters.has_value());
  CHECK(read.results[0].counters->dram_written_bytes == 8.1e6);
  CHECK(read.results[0].counters->limit_part == 0.915);
  CHECK(*read.results[0].joules_per_cell() == doctest::Approx(0.5e-9));
  REQUIRE(read.results[0].sectors.has_value());
  CHECK(read.results[0].sectors->asked == 2048);
  CHECK(read.results[0].sectors->shape == std::vector<index_t>{64, 32});
  std::string bad = text;
  bad.replace(bad.find("\"needed\":512"), 12, "\"needed\":0");
  CHECK(contains(message_of([&] { (void)from_json(bad); }),
                 "/results/0/sectors: expected at least one sector that is needed"));
  bad = text;
  bad.replace(bad.find("\"limit_part\":0.915"), 18, "\"limit_part\":1.5");
  CHECK(contains(message_of([&] { (void)from_json(bad); }),
                 "/results/0/counters/limit_part: expected a number from 0 to 1"));
}

// SPDX-License-Identifier: MIT
#include <cstdlib>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

#include <teff/lab/energy.hpp>
#include <teff/lab/gpu_monitor.hpp>
#include <teff/lab/measure.hpp>

#include "fake_case.hpp"

using namespace teff;
using namespace teff::lab;
using namespace teff::test;

namespace {

/// NVIDIA's management library and as much of the driver as the monitor asks for; the energy
/// counter goes on by 2.5 J each time.
const char* const library_text = R"(
static int gpu, count;
int nvmlInit_v2(void) { return 0; }
int nvmlShutdown(void) { return 0; }
int cuInit(unsigned flags) { return flags == 0 ? 0 : 1; }
int cuDeviceGet(int* device, int ordinal) { *device = ordinal; return 0; }
int cuDeviceGetPCIBusId(char* text, int size, int device) {
  if (size < 3) return 1;
  text[0] = 'G'; text[1] = (char)('0' + device); text[2] = 0;
  return 0;
}
int nvmlDeviceGetHandleByPciBusId_v2(const char* text, void** handle) {
  if (text[0] != 'G' || text[1] != '1') return 6;
  *handle = &gpu;
  return 0;
}
#ifdef HAS_ENERGY
int nvmlDeviceGetTotalEnergyConsumption(void* handle, unsigned long long* millijoules) {
  if (handle != &gpu) return 2;
  *millijoules = 7000000ULL + 2500ULL * (unsigned)count++;
  return 0;
}
#endif
)";

class fake_library {
 public:
  explicit fake_library(const std::string& flags) {
    std::string name = (std::filesystem::temp_directory_path() / "teff_nvml_XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    folder_ = name;
    std::ofstream(folder_ / "nvml.cpp") << "extern \"C\" {" << library_text << "}\n";
    path = (folder_ / "libfake.so").string();
    const std::string line =
        "c++ -shared -fPIC -O0 " + flags + " -o " + path + " " + (folder_ / "nvml.cpp").string();
    REQUIRE(std::system(line.c_str()) == 0);
  }
  ~fake_library() { std::filesystem::remove_all(folder_); }
  fake_library(fake_library&&) = delete;
  fake_library& operator=(fake_library&&) = delete;

  std::string path;

 private:
  std::filesystem::path folder_;
};

}  // namespace

TEST_CASE("energy: the management library's counter, in joules") {
  const fake_library with("-DHAS_ENERGY"), without("");
  const gpu_monitor gpu(1, with.path.c_str(), with.path.c_str());
  CHECK(gpu.energy_j() == doctest::Approx(7000.0));
  CHECK(*gpu.energy_j() == doctest::Approx(7002.5));
  CHECK_FALSE(gpu_monitor(0, with.path.c_str(), with.path.c_str()).energy_j());  // it is not there
  CHECK_FALSE(gpu_monitor(1, without.path.c_str(), without.path.c_str()).energy_j());
  CHECK_FALSE(gpu_monitor(1, "libteff_no_such_library.so", "libteff_none.so").energy_j());
}

TEST_CASE("energy: of one run, by a batch that lasts") {
  double joules = 100;
  int runs = 0, waits = 0;
  const energy_counter counter = [&] { return std::optional(joules); };
  const auto run = [&] {
    ++runs;
    joules += 0.25;
  };
  const auto wait = [&] { ++waits; };
  CHECK(*joules_of_run(counter, run, wait, 0.01, 0.5) == doctest::Approx(0.25));
  CHECK(runs == 50);
  CHECK(*joules_of_run(counter, run, wait, 10, 0.5) == doctest::Approx(0.25));
  CHECK(runs == 51);
  waits = 0;
  CHECK(*joules_of_run(counter, run, wait, 1e-4, 0.5) == doctest::Approx(0.25));
  CHECK(runs == 5051);
  CHECK(waits == 7);  // before, five times lest the queue fills up, and after
}

TEST_CASE("energy: nothing is told where the counter is missing or stands still") {
  int runs = 0;
  const auto run = [&] { ++runs; };
  const auto wait = [] {};
  CHECK_FALSE(joules_of_run({}, run, wait, 0.1, 0.5));
  CHECK_FALSE(joules_of_run([] { return std::optional<double>(); }, run, wait, 0.1, 0.5));
  CHECK(runs == 0);
  CHECK_FALSE(joules_of_run([] { return std::optional(5.0); }, run, wait, 0.1, 0.5));
  CHECK(runs == 5);
  CHECK_FALSE(energy_counter_of(device::cpu()));
}

TEST_CASE("energy: a result has that of a step") {
  const bench_case c = fake_table_entry();
  const job j{&c, {device::cpu(), "f64", {4}}, {}};
  fake_case arrays;
  measure_options options;
  options.sampling = {.budget_s = 0, .min_samples = 3, .max_samples = 3, .warm_up_s = 0};
  options.energy_s = 1e-4;
  const rung good{"good", "good", {}};
  CHECK_FALSE(measure(j, good, arrays, options).energy_j);
  options.joules = [&] { return std::optional(3.0 * arrays.runs); };  // 3 J a run, of two steps
  const result r = measure(j, good, arrays, options);
  REQUIRE(r.energy_j.has_value());
  CHECK(*r.energy_j == doctest::Approx(1.5));
  CHECK(*r.joules_per_cell() == doctest::Approx(1.5 / 4));
  CHECK(r.check.ok);
}

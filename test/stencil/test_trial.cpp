// SPDX-License-Identifier: MIT
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <teff/algo/random.hpp>
#include <teff/expr/fd2.hpp>
#include <teff/stencil/explain.hpp>

#include "../compare.hpp"
#include "../devices.hpp"
#include "../message.hpp"

using namespace teff;
using namespace teff::test;
using namespace teff::fd2;

namespace {

/// A file of schedules of its own, while it lives.
class own_schedules {
 public:
  explicit own_schedules(const std::string& name, const std::string& content = "")
      : folder_(std::filesystem::temp_directory_path() / ("teff-" + name)),
        file_(folder_ / "s.tsv") {
    std::filesystem::remove_all(folder_);
    if (!content.empty()) {
      std::filesystem::create_directories(folder_);
      std::ofstream(file_) << content;
    }
    setenv("TEFF_SCHEDULES", file_.c_str(), 1);
  }
  ~own_schedules() {
    setenv("TEFF_SCHEDULES", "", 1);
    std::filesystem::remove_all(folder_);
  }
  own_schedules(const own_schedules&) = delete;
  own_schedules& operator=(const own_schedules&) = delete;

  std::vector<std::string> lines() const {
    std::vector<std::string> all;
    std::ifstream in(file_);
    for (std::string line; std::getline(in, line);) all.push_back(line);
    return all;
  }

 private:
  std::filesystem::path folder_, file_;
};

auto heat() {
  return timestep(
      [](auto T, auto C) { return update(inn(T), inn(T) + 0.1 * inn(C) * (d2_xi(T) + d2_yi(T))); });
}

}  // namespace

TEST_CASE("trial: passes of several steps are compared with single ones, bit for bit") {
  for (const device dev : test_devices()) {
    const array<f64, 2> T = random<f64>(dev, {450, 90}, 1), C = random<f64>(dev, {450, 90}, 2);
    const auto agree = [&](index_t steps, index_t single_steps) {
      return detail::has_bits_of_single_steps<>(
          heat().formula(T, C), {schedule::temporal, 3, ""}, steps, single_steps,
          static_cast<const array_ref<f64, 2>&>(T), static_cast<const array_ref<f64, 2>&>(C));
    };
    CHECK(agree(7, 7));
    CHECK_FALSE(agree(7, 6));
  }
}

TEST_CASE("trial: fields of faces keep their extra cells in the part that is compared") {
  const array<f64, 2> q = random<f64>(device::cpu(), {501, 90}, 1);
  const shape3 n{{500, 90, 1}};
  const array<f64, 2> part = detail::copy_of_part<f64, 2>(q, detail::cells_left_out<2>(n));
  CHECK(part.extent(0) == 401);
  CHECK(part.extent(1) == 70);
  CHECK(to_host(part)[402] == to_host(q)[502]);
}

TEST_CASE("trial: a long run tries its schedules, remembers the fastest, and keeps its bits") {
  const own_schedules file("trial");
  for (const device dev : test_devices()) {
    const array<f64, 2> C = random<f64>(dev, {40, 30}, 2);
    array<f64, 2> T = random<f64>(dev, {40, 30}, 1), S = T;
    const std::size_t lines = file.lines().size();
    const auto first = iterate(heat(), 2000, T, C);
    CHECK(contains(first.reason(), "tried: 1: "));
    CHECK(first.steps() == 2000);
    REQUIRE(file.lines().size() == lines + 1);
    const std::string line = file.lines().back();
    CHECK(contains(line, std::to_string(first.depth()) + "\t" + known_device(dev).name +
                             "\t40x30:f64 40x30:f64\t0 = "));
    const auto second = iterate(heat(), 100, T, C);
    CHECK(contains(second.reason(), "the fastest when it was tried: "));
    CHECK(second.depth() == first.depth());
    CHECK(file.lines().size() == lines + 1);
    iterate(heat(), {.steps = 2100, .schedule = schedule::stepwise}, S, C);
    CHECK(difference(to_host(T), to_host(S)) == "");

    std::ostringstream text;
    text << explain(heat(), T, C);
    CHECK(contains(text.str(), "the fastest when it was tried"));
  }
}

TEST_CASE("trial: short runs, and runs that are interrupted too often, take the model's word") {
  const array<f64, 2> C = random<f64>(device::cpu(), {50, 30}, 2);
  array<f64, 2> T = random<f64>(device::cpu(), {50, 30}, 1);
  CHECK(contains(iterate(heat(), 100, T, C).reason(), "model"));
  CHECK(contains(iterate(heat(), {.steps = 2000, .check_every = 10}, T, C).reason(), "model"));
  CHECK(iterate(heat(), {.steps = 2000, .schedule = schedule::stepwise}, T, C).reason() ==
        "asked for");
}

TEST_CASE("schedule file: what is not a line of its kind is passed over; the last one counts") {
  const own_schedules file("schedule-file",
                           "nonsense\n\n7\n-2\tkey\n0\tkey\n4\tkey\n8\tkey\n3 other\n");
  CHECK(remembered_depth("key") == 8);
  CHECK_FALSE(remembered_depth("other"));
  remember_depth("key", 2);
  CHECK(remembered_depth("key") == 2);
  CHECK(file.lines().back() == "2\tkey");
}

TEST_CASE("schedule file: a depth that the run can not have is not taken") {
  const array<f64, 2> C = random<f64>(device::cpu(), {60, 30}, 2);
  array<f64, 2> T = random<f64>(device::cpu(), {60, 30}, 1);
  const std::string key =
      detail::make_time_loop(heat().formula(T, C), static_cast<const array_ref<f64, 2>&>(T),
                             static_cast<const array_ref<f64, 2>&>(C))
          .key();
  const own_schedules file("schedule-depth", "1000\t" + key + "\n");
  CHECK(remembered_depth(key) == 1000);
  CHECK(contains(iterate(heat(), 100, T, C).reason(), "model"));
}

TEST_CASE("schedule file: a place that can not be written is no error") {
  setenv("TEFF_SCHEDULES", "/proc/nobody/writes/here.tsv", 1);
  remember_depth("unwritable", 4);
  CHECK(remembered_depth("unwritable") == 4);
  setenv("TEFF_SCHEDULES", "", 1);
  CHECK(schedule_file().empty());
}

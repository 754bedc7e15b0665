// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <teff/base/peers.hpp>
#include <teff/lab/disturbance.hpp>
#include <teff/lab/gpu_monitor.hpp>
#include <teff/lab/machine.hpp>
#include <teff/lab/progress.hpp>
#include <teff/lab/rank_link.hpp>

using namespace teff::lab;

TEST_CASE("disturbance: the line of /proc/stat") {
  const cpu_seconds s = parse_cpu_line("cpu  100 1 20 300 4 5 6 70 0 0", 100);
  CHECK(s.busy == doctest::Approx(1.32));
  CHECK(s.idle == doctest::Approx(3.04));
  CHECK(s.stolen == doctest::Approx(0.70));
  CHECK(parse_cpu_line("", 100).busy == 0);
  CHECK(parse_cpu_line("intr 5 5 5 5 5 5 5 5 5", 100).busy == 0);
}

TEST_CASE("disturbance: others' work and stolen time, not our own") {
  const cpu_seconds before{};
  CHECK(!cpu_was_shared(before, {.busy = 10, .idle = 0, .stolen = 0}, 10));
  CHECK(!cpu_was_shared(before, {.busy = 10.3, .idle = 0, .stolen = 0}, 10));
  CHECK(cpu_was_shared(before, {.busy = 11, .idle = 0, .stolen = 0}, 10));
  CHECK(!cpu_was_shared(before, {.busy = 5.2, .idle = 5, .stolen = 0}, 5));
  CHECK(cpu_was_shared(before, {.busy = 9, .idle = 0, .stolen = 1}, 9));
  CHECK(!cpu_was_shared(before, {.busy = 0.1, .idle = 0, .stolen = 0}, 0));  // too short to know
}

TEST_CASE("disturbance: a GPU that others use, or that lowered its clocks") {
  using flags = std::vector<std::string>;
  CHECK(gpu_flags(0, false) == flags{});  // nothing is known
  CHECK(gpu_flags(1, false) == flags{});
  CHECK(gpu_flags(2, false) == flags{"shared device"});
  CHECK(gpu_flags(1, true) == flags{"throttled"});
  CHECK(gpu_flags(3, true) == flags{"shared device", "throttled"});
  // nvmlClocksThrottleReason: idle, clocks set by someone, synchronised with other GPUs, display.
  for (const unsigned long long none : {0x0, 0x1, 0x2, 0x10, 0x100})
    CHECK(!are_clocks_lowered(none));
  // Power cap, slowdown, thermal by software and by hardware, power brake.
  for (const unsigned long long lowered : {0x4, 0x8, 0x20, 0x40, 0x80, 0x5})
    CHECK(are_clocks_lowered(lowered));
}

TEST_CASE("info: whose memory a GPU uses in place") {
  CHECK(reach_text(0, {false, true}) == "cuda:1");
  CHECK(reach_text(1, {false, false}) == "cuda:0 by the host");
  CHECK(reach_text(2, {true, false, false, true}) == "cuda:0, cuda:3; cuda:1 by the host");
  CHECK_FALSE(teff::runtime::can_reach(teff::device::cpu(), teff::device::cpu()));
}

TEST_CASE("progress: step, share, time left") {
  CHECK(progress::line(0, 25, 0, "copy f64", 80) == "[ 1/25] copy f64");
  CHECK(progress::line(5, 25, 10, "copy f64", 80) == "[ 6/25] copy f64  20 %  about 40 s left");
  CHECK(progress::line(1, 100, 10, "x", 80) == "[  2/100] x  1 %  about 17 min left");
  CHECK(progress::line(3, 2, 1, "late", 80) == "[2/2] late  100 %  about 0 s left");
  CHECK(progress::line(5, 25, 10, "copy f64", 12) == "[ 6/25] copy");
}

TEST_CASE("machine: the command line holds no folders") {
  CHECK(without_folders({"teff", "bench", "copy", "--json", "/home/me/a.json"}) ==
        "teff bench copy --json a.json");
  CHECK(without_folders({"teff", "--json=/home/me/a.json", "../b.json"}) ==
        "teff --json=a.json b.json");
  CHECK(without_folders({"teff", "--device", "cuda:0"}) == "teff --device cuda:0");
  CHECK(without_folders({"teff", "lab", "-o/tmp/quiet"}) == "teff lab -oquiet");
}

TEST_CASE("machine: a command line reads back as the same words") {
  const std::vector<std::string> words{"teff", "--json", "a b.json", "it's", "", "a\"b", "x\\y"};
  const std::string text = without_folders(words);
  CHECK(text == "teff --json 'a b.json' 'it'\\''s' '' 'a\"b' 'x\\y'");
  CHECK(words_of(text) == words);
  CHECK(words_of("  teff  bench\tcopy ") == std::vector<std::string>{"teff", "bench", "copy"});
  CHECK(words_of("").empty());
}

TEST_CASE("machine: what is told of it") {
  const machine m = describe_machine(teff::device::cpu(), {"teff", "lab"}, "none");
  CHECK(m.device == "cpu");
  CHECK(!m.device_name.empty());
  CHECK(m.memory_bytes > 0);
  CHECK(m.processors > 0);
  CHECK(m.command == "teff lab");
  CHECK(m.date.size() == 20);
  CHECK(m.cuda == "none");
}

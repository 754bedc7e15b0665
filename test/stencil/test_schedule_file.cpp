// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdlib>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

#include <teff/stencil/schedule_memory.hpp>

#include "../temp_folder.hpp"

namespace fs = std::filesystem;
using namespace teff;
using teff::test::temp_folder;

namespace {

/// The file of schedules, as long as this lives. What takes longer than a minute ends the test.
class schedules_in {
 public:
  explicit schedules_in(const std::string& file) : file_(file) {
    setenv("TEFF_SCHEDULES", file.c_str(), 1);
    alarm(60);
  }
  ~schedules_in() {
    setenv("TEFF_SCHEDULES", "", 1);
    alarm(0);
  }
  schedules_in(schedules_in&&) = delete;
  schedules_in& operator=(schedules_in&&) = delete;

 private:
  std::string file_;
};

std::string found(const std::string& key) {
  const auto plan = remembered_plan(key);
  return plan ? short_text(*plan) : "";
}

constexpr std::size_t most = std::size_t{1} << 20;  // bytes that are read, and that a file may have

}  // namespace

TEST_CASE("schedule file: what is no regular file is left alone, and nothing waits for it") {
  const temp_folder folder;
  const std::string fifo = folder / "fifo", link = folder / "link";
  REQUIRE(mkfifo(fifo.c_str(), 0600) == 0);
  fs::create_symlink(fifo, link);
  for (const std::string& file :
       {fifo, link, folder.path().string(), std::string("/dev/zero"), std::string("/dev/full"),
        std::string("/dev/tty"), std::string("/proc/self/maps"), std::string("/proc/kmsg"),
        fifo + "/below", std::string(5000, 'x')}) {
    CAPTURE(file);
    const schedules_in here(file);
    CHECK(found("key") == "");
    CHECK_NOTHROW(remember_plan("key", {schedule::temporal, 4}));
    CHECK(found("key") == "4");  // in this process
  }
}

TEST_CASE("schedule file: of one of any length its end is read, and nothing is added to it") {
  const temp_folder folder;
  const std::string file = folder / "hole";
  std::ofstream(file) << "4\tfirst\n";
  fs::resize_file(file, std::uintmax_t{1} << 40);  // a hole: it takes no place on the disk
  std::ofstream(file, std::ios::app) << "\n8\tlast\n";
  const std::uintmax_t bytes = fs::file_size(file);
  const schedules_in here(file);
  CHECK(found("last") == "8");
  CHECK(found("first") == "");
  remember_plan("new", {schedule::temporal, 4});
  CHECK(fs::file_size(file) == bytes);
}

TEST_CASE("schedule file: it grows to a bound, by whole lines") {
  const temp_folder folder;
  const std::string file = folder / "s.tsv", key(100'000, 'k');
  {
    const schedules_in here(file);
    for (int i = 0; i < 20; ++i)
      CHECK_NOTHROW(remember_plan(key + std::to_string(i), {schedule::temporal, 2 + i}));
  }
  CHECK(fs::file_size(file) <= most);
  CHECK(fs::file_size(file) > most - 2 * key.size());
  fs::rename(file, folder / "t.tsv");  // which nobody has read yet
  const schedules_in again(folder / "t.tsv");
  CHECK(found(key + "0") == "2");
  CHECK(found(key + "9") == "11");
  CHECK(found(key + "19") == "");
}

TEST_CASE("schedule file: a million lines, one endless line, and bytes of any kind") {
  const temp_folder folder;
  std::string lines;
  for (int i = 0; i < 1'000'000; ++i) lines += "4\tkey\n";
  const std::string nul("\0\0\n4\tnul\0key\n\0", 14);
  for (const std::string& content :
       {lines, std::string(3 * most, 'x'), "4\t" + std::string(3 * most, 'x'),
        std::string(2 * most, '\n'), std::string(2 * most, '\t'), nul}) {
    static int number = 0;
    const std::string file = folder / std::to_string(number++);
    std::ofstream(file, std::ios::binary) << content << "\n8\tlast\n";
    const schedules_in here(file);
    CHECK(found("last") == "8");
    CHECK(found("key") == (content == lines ? "4" : ""));
    CHECK(found(std::string("nul\0key", 7)) == (content == nul ? "4" : ""));
  }
}

TEST_CASE("schedule file: whatever is in it, the last line of a key and a kind counts") {
  const temp_folder folder;
  std::mt19937 dice(1);
  const char* const pieces[] = {"1",    "4",    "12",  "fused", "resident", "\t",    "\t",
                                "\n",   "\n",   "key", "k",     "-",        "0",     "99999999999",
                                "\r\n", "\xff", " ",   "\t\t",  "4\tkey\n", "7\tk\n"};
  for (int n = 0; n < 300; ++n) {
    const std::string file = folder / std::to_string(n);
    std::string content;
    for (int i = 0; i < 60; ++i) {
      content += pieces[dice() % std::size(pieces)];
      if (dice() % 40 == 0) content += '\0';
    }
    std::ofstream(file, std::ios::binary) << content;
    CAPTURE(content);
    const schedules_in here(file);
    for (const std::string key : {"key", "k"}) {
      // Serially: lines from the last on, and of each what is before the first tab.
      std::string expected, text = content + "\n";
      for (std::size_t at = 0, end; (end = text.find('\n', at)) != std::string::npos;
           at = end + 1) {
        const std::string line = text.substr(at, end - at);
        const std::string plan = line.substr(0, line.find('\t'));
        if (line != plan + "\t" + key) continue;
        const bool is_depth =
            !plan.empty() && plan.size() < 10 &&
            std::ranges::all_of(plan, [](char c) { return '0' <= c && c <= '9'; });
        if (plan == "fused" || plan == "resident") expected = plan;
        if (is_depth && std::stoi(plan) > 0) expected = std::to_string(std::stoi(plan));
      }
      CHECK(found(key) == expected);
    }
  }
}
